#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/charts/point_chart.hpp"
#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/metric_scale.hpp"
#include "reports/html/page.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_variants = 40; ///< of one chart
constexpr double small_width = 264;       ///< of a small multiple: four fit in a row

/// "total cost" of "total cost, USD".
std::string short_title(const CompareColumn& column) {
    return column.title.substr(0, column.title.find(','));
}

std::string_view verdict_colour(Verdict verdict) {
    if (verdict == Verdict::better)
        return "better";
    return verdict == Verdict::worse ? "worse" : "unclear";
}

std::string
difference_and_verdict(const Difference& difference, Verdict verdict, const CompareColumn& column) {
    std::string text =
        difference.pairs > 0 ? difference_text(difference.mean, column.kind) : std::string{"-"};
    if (verdict == Verdict::better || verdict == Verdict::worse)
        text += fmt::format(", {}", name(verdict));
    else if (verdict == Verdict::no_clear_difference)
        text += ", not clear";
    else if (verdict == Verdict::withheld)
        text += ", withheld";
    return text;
}

/// The variants but the base that a chart shows.
std::span<const ComparedVariant> shown_variants(const Comparison& comparison) {
    return std::span{comparison.variants}.subspan(1).first(
        std::min(comparison.variants.size() - 1, most_variants));
}

/// The range of a metric's differences, 0 in it.
struct DifferenceRange {
    double min{}, max{};

    void add(double value) {
        min = std::min(min, value);
        max = std::max(max, value);
    }
};

DifferenceRange range_of(const Comparison& comparison, std::size_t scalar) {
    DifferenceRange range;
    for (const ComparedVariant& variant : shown_variants(comparison)) {
        const Difference& difference = variant.differences[scalar];
        if (difference.pairs == 0)
            continue;
        range.add(difference.mean);
        range.add(difference.ci_low.value_or(0));
        range.add(difference.ci_high.value_or(0));
    }
    return range;
}

/// "clearly better", "equal": a verdict in a sentence.
std::string words(Verdict verdict) {
    if (verdict == Verdict::unknown)
        return "without a verdict";
    const bool is_clear = verdict == Verdict::better || verdict == Verdict::worse ||
                          verdict == Verdict::lower || verdict == Verdict::higher;
    return fmt::format("{}{}", is_clear ? "clearly " : "", name(verdict));
}

std::string verdicts_sentence(const Comparison& comparison, const CompareColumn& column) {
    std::array<std::size_t, num_verdicts> count{};
    for (std::size_t i = 1; i < comparison.variants.size(); ++i)
        ++count[static_cast<std::size_t>(
            shown_verdict(comparison, comparison.variants[i], column))];
    const auto of = [&](Verdict verdict) { return count[static_cast<std::size_t>(verdict)]; };
    const std::size_t others = comparison.variants.size() - 1;
    if (of(Verdict::unknown) == others)
        return comparison.random && comparison.num_runs() == 1 ? "One seed: no verdict on others."
                                                               : "No verdict on others.";
    if (of(Verdict::unknown) + of(Verdict::withheld) == others)
        return "No verdict on others: they finished other jobs, or count hours of other GPUs.";
    if (others == 1)
        return fmt::format("{}: {}.",
                           comparison.variants[1].label,
                           words(shown_verdict(comparison, comparison.variants[1], column)));
    std::vector<std::string> parts; // every verdict that occurs
    for (std::size_t i = 0; i < num_verdicts; ++i)
        if (count[i] > 0)
            parts.push_back(fmt::format("{} {}", count[i], words(static_cast<Verdict>(i))));
    return fmt::format("{} other variants: {}.", others, fmt::join(parts, ", "));
}

std::string better_sentence(const Comparison& comparison, const CompareColumn& column) {
    const ComparedVariant& base = comparison.variants.front();
    return fmt::format("{}: {}. {}",
                       base.label,
                       value_text(base.values.scalars[column.scalar], column.kind),
                       verdicts_sentence(comparison, column));
}

/// Whether some variant differs from the base as far as one can tell.
bool differs(const Comparison& comparison, const CompareColumn& column) {
    const DifferenceRange range = range_of(comparison, column.scalar);
    return range.min < range.max &&
           std::ranges::any_of(shown_variants(comparison), [&](const ComparedVariant& variant) {
               const Verdict verdict = shown_verdict(comparison, variant, column);
               return verdict != Verdict::equal && verdict != Verdict::no_clear_difference;
           });
}

/// The limit of a goal for this metric.
std::optional<double> limit_for(const Comparison& comparison,
                                const CompareQuestion& question,
                                const CompareColumn& column) {
    const RepeatedScalar& base = comparison.variants.front().values.scalars[column.scalar];
    if (!question.goal || question.goal->metric->name != base.name)
        return std::nullopt;
    return question.goal->limit;
}

Figure difference_figure(const Comparison& comparison,
                         const CompareQuestion& question,
                         const CompareColumn& column) {
    DifferenceRange range = range_of(comparison, column.scalar);
    const RepeatedScalar& base = comparison.variants.front().values.scalars[column.scalar];
    const std::optional<double> limit = limit_for(comparison, question, column);
    const double goal = limit.value_or(0) - base.mean;
    const bool shows_goal = limit && is_near(goal, std::max(-range.min, range.max));
    if (shows_goal)
        range.add(goal);
    const MetricScale scale =
        metric_scale(column.kind, std::max(std::abs(range.min), std::abs(range.max)));
    Figure figure{{fmt::format("difference-{}", column.scalar),
                   fmt::format("Change of {}", short_title(column)),
                   better_sentence(comparison, column)},
                  {{{"variant", Align::left},
                    {"value"},
                    {"difference"},
                    {std::string{interval_title(comparison.num_runs())}}},
                   {}}};
    const std::string unit = column.kind == ScalarKind::ratio ? "percentage points" : scale.unit;
    IntervalChart chart{figure.title,
                        linear_axis(unit, range.min / scale.divisor, range.max / scale.divisor, 3),
                        {},
                        small_width};
    if (shows_goal) {
        chart.guide = {goal / scale.divisor, question.goal->text};
        figure.notes.push_back(fmt::format("Dashed line: the goal, {}.", question.goal->text));
    }
    bool any_decided_by_few = false;
    for (const ComparedVariant& variant : shown_variants(comparison)) {
        const Difference& difference = variant.differences[column.scalar];
        const Verdict verdict = shown_verdict(comparison, variant, column);
        const bool is_known = difference.pairs > 0;
        const bool has_interval = is_known && difference.ci_low && difference.ci_high;
        ChartInterval row{variant.label,
                          difference_and_verdict(difference, verdict, column),
                          std::string{verdict_colour(verdict)},
                          is_known ? difference.mean / scale.divisor : 0,
                          {},
                          {}};
        std::string interval = "-";
        if (has_interval) {
            row.low = *difference.ci_low / scale.divisor;
            row.high = *difference.ci_high / scale.divisor;
            interval = interval_text(difference.ci_low, difference.ci_high, column.kind) +
                       deciding_seeds_mark(difference.deciding);
            any_decided_by_few = any_decided_by_few || difference.deciding > 0;
        }
        chart.rows.push_back(row);
        figure.table.rows.push_back(
            {{variant.label,
              value_text(variant.values.scalars[column.scalar], column.kind),
              row.value,
              std::move(interval)},
             RowKind::plain});
    }
    if (any_decided_by_few)
        figure.notes.push_back(fmt::format("{}.", deciding_seeds_note));
    return drawn(std::move(figure), std::move(chart));
}

const CompareColumn* find_column(const std::vector<CompareColumn>& columns,
                                 const Comparison& comparison,
                                 std::initializer_list<std::string_view> names) {
    const std::vector<RepeatedScalar>& scalars = comparison.variants.front().values.scalars;
    for (const std::string_view name : names)
        for (const CompareColumn& column : columns)
            if (scalars[column.scalar].name == name)
                return &column;
    return nullptr;
}

/// The two metrics of the first chart: cost, and that of the goal or waiting; or else the first
/// two.
struct Trade {
    const CompareColumn* cost{};
    const CompareColumn* wait{};
};

std::optional<Trade> trade_of(const Comparison& comparison,
                              const CompareQuestion& question,
                              const std::vector<CompareColumn>& columns) {
    const CompareColumn* goal = nullptr;
    if (question.goal)
        goal = find_column(columns, comparison, {question.goal->metric->name});
    const CompareColumn* cost = find_column(
        columns,
        comparison,
        {ranked_cost(comparison, question).name, "cost.total", "cost.per_productive_gpu_hour"});
    const CompareColumn* wait = find_column(columns,
                                            comparison,
                                            {"metrics.wait_at_least_s.mean",
                                             "metrics.wait_s.mean",
                                             "metrics.jct_at_least_s.mean",
                                             "metrics.jct_s.mean"});
    if (goal != nullptr && goal != cost)
        wait = goal;
    if (cost != nullptr && wait != nullptr)
        return Trade{cost, wait};
    if (columns.size() < 2)
        return std::nullopt;
    return Trade{&columns[0], &columns[1]};
}

/// "Least total cost: fifo.", with all variants of which the same is shown, but for those that
/// leave work undone.
std::string least_sentence(const Comparison& comparison, const CompareColumn& column) {
    const auto value = [&](const ComparedVariant& variant) {
        return variant.values.scalars[column.scalar];
    };
    const ComparedVariant* least = nullptr;
    const std::vector<bool> undone = leave_work_undone(comparison);
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        const ComparedVariant& variant = comparison.variants[i];
        if (!undone[i] && value(variant).n > 0 &&
            (least == nullptr || value(variant).mean < value(*least).mean))
            least = &variant;
    }
    if (least == nullptr)
        return {};
    constexpr std::size_t most_labels = 3;
    const std::string shown = value_text(value(*least), column.kind);
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < comparison.variants.size(); ++i)
        if (!undone[i] && value_text(value(comparison.variants[i]), column.kind) == shown)
            labels.push_back(comparison.variants[i].label);
    return labels.size() > most_labels
               ? fmt::format("Least {}: {} of {} variants.",
                             short_title(column),
                             labels.size(),
                             comparison.variants.size())
               : fmt::format("Least {}: {}.", short_title(column), fmt::join(labels, ", "));
}

std::optional<Figure>
trade_figure(const Comparison& comparison, const CompareQuestion& question, const Trade& trade) {
    const auto& [cost, wait] = trade;
    Figure figure{{"trade",
                   fmt::format("What does each variant give: {} and {}?",
                               short_title(*cost),
                               short_title(*wait)),
                   fmt::format("{} {} Lower and further left is less of both.",
                               least_sentence(comparison, *cost),
                               least_sentence(comparison, *wait))},
                  {{{"variant", Align::left}, {cost->title}, {wait->title}}, {}}};
    std::array<double, 2> most{};
    for (const ComparedVariant& variant : comparison.variants)
        for (std::size_t i = 0; i < 2; ++i)
            most[i] = std::max(
                most[i], std::abs(variant.values.scalars[(i == 0 ? cost : wait)->scalar].mean));
    std::array<std::optional<double>, 2> goal{limit_for(comparison, question, *cost),
                                              limit_for(comparison, question, *wait)};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!goal[i])
            continue;
        if (is_near(*goal[i], most[i])) {
            most[i] = std::max(most[i], std::abs(*goal[i]));
            continue;
        }
        goal[i].reset();
        figure.notes.push_back(
            fmt::format("The goal, {}, is beyond the chart.", question.goal->text));
    }
    const MetricScale across = metric_scale(cost->kind, most[0]);
    const MetricScale up = metric_scale(wait->kind, most[1]);
    ScatterChart chart{figure.title, {}, {}, {{"base", "s5"}, {"variants", "s0"}}, {}, {}};
    double left = 1e300;
    for (const ComparedVariant& variant : comparison.variants) {
        const RepeatedScalar& x = variant.values.scalars[cost->scalar];
        const RepeatedScalar& y = variant.values.scalars[wait->scalar];
        if (x.n == 0 || y.n == 0)
            continue;
        left = std::min(left, x.mean / across.divisor);
        chart.points.push_back({x.mean / across.divisor,
                                y.mean / up.divisor,
                                variant.label,
                                chart.points.empty() ? "s5" : "s0",
                                chart.points.size() < most_named_points});
        figure.table.rows.push_back(
            {{variant.label, value_text(x, cost->kind), value_text(y, wait->kind)},
             RowKind::plain});
    }
    if (chart.points.size() < 2)
        return std::nullopt;
    if (goal[0])
        left = std::min(left, *goal[0] / across.divisor);
    chart.x = close_axis(across.titled(cost->title), left, most[0] / across.divisor, 4);
    chart.y = linear_axis(up.titled(wait->title), 0, most[1] / up.divisor, 5);
    if (goal[0])
        chart.x_guide = {*goal[0] / across.divisor, "goal: " + question.goal->text};
    if (goal[1])
        chart.y_guide = {*goal[1] / up.divisor, "goal: " + question.goal->text};
    return drawn(std::move(figure), std::move(chart));
}

/// Each metric that differs, then the larger charts, which share the columns of a page on paper.
std::vector<FigureSection> sections_of(const Comparison& comparison,
                                       const CompareQuestion& question) {
    const std::vector<CompareColumn> columns = columns_of(comparison, question).shown;
    std::vector<FigureSection> sections;
    FigureSection small{fmt::format("What differs from {}", comparison.variants.front().label), {}};
    small.is_small = true;
    std::vector<std::string> unclear;
    for (const CompareColumn& column : columns)
        if (differs(comparison, column))
            small.figures.push_back(difference_figure(comparison, question, column));
        else
            unclear.push_back(short_title(column));
    if (!unclear.empty())
        small.note = fmt::format("No clear difference: {}.", fmt::join(unclear, ", "));
    if (comparison.variants.size() - 1 > most_variants)
        small.note += fmt::format(
            "{}The first {} variants are shown.", small.note.empty() ? "" : " ", most_variants);
    sections.push_back(std::move(small));
    if (const auto trade = trade_of(comparison, question, columns))
        if (auto figure = trade_figure(comparison, question, *trade))
            sections.push_back({"What each variant gives", {std::move(*figure)}});
    sections.push_back({"Jobs and tenants", job_change_figures(comparison)});
    return sections;
}

} // namespace

void write_compare_html(const Comparison& comparison,
                        const CompareQuestion& question,
                        std::size_t,
                        TextSink& sink) {
    Document document = compare_document(comparison, question, sections_of(comparison, question));
    document.sources.push_back(fmt::format("compared by bursar {}", comparison.version));
    render_html(document, sink);
}

}} // namespace bursar::reports
