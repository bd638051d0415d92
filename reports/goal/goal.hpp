#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/scalars/scalars.hpp"

namespace bursar::inline reports {

/// What is demanded of a run: "wait.p99 < 1 h".
struct Goal {
    const ScalarRow* metric{};
    bool is_upper{};    ///< below or at the limit; else above or at it
    bool is_strict{};   ///< the limit itself does not do
    double limit{};     ///< in the unit of files
    std::string text{}; ///< as it was written

    [[nodiscard]] bool holds(double value) const;
};

/// Why a text is no goal.
struct GoalMistake {
    std::string why;
    std::string unknown; ///< what stands for a metric and is none; empty: something else is wrong
};

/// `text` without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// What a number in `unit` is to be multiplied by for the unit of files; nothing for a unit that
/// the kind has not.
[[nodiscard]] std::optional<double> unit_factor(std::string_view unit, ScalarKind kind);

/// Metric, one of < <= > >=, and a number, with a unit of time where it is a time, and "%" where it
/// is a ratio. Nothing where it is not that.
[[nodiscard]] std::optional<Goal> parse_goal(std::string_view text, GoalMistake& mistake);

} // namespace bursar::inline reports
