#include "reports/diff/fail_if.hpp"

#include <array>
#include <charconv>
#include <cmath>
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

/// A change with its sign and unit: a limit in millionths. Of a ratio a plain number is none: who
/// writes -1 means a point, and no ratio falls by 100 of them.
bool parse_change(std::string_view text, FailIf& condition) {
    const bool is_negative = text.starts_with('-');
    const bool has_sign = is_negative || text.starts_with('+');
    text.remove_prefix(has_sign ? 1 : 0);
    if (text.empty() || text.front() < '0' || text.front() > '9')
        return false;
    const char* last = text.data() + text.size();
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), last, value, std::chars_format::fixed); // not 0x5, nor 1e3
    if (error != std::errc{} || (!has_sign && value != 0))
        return false;
    const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    const ScalarKind kind = condition.metric->kind;
    condition.is_relative = unit == "%";
    std::optional<double> factor = 1.0;
    if (kind == ScalarKind::ratio && !condition.is_relative)
        factor = unit == "pp" ? std::optional{0.01} : std::nullopt;
    else if (!condition.is_relative)
        factor = unit_factor(unit, kind);
    if (!factor || value * *factor > max_limit)
        return false;
    const double size = std::round(value * *factor * 1e6);
    condition.limit = static_cast<int128>(is_negative ? -size : size);
    return true;
}

std::string no_change(std::string_view text, ScalarKind kind) {
    if (kind == ScalarKind::ratio)
        return fmt::format("\"{}\" is no change of a ratio: give it a sign, and pp (percentage "
                           "points) or %, such as -1 pp",
                           text);
    return fmt::format("\"{}\" is no change: give it a sign, and per cent or the metric's unit, "
                       "such as +5 %{}",
                       text,
                       kind == ScalarKind::seconds ? " or +10 min" : "");
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
        mistake.why = no_change(change, condition.metric->kind);
        return std::nullopt;
    }
    condition.text = trimmed(text);
    return condition;
}

FailIfAnswer answer_of(const FailIf& condition, const ResultDiff& diff) {
    const ScalarRow& metric = *condition.metric;
    const DiffMetric& compared = metric_of(diff, metric.name);
    const DiffFigure& figure = compared.figure;
    const FigureTexts texts = texts_of(figure, metric.kind);
    FailIfAnswer answer{condition.text,
                        true,
                        fmt::format("{}: {} to {}, {}{}",
                                    metric.name,
                                    texts.base,
                                    texts.fresh,
                                    texts.delta,
                                    texts.percent == "-" ? "" : " (" + texts.percent + ")")};
    if (const std::string interval = interval_text(compared); interval != "-")
        answer.reason += fmt::format(", 95 % interval {}", interval);
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
