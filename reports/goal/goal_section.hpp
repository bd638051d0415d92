#pragma once

#include <optional>
#include <span>
#include <string>

#include "reports/answer/answer.hpp"
#include "reports/goal/goal.hpp"

namespace bursar { inline namespace reports {

/// What may meet a goal. Values are means over its seeds, absent where no run has one.
struct GoalCandidate {
    std::string name;
    std::optional<double> value; ///< of the goal's metric
    std::optional<double> rank;  ///< of the metric that says which is the best
    bool has_unfinished{};       ///< jobs, in some run
};

/// The best candidate that meets the goal, and the last before it, which does not: between the two
/// the goal begins to hold. by: what `ranked` is in the order of, the best first.
[[nodiscard]] AnswerSection
goal_section(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked);

}} // namespace bursar::reports
