#include "reports/goal/goal.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "reports/scalars/metric_names.hpp"

namespace bursar::inline reports {
std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

std::optional<double> unit_factor(std::string_view unit, ScalarKind kind) {
    static constexpr std::array<std::pair<std::string_view, double>, 6> times{
        {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}}};
    if (kind == ScalarKind::seconds) {
        for (const auto& [name, seconds] : times)
            if (unit == name)
                return seconds;
        return std::nullopt;
    }
    if (kind == ScalarKind::ratio && unit == "%")
        return 0.01;
    const bool is_its_own =
        unit.empty() || unit == unit_of(kind) || (kind == ScalarKind::rate && unit == "USD/gpu-h");
    return is_its_own ? std::optional{1.0} : std::nullopt;
}

bool Goal::holds(double value) const {
    if (value == limit)
        return !is_strict;
    return is_upper ? value < limit : value > limit;
}

std::optional<Goal> parse_goal(std::string_view text, GoalMistake& mistake) {
    const std::size_t at = text.find_first_of("<>");
    if (at == std::string_view::npos) {
        mistake.why = "expected a metric, < or >, and a number, such as \"wait.p99 < 1 h\"";
        return std::nullopt;
    }
    Goal goal;
    const std::string name{trimmed(text.substr(0, at))};
    goal.metric = find_metric(name);
    if (goal.metric == nullptr) {
        mistake = {fmt::format("\"{}\" is no metric", name), name};
        return std::nullopt;
    }
    goal.is_upper = text[at] == '<';
    goal.is_strict = text.substr(at + 1, 1) != "=";
    const std::string number{trimmed(text.substr(at + (goal.is_strict ? 1 : 2)))};
    char* end = nullptr;
    goal.limit = std::strtod(number.c_str(), &end);
    const std::string_view unit = trimmed(end);
    const auto factor = unit_factor(unit, goal.metric->kind);
    if (end == number.c_str() || !std::isfinite(goal.limit) || !factor) {
        mistake.why = fmt::format("\"{}\" is not a number{}",
                                  number,
                                  goal.metric->kind == ScalarKind::seconds
                                      ? " with a unit of time, such as 1 h"
                                      : " of the metric's unit");
        return std::nullopt;
    }
    goal.limit *= *factor;
    goal.text = trimmed(text);
    return goal;
}

} // namespace bursar::inline reports
