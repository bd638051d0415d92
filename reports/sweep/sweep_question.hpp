#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/scalars/scalars.hpp"

namespace bursar::inline reports {

/// The scalar that a name means: its own, or the short one without "metrics." and "_s": "wait.p90"
/// of "metrics.wait_s.p90". Null: none.
[[nodiscard]] const ScalarRow* find_metric(std::string_view name);

/// The short name of every scalar.
[[nodiscard]] std::vector<std::string> metric_names();

/// What is demanded of a run: "wait.p99 < 1 h".
struct SweepGoal {
    const ScalarRow* metric{};
    bool is_upper{};    ///< below or at the limit; else above or at it
    bool is_strict{};   ///< the limit itself does not do
    double limit{};     ///< in the unit of files
    std::string text{}; ///< as it was written

    [[nodiscard]] bool holds(double value) const;
};

/// Metric, one of < <= > >=, and a number, with a unit of time where it is a time, and "%" where it
/// is a ratio. Nothing where it is not that; why: what is wrong.
[[nodiscard]] std::optional<SweepGoal> parse_goal(std::string_view text, std::string& why);

/// What is asked of a sweep.
struct SweepQuestion {
    std::vector<const ScalarRow*> metrics; ///< the best are by the first, the front is of the first
                                           ///< two; at least one
    std::size_t best{5};                   ///< how many of the best are shown
    std::optional<SweepGoal> goal{};
};

/// By cost.total, and the 90th percentile of waiting.
[[nodiscard]] SweepQuestion usual_question();

} // namespace bursar::inline reports
