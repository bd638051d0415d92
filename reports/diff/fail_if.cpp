#include "reports/diff/fail_if.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "reports/diff/diff_text.hpp"
#include "reports/scalars/metric_names.hpp"

namespace bursar::inline reports {
namespace {

constexpr double max_limit = 1e15; ///< of a change in any unit

const ScalarRow* metric_of(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> short_names{
        {{"cost", "cost.total"}, {"goodput", "ratios.goodput"}}};
    for (const auto& [shorter, full] : short_names)
        if (name == shorter)
            return find_scalar(full);
    return find_metric(name);
}

/// A change with its sign and unit: a limit in millionths.
bool parse_change(std::string_view text, FailIf& condition) {
    const std::string number{text};
    const bool has_sign = text.starts_with('+') || text.starts_with('-');
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    const std::string_view unit = trimmed(end);
    if (end == number.c_str() || !std::isfinite(value) || (!has_sign && value != 0))
        return false;
    const ScalarKind kind = condition.metric->kind;
    condition.is_relative = unit == "%";
    std::optional<double> factor = 1.0;
    if (unit == "pp" && kind == ScalarKind::ratio)
        factor = 0.01;
    else if (!condition.is_relative)
        factor = unit_factor(unit, kind);
    if (!factor || std::abs(value * *factor) > max_limit)
        return false;
    condition.limit = static_cast<int128>(std::round(value * *factor * 1e6));
    return true;
}

bool is_beyond(const FailIf& condition, int128 change) {
    if (change == condition.limit)
        return !condition.is_strict;
    return condition.is_above ? change > condition.limit : change < condition.limit;
}

} // namespace

std::optional<FailIf> parse_fail_if(std::string_view text, GoalMistake& mistake) {
    const std::size_t at = text.find_first_of("<>");
    if (at == std::string_view::npos) {
        mistake.why = "expected a metric, < or >, and a change, such as \"cost > +5 %\"";
        return std::nullopt;
    }
    FailIf condition;
    const std::string name{trimmed(text.substr(0, at))};
    condition.metric = metric_of(name);
    if (condition.metric == nullptr) {
        mistake = {fmt::format("\"{}\" is no metric", name), name};
        return std::nullopt;
    }
    condition.is_above = text[at] == '>';
    condition.is_strict = text.substr(at + 1, 1) != "=";
    const std::string_view change = trimmed(text.substr(at + (condition.is_strict ? 1 : 2)));
    if (!parse_change(change, condition)) {
        mistake.why =
            fmt::format("\"{}\" is no change: give it a sign, and per cent or the metric's unit, "
                        "such as +5 %{}",
                        change,
                        condition.metric->kind == ScalarKind::seconds ? " or +10 min" : "");
        return std::nullopt;
    }
    condition.text = trimmed(text);
    return condition;
}

FailIfAnswer answer_of(const FailIf& condition, const ResultDiff& diff) {
    const ScalarRow& metric = *condition.metric;
    const DiffFigure& figure = figure_of(diff, metric.name);
    const FigureTexts texts = texts_of(figure, metric.kind);
    FailIfAnswer answer{condition.text,
                        true,
                        fmt::format("{}: {} to {}, {}{}",
                                    metric.name,
                                    texts.base,
                                    texts.fresh,
                                    texts.delta,
                                    texts.percent == "-" ? "" : " (" + texts.percent + ")")};
    const std::optional<int128> delta = figure.delta();
    if (!delta) {
        answer.reason = fmt::format("{} is not known of both", metric.name);
        return answer;
    }
    const std::optional<int128> change = condition.is_relative ? figure.percent(1'000'000) : delta;
    answer.is_failed = change ? is_beyond(condition, *change) : condition.is_above == (*delta > 0);
    return answer;
}

} // namespace bursar::inline reports
