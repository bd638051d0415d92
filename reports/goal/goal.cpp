#include "reports/goal/goal.hpp"

#include <fmt/format.h>

namespace bursar { inline namespace reports {

bool Goal::holds(double value) const {
    if (value == limit)
        return !is_strict;
    return is_upper ? value < limit : value > limit;
}

std::optional<Goal> parse_goal(std::string_view text, ConditionMistake& mistake) {
    const auto condition = parse_condition(text, "wait.p99 < 1 h", mistake);
    if (!condition)
        return std::nullopt;
    const ScalarKind kind = condition->metric->kind;
    const auto factor = unit_factor(condition->unit, kind);
    if (!condition->number || !factor) {
        mistake.why = fmt::format("\"{}\" is not a number{}",
                                  condition->amount,
                                  kind == ScalarKind::seconds ? " with a unit of time, such as 1 h"
                                                              : " of the metric's unit");
        return std::nullopt;
    }
    return Goal{condition->metric,
                condition->is_less,
                condition->is_strict,
                *condition->number * *factor,
                condition->text};
}

}} // namespace bursar::reports
