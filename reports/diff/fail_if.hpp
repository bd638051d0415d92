#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/diff/result_diff.hpp"
#include "reports/goal/condition.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// A change that fails the diff: "cost > +5 %".
struct FailIf {
    const ScalarRow* metric{};
    bool is_above{};    ///< more than the limit is wrong; else less than it
    bool is_strict{};   ///< the limit itself is right
    bool is_relative{}; ///< the limit is in per cent of the base
    int128 limit{};     ///< millionths: of a per cent, or of the unit of files
    std::string text{}; ///< as it was written
};

/// Whether the diff fails, and the change that was found.
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

/// Means over seeds are compared by their mean change; the reason has its interval, too. A metric
/// that one of the results lacks fails. So does a relative condition on a metric whose base is 0.
[[nodiscard]] FailIfAnswer answer_of(const FailIf& condition, const ResultDiff& diff);

}} // namespace bursar::reports
