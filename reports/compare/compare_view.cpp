#include "reports/compare/compare_view.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

/// A main scalar with its place among the scalars of the variants.
struct Column {
    MainScalar metric;
    ScalarKind kind;
    std::size_t scalar;
};

/// One value per variant.
std::vector<RepeatedScalar> values_of(const Comparison& comparison, std::size_t scalar) {
    std::vector<RepeatedScalar> values;
    for (const ComparedVariant& variant : comparison.variants)
        values.push_back(variant.values.scalars[scalar]);
    return values;
}

bool same_values(const std::vector<RepeatedScalar>& a, const std::vector<RepeatedScalar>& b) {
    return std::ranges::equal(a, b, [](const RepeatedScalar& x, const RepeatedScalar& y) {
        return x.n == y.n && x.mean == y.mean;
    });
}

std::string value_text(const RepeatedScalar& value, ScalarKind kind) {
    return value.n == 0 ? "-" : scalar_text(value.mean, kind);
}

std::string relative_text(double relative) {
    const std::string text = fmt::format("{:+.1f} %", 100 * relative);
    return text.substr(1) == "0.0 %" ? "0.0 %" : text;
}

/// The verdict on a scalar of a variant in the figures shown: where they do not differ, it is equal
/// to the base, whatever lies behind them.
Verdict
shown_verdict(const Comparison& comparison, const ComparedVariant& variant, const Column& column) {
    if (variant.differences.empty())
        return Verdict::unknown;
    const Difference& difference = variant.differences[column.scalar];
    if (difference.verdict == Verdict::unknown || difference.verdict == Verdict::withheld ||
        !difference.relative)
        return difference.verdict;
    const auto shown = [&](const ComparedVariant& one) {
        return value_text(one.values.scalars[column.scalar], column.kind);
    };
    const bool differs = shown(variant) != shown(comparison.variants.front()) ||
                         relative_text(*difference.relative) != relative_text(0);
    return differs || difference.verdict == Verdict::no_clear_difference ? difference.verdict
                                                                         : Verdict::equal;
}

bool is_equal_for_all(const Comparison& comparison, const Column& column) {
    const std::vector<RepeatedScalar> values = values_of(comparison, column.scalar);
    return std::ranges::all_of(comparison.variants, [&](const ComparedVariant& variant) {
        const RepeatedScalar& value = variant.values.scalars[column.scalar];
        return (value.n == values.front().n && value.mean == values.front().mean &&
                value.min == values.front().min && value.max == values.front().max) ||
               shown_verdict(comparison, variant, column) == Verdict::equal;
    });
}

/// The metrics with something to tell apart; the rest go to `view.equal`. A metric that says what
/// another does for every variant (time queued where nobody is preempted) is left out.
std::vector<Column> columns_of(const Comparison& comparison, CompareView& view) {
    const std::vector<RepeatedScalar>& scalars = comparison.variants.front().values.scalars;
    std::vector<Column> columns;
    const bool all_finished = std::ranges::all_of(
        comparison.variants, [](const auto& variant) { return all_jobs_finished(variant.values); });
    for (const MainScalar& metric : main_scalars) {
        if (metric.is_bound && all_finished)
            continue;
        const auto found = std::ranges::find(scalars, metric.name, &RepeatedScalar::name);
        if (found == scalars.end())
            continue;
        const auto scalar = static_cast<std::size_t>(found - scalars.begin());
        const std::vector<RepeatedScalar> values = values_of(comparison, scalar);
        if (std::ranges::all_of(values, [](const RepeatedScalar& one) { return one.n == 0; }))
            continue;
        const auto is_zero = [](const RepeatedScalar& one) { return one.min == 0 && one.max == 0; };
        if (metric.is_rare && std::ranges::all_of(values, is_zero))
            continue;
        const bool repeats_another =
            !metric.is_rare && std::ranges::any_of(columns, [&](const Column& other) {
                return same_values(values_of(comparison, other.scalar), values);
            });
        const Column column{metric, find_scalar(metric.name)->kind, scalar};
        if (is_equal_for_all(comparison, column))
            view.equal += fmt::format("{}{}: {}",
                                      view.equal.empty() ? "" : "; ",
                                      metric.title,
                                      scalar_text(found->mean, column.kind));
        else if (!repeats_another)
            columns.push_back(column);
    }
    return columns;
}

std::string_view short_name(Verdict verdict) {
    return verdict == Verdict::no_clear_difference ? "not clear" : name(verdict);
}

std::string mark(Verdict verdict) {
    switch (verdict) {
    case Verdict::better:
        return " +";
    case Verdict::worse:
        return " -";
    case Verdict::withheld:
        return " ?";
    default:
        return "  ";
    }
}

ViewTable overview_of(const Comparison& comparison, const std::vector<Column>& columns) {
    ViewTable table;
    table.header.emplace_back();
    table.titles.emplace_back();
    for (const Column& column : columns) { // the header over the figures, not over their marks
        table.header.push_back(fmt::format("{}  \n{}  ", column.metric.above, column.metric.below));
        table.titles.emplace_back(column.metric.title);
    }
    for (const ComparedVariant& variant : comparison.variants) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(variant.label);
        for (const Column& column : columns)
            row.push_back(value_text(variant.values.scalars[column.scalar], column.kind) +
                          mark(shown_verdict(comparison, variant, column)));
    }
    return table;
}

std::string interval_text(const Difference& difference, ScalarKind kind) {
    if (!difference.ci_low || !difference.ci_high)
        return "-";
    return fmt::format("{} .. {}",
                       difference_text(*difference.ci_low, kind),
                       difference_text(*difference.ci_high, kind));
}

ViewTable against_base(const Comparison& comparison,
                       const ComparedVariant& variant,
                       const std::vector<Column>& columns) {
    const ComparedVariant& base = comparison.variants.front();
    const bool intervals = comparison.num_runs() > 1;
    ViewTable table;
    table.title = fmt::format("{}  (base: {})", variant.label, base.label);
    table.header = {"", "base", "variant", "difference", "relative"};
    table.may_go = {1, 2, 4}; // the overview has the values
    if (intervals)
        table.header.emplace_back("95 % interval");
    table.header.emplace_back();
    table.titles = table.header;
    table.ends_in_words = true;
    for (const Column& column : columns) {
        const ScalarKind kind = column.kind;
        const Difference& difference = variant.differences[column.scalar];
        const bool known = difference.pairs > 0;
        std::vector<std::string>& row = table.rows.emplace_back();
        row = {std::string{column.metric.title},
               value_text(base.values.scalars[column.scalar], kind),
               value_text(variant.values.scalars[column.scalar], kind),
               known ? difference_text(difference.mean, kind) : "-",
               difference.relative ? relative_text(*difference.relative) : ""};
        if (intervals)
            row.push_back(interval_text(difference, kind));
        row.emplace_back(short_name(shown_verdict(comparison, variant, column)));
    }
    return table;
}

/// The variants for which that does not hold.
std::vector<std::string> without(const Comparison& comparison, bool ComparedVariant::*same) {
    std::vector<std::string> labels;
    for (const ComparedVariant& variant : comparison.variants)
        if (!(variant.*same))
            labels.push_back(variant.label);
    return labels;
}

std::string end_note(const Comparison& comparison) {
    const std::string end = span_text(comparison.end);
    if (comparison.gives_back && !comparison.keeps)
        return fmt::format("all runs end at {}, when the last job of any run ends; on-demand and "
                           "spot capacity is paid for until the last job of its own run",
                           end);
    if (comparison.gives_back)
        return fmt::format("owned and reserved capacity is paid for until {}, when the last job of "
                           "any run ends; on-demand and spot until the last job of its own run",
                           end);
    if (!comparison.one_end && comparison.one_end_a_seed)
        return fmt::format("all runs of a seed end at one time, the last at {}, `until` of the "
                           "scenario; capacity is paid for until then",
                           end);
    if (!comparison.one_end)
        return fmt::format("runs end at their own `until`, the last at {}; capacity is paid for "
                           "until then, and verdicts on costs and GPU-hours are withheld (?)",
                           end);
    return fmt::format("all runs end at {}, {}; capacity is paid for until then",
                       end,
                       comparison.ends_by_scenario ? "`until` of the scenario"
                                                   : "when the last job of any run ends");
}

std::vector<std::string> notes_on(const Comparison& comparison) {
    std::vector<std::string> notes;
    const std::uint64_t runs = comparison.num_runs();
    if (!comparison.random)
        notes.emplace_back(
            caveats_of(comparison, &Caveats::uncertain).empty()
                ? "nothing is random: one run per variant, and every difference is exact"
                : "nothing is random: one run per variant; differences are exact for the modelled "
                  "run times, whose own errors stand under `uncertain`");
    else if (runs == 1)
        notes.push_back(fmt::format("1 seed ({}): no intervals, so no difference is clear; "
                                    "--seeds adds runs",
                                    comparison.first_seed));
    else
        notes.push_back(fmt::format("{} seeds ({} to {}), the same for every variant: means over "
                                    "the seeds, differences paired by seed",
                                    runs,
                                    comparison.first_seed,
                                    comparison.first_seed + runs - 1));
    for (const std::string& assumed : caveats_of(comparison, &Caveats::decisive))
        notes.push_back("assumed: " + assumed);
    notes.push_back(end_note(comparison));
    if (const auto labels = without(comparison, &ComparedVariant::same_finished); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on waits, JCT, slowdown and makespan are withheld (?) "
                        "for {}: other jobs finished than for the base; \"at least\" "
                        "counts the unfinished ones as well",
                        fmt::join(labels, "; ")));
    if (const auto labels = without(comparison, &ComparedVariant::same_hours); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on GPU-hours, shares of them and dollars per GPU-hour "
                        "are withheld (?) for {}: an hour of its GPUs does not do what "
                        "one of the base's does",
                        fmt::join(labels, "; ")));
    return notes;
}

std::vector<std::string> caveat_lines(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const std::string& warning : caveats_of(comparison, &Caveats::warnings))
        lines.push_back("warning: " + warning);
    for (const std::string& sentence : caveats_of(comparison, &Caveats::uncertain))
        lines.push_back("uncertain: " + sentence);
    const auto add = [&](const char* word, std::vector<std::string> Caveats::*kind) {
        const std::vector<std::string> caveats = caveats_of(comparison, kind);
        if (!caveats.empty())
            lines.push_back(fmt::format("{}: {}", word, fmt::join(caveats, "; ")));
    };
    add("assumed", &Caveats::assumed);
    add("not modelled", &Caveats::unmodelled);
    return lines;
}

} // namespace

CompareView view_of(const Comparison& comparison) {
    CompareView view;
    view.title = comparison.scenario_name;
    view.notes = notes_on(comparison);
    view.caveats = caveat_lines(comparison);
    const std::vector<Column> columns = columns_of(comparison, view);
    if (columns.empty())
        return view;
    view.overview = overview_of(comparison, columns);
    const bool marked = !comparison.random || comparison.num_runs() > 1;
    view.legend = fmt::format("{}{}base: {}",
                              marked ? "+ better, - worse than the base, where clear; " : "",
                              without(comparison, &ComparedVariant::same_finished).empty() &&
                                      without(comparison, &ComparedVariant::same_hours).empty()
                                  ? ""
                                  : "? withheld; ",
                              comparison.variants.front().label);
    for (std::size_t i = 1; i < comparison.variants.size(); ++i)
        view.against.push_back(against_base(comparison, comparison.variants[i], columns));
    return view;
}

} // namespace bursar::inline reports
