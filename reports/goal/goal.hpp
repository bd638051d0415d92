#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/goal/condition.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// What is demanded of a run: "wait.p99 < 1 h".
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

}} // namespace bursar::reports
