#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/document/document.hpp"
#include "reports/goal/condition.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// A limit that a run must keep: "wait.p99 < 1 h".
struct Goal {
    const ScalarRow* metric{};
    bool is_upper{};    ///< below or at the limit; else above or at it
    bool is_strict{};   ///< the limit itself does not do
    double limit{};     ///< in the unit of files
    std::string text{}; ///< as it was written

    [[nodiscard]] bool holds(double value) const;
};

/// Metric, one of < <= > >=, and a number, with a unit of time where it is a time, and "%" where it
/// is a ratio. Nothing where it is not that.
[[nodiscard]] std::optional<Goal> parse_goal(std::string_view text, ConditionMistake& mistake);

/// An option that may meet a goal. Values are means over its seeds, absent where no run has one.
struct GoalCandidate {
    std::string name;
    std::optional<double> value; ///< of the goal's metric
    std::optional<double> rank;  ///< of the metric that says which is the best
    bool has_unfinished{};       ///< jobs, in some run
};

/// The best candidate that meets the goal, and the next better-ranked one, which misses it. by: the
/// metric that orders `ranked`, the best first.
[[nodiscard]] Facts
goal_section(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked);

}} // namespace bursar::reports
