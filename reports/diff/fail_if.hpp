#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/diff/result_diff.hpp"
#include "reports/goal/condition.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// A change that must not be: "cost > +5 %".
struct FailIf {
    const ScalarRow* metric{};
    bool is_above{};    ///< more than the limit is wrong; else less than it
    bool is_strict{};   ///< the limit itself is right
    bool is_relative{}; ///< the limit is in per cent of the base
    int128 limit{};     ///< millionths: of a per cent, or of the unit of files
    std::string text{}; ///< as it was written
};

/// Whether it is, and what there is instead.
struct FailIfAnswer {
    std::string text; ///< of the condition
    bool is_failed{};
    std::string reason; ///< "cost.total: 100.00 to 107.30, +7.3 %"
};

/// As parse_condition: a metric, one of < <= > >=, and a change with its sign: in per cent of the
/// base, or in the metric's unit ("+10 min",
/// "-50 USD"); of ratios in "%" or "pp" (percentage points), never bare. Nothing where it is not
/// that.
[[nodiscard]] std::optional<FailIf> parse_fail_if(std::string_view text, ConditionMistake& mistake);

/// Of means over seeds the mean change counts; the reason says its interval, too. A metric that one
/// of the results does not have fails, and so does any that came from 0 where per
/// cent are asked for and it may not grow (or fall).
[[nodiscard]] FailIfAnswer answer_of(const FailIf& condition, const ResultDiff& diff);

}} // namespace bursar::reports
