#include "reports/diff/fail_if.hpp"

#include <cmath>

#include <fmt/format.h>

#include "reports/diff/diff_figure.hpp"
#include "reports/goal/condition.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double max_limit = 1e15; ///< of a change in any unit

/// A change with its sign and unit: a limit in millionths. Of a ratio a plain number is none: who
/// writes -1 means a point, and no ratio falls by 100 of them.
bool read_change(const Condition& written, FailIf& condition) {
    if (!written.number || (!written.has_sign && *written.number != 0))
        return false;
    const ScalarKind kind = condition.metric->kind;
    condition.is_relative = written.unit == "%";
    std::optional<double> factor = 1.0;
    if (kind == ScalarKind::ratio && !condition.is_relative)
        factor = written.unit == "pp" ? std::optional{0.01} : std::nullopt;
    else if (!condition.is_relative)
        factor = unit_factor(written.unit, kind);
    if (!factor || std::abs(*written.number * *factor) > max_limit)
        return false;
    condition.limit = static_cast<int128>(std::round(*written.number * *factor * 1e6));
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

std::optional<FailIf> parse_fail_if(std::string_view text, ConditionMistake& mistake) {
    const auto written = parse_condition(text, "cost > +5 %", mistake);
    if (!written)
        return std::nullopt;
    FailIf condition{.metric = written->metric,
                     .is_above = !written->is_less,
                     .is_strict = written->is_strict,
                     .text = written->text};
    if (!read_change(*written, condition)) {
        mistake.why = no_change(written->amount, condition.metric->kind);
        return std::nullopt;
    }
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
        answer.reason +=
            fmt::format(", {} {}", interval_title(compared.over_seeds->runs), interval);
    const std::optional<int128> delta = figure.delta();
    if (!delta) {
        answer.reason = fmt::format("{} is not known of both", metric.name);
        return answer;
    }
    const std::optional<int128> change = condition.is_relative ? figure.percent(1'000'000) : delta;
    answer.is_failed = change ? is_beyond(condition, *change) : condition.is_above == (*delta > 0);
    return answer;
}

}} // namespace bursar::reports
