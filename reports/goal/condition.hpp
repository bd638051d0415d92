#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// Why a text is no condition.
struct ConditionMistake {
    std::string why;
    std::string unknown; ///< what stands for a metric and is none; empty: something else is wrong
};

/// A metric, a sign of comparison, a number and its unit, as one writes them: "wait.p99 < 1 h",
/// "cost > +5 %". The one way in which options read them.
struct Condition {
    const ScalarRow* metric{};
    bool is_less{};                 ///< "<", else ">"
    bool is_strict{};               ///< without "="
    std::string text{};             ///< all of it
    std::string amount{};           ///< number and unit
    std::optional<double> number{}; ///< a plain decimal; absent: the amount begins with none
    bool has_sign{};                ///< the number has "+" or "-" in front
    std::string unit{};             ///< behind the number; may be empty, or none at all
};

/// What conditions call these metrics, beside their own names.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 2> condition_short_names{
    {{"cost", "cost.total"}, {"goodput", "ratios.goodput"}}};

/// Metrics have their own or their short names (find_metric), or those of condition_short_names.
/// example: what a message shows: "wait.p99 < 1 h". Nothing where the text does
/// not begin with a metric and a sign; whether number and unit will do, the caller says.
[[nodiscard]] std::optional<Condition>
parse_condition(std::string_view text, std::string_view example, ConditionMistake& mistake);

/// What a number in `unit` is to be multiplied by for the unit of files; nothing for a unit that
/// the kind has not.
[[nodiscard]] std::optional<double> unit_factor(std::string_view unit, ScalarKind kind);

}} // namespace bursar::reports
