#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/goal/condition.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// A limit that runs must keep: "wait.p99 < 1 h", or "wait.p99 < 1 h in 0.95".
struct Goal {
    const ScalarRow* metric{};
    bool is_upper{};    ///< below or at the limit; else above or at it
    bool is_strict{};   ///< the limit itself does not do
    double limit{};     ///< in the unit of files
    std::string text{}; ///< as it was written
    double share{0.9};  ///< of the seeds, in which the limit must be kept: above 0, at most 1
    bool gives_share{}; ///< the text has the share

    [[nodiscard]] bool holds(double value) const;
    /// Whether it is kept in `kept` of `seeds` seeds.
    [[nodiscard]] bool is_met(std::size_t kept, std::size_t seeds) const;
};

/// Metric, one of < <= > >=, and a number, with a unit of time where it is a time, and "%" where it
/// is a ratio; perhaps "in" and a share of the seeds. Nothing where it is not that.
[[nodiscard]] std::optional<Goal> parse_goal(std::string_view text, ConditionMistake& mistake);

/// Unfinished jobs of an option, and its measured ones: means over the seeds.
struct UnfinishedJobs {
    double unfinished{};
    double measured{}; ///< 0: not known
};

/// Whether each option leaves work undone: the share of its jobs that are unfinished exceeds that
/// of the option with the least by more than a hundredth. Its cost is then for less work.
[[nodiscard]] std::vector<bool> leave_work_undone(std::span<const UnfinishedJobs> options);

/// "902 of 2,999 jobs unfinished".
[[nodiscard]] std::string unfinished_text(const UnfinishedJobs& jobs);

/// An option that may meet a goal.
struct GoalCandidate {
    std::string name;
    std::vector<std::uint64_t> seeds;           ///< of its runs; empty: one run, no seed matters
    std::vector<std::optional<double>> by_seed; ///< of the goal's metric; absent: it is not kept
    std::optional<double> rank; ///< of the metric that says which is the best: a mean
    UnfinishedJobs jobs{};
    std::vector<std::pair<std::string, std::string>> settings{}; ///< what is varied, and its value
};

/// The answer to a goal.
struct GoalAnswer {
    Facts section;
    std::string sentence; ///< the same in one sentence
    bool is_met{};
    std::size_t met{}; ///< if it is met: place of the answer among the candidates
};

/// Sizes of the values of an axis, of ranges their upper ends. Empty if they have no order: not all
/// are numbers of one unit, or times, or all are equal.
[[nodiscard]] std::vector<double> axis_sizes(std::span<const std::string_view> values);

/// The best candidate that meets the goal and leaves no work undone: in how many seeds it keeps the
/// limit, and which ones break it; whether it stands at the end of an axis of numbers; its
/// neighbours on such axes, and the next better-ranked candidate, as far as they miss the goal.
/// by: the metric that orders `ranked`, the best first.
[[nodiscard]] GoalAnswer
goal_answer(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked);

/// The last steps of paths that tell them apart: "nodes" of "fleet.owned.nodes", or "owned.nodes"
/// where another path has nodes, too.
[[nodiscard]] std::vector<std::string> short_paths(const std::vector<std::string>& paths);

}} // namespace bursar::reports
