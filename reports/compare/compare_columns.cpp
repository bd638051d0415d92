#include "reports/compare/compare_columns.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

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

bool is_equal_for_all(const Comparison& comparison, const CompareColumn& column) {
    const std::vector<RepeatedScalar> values = values_of(comparison, column.scalar);
    return std::ranges::all_of(comparison.variants, [&](const ComparedVariant& variant) {
        const RepeatedScalar& value = variant.values.scalars[column.scalar];
        return (value.n == values.front().n && value.mean == values.front().mean &&
                value.min == values.front().min && value.max == values.front().max) ||
               shown_verdict(comparison, variant, column) == Verdict::equal;
    });
}

bool all_finished(const Comparison& comparison) {
    return std::ranges::all_of(comparison.variants, [](const ComparedVariant& variant) {
        return all_jobs_finished(variant.values);
    });
}

std::optional<std::size_t> place_of(const Comparison& comparison, std::string_view name) {
    const std::vector<RepeatedScalar>& scalars = comparison.variants.front().values.scalars;
    const auto found = std::ranges::find(scalars, name, &RepeatedScalar::name);
    if (found == scalars.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - scalars.begin());
}

CompareColumn column_of(const MainScalar& metric, std::size_t scalar) {
    return {std::string{metric.title},
            std::string{metric.above},
            std::string{metric.below},
            find_scalar(metric.name)->kind,
            scalar};
}

/// The unit that figures for people come without; empty: they say it, or the name does.
std::string_view unsaid_unit(const ScalarRow& metric) {
    const bool is_said =
        metric.kind == ScalarKind::seconds || metric.name.starts_with("gpu_hours.");
    return is_said ? std::string_view{} : unit_of(metric.kind);
}

CompareColumn column_of(const ScalarRow& metric, std::size_t scalar) {
    if (&metric == &common_end_cost())
        return {"cost to the common end, USD", "USD to the", "common end", metric.kind, scalar};
    const auto* const main = std::ranges::find(main_scalars, metric.name, &MainScalar::name);
    if (main != main_scalars.end())
        return column_of(*main, scalar);
    const std::string name = metric_name(metric);
    const std::string_view unit = unsaid_unit(metric);
    const std::string title = unit.empty() ? name : fmt::format("{}, {}", name, unit);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos)
        return {title, "", title, metric.kind, scalar};
    return {title, name.substr(0, dot), title.substr(dot + 1), metric.kind, scalar};
}

/// Adds a column, or says that it is equal for all.
void add(const Comparison& comparison, CompareColumn column, CompareColumns& columns) {
    if (!is_equal_for_all(comparison, column)) {
        columns.shown.push_back(std::move(column));
        return;
    }
    const RepeatedScalar& value = comparison.variants.front().values.scalars[column.scalar];
    columns.equal += fmt::format("{}{}: {}",
                                 columns.equal.empty() ? "" : "; ",
                                 column.title,
                                 value_text(value, column.kind));
}

/// Adds the cost to the common end beside `cost.total`: before it where variants are ranked by it.
void add_common_end(const Comparison& comparison,
                    const CompareQuestion& question,
                    CompareColumns& columns) {
    const auto scalar = place_of(comparison, common_end_cost().name);
    const auto total = place_of(comparison, "cost.total");
    const auto beside = std::ranges::find_if(columns.shown, [&](const CompareColumn& column) {
        return total && column.scalar == *total;
    });
    const bool is_total_shown = beside != columns.shown.end();
    if (scalar && (is_total_shown || question.metrics.empty()))
        columns.shown.insert(is_total_shown && !question.common_end ? beside + 1 : beside,
                             column_of(common_end_cost(), *scalar));
}

/// Cost and waits; where jobs are unfinished, waits that count them as well.
CompareColumns brief_columns(const Comparison& comparison) {
    const bool finished = all_finished(comparison);
    CompareColumns columns;
    for (const std::string_view name :
         {"cost.total",
          finished ? "metrics.wait_s.mean" : "metrics.wait_at_least_s.mean",
          finished ? "metrics.wait_s.p99" : "metrics.wait_at_least_s.p99"})
        if (const auto scalar = place_of(comparison, name))
            add(comparison, column_of(*find_scalar(name), *scalar), columns);
    return columns;
}

/// The main metrics that differ between variants; the rest go to `equal`. A metric that equals
/// another for every variant (time queued, where no job is preempted) is left out.
CompareColumns main_columns(const Comparison& comparison) {
    CompareColumns columns;
    const bool finished = all_finished(comparison);
    for (const MainScalar& metric : main_scalars) {
        const auto scalar = place_of(comparison, metric.name);
        if (!scalar || (metric.is_bound && finished))
            continue;
        const std::vector<RepeatedScalar> values = values_of(comparison, *scalar);
        if (std::ranges::all_of(values, [](const RepeatedScalar& one) { return one.n == 0; }))
            continue;
        const auto is_zero = [](const RepeatedScalar& one) { return one.min == 0 && one.max == 0; };
        if (metric.is_rare && std::ranges::all_of(values, is_zero))
            continue;
        const bool repeats_another =
            !metric.is_rare && std::ranges::any_of(columns.shown, [&](const CompareColumn& other) {
                return same_values(values_of(comparison, other.scalar), values);
            });
        CompareColumn column = column_of(metric, *scalar);
        if (!repeats_another || is_equal_for_all(comparison, column))
            add(comparison, std::move(column), columns);
    }
    return columns;
}

bool is_clear(Verdict verdict) {
    return verdict == Verdict::better || verdict == Verdict::worse || verdict == Verdict::lower ||
           verdict == Verdict::higher;
}

/// Corrects for the number of verdicts that the columns show: of true null hypotheses, all are kept
/// with a probability of 95 %, whatever depends on what. Source: Holm 1979, "A simple sequentially
/// rejective multiple test procedure", Scandinavian Journal of Statistics 6(2).
void correct_verdicts(const Comparison& comparison, CompareColumns& columns) {
    std::vector<double> p;
    for (const ComparedVariant& variant : comparison.variants)
        for (const CompareColumn& column : columns.shown)
            if (const Verdict verdict = shown_verdict(comparison, variant, column);
                (is_clear(verdict) || verdict == Verdict::no_clear_difference) &&
                variant.differences[column.scalar].ci_low)
                p.push_back(variant.differences[column.scalar].p);
    columns.verdicts = p.size();
    if (p.empty())
        return;
    std::ranges::sort(p);
    std::size_t num_clear = 0;
    while (num_clear < p.size() && p[num_clear] <= 0.05 / static_cast<double>(p.size() - num_clear))
        ++num_clear;
    for (CompareColumn& column : columns.shown)
        column.max_p = num_clear > 0 ? p[num_clear - 1] : -1;
}

} // namespace

CompareColumns columns_of(const Comparison& comparison, const CompareQuestion& question) {
    CompareColumns columns;
    if (question.metrics.empty())
        columns = question.detail == CompareDetail::brief ? brief_columns(comparison)
                                                          : main_columns(comparison);
    for (const ScalarRow* metric : question.metrics)
        if (const auto scalar = place_of(comparison, metric->name))
            columns.shown.push_back(column_of(*metric, *scalar));
    add_common_end(comparison, question, columns);
    correct_verdicts(comparison, columns);
    return columns;
}

std::vector<std::size_t> scalars_of(const Comparison& comparison, const CompareQuestion& question) {
    std::vector<std::size_t> places;
    for (const ScalarRow* metric : question.metrics)
        if (const auto scalar = place_of(comparison, metric->name)) {
            places.push_back(*scalar);
            const auto to_common_end = place_of(comparison, common_end_cost().name);
            if (metric->name == "cost.total" && to_common_end)
                places.push_back(*to_common_end);
        }
    if (question.metrics.empty()) {
        places.resize(comparison.variants.front().values.scalars.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
    }
    return places;
}

const ScalarRow& ranked_cost(const Comparison& comparison, const CompareQuestion& question) {
    const bool by_common_end =
        question.common_end && place_of(comparison, common_end_cost().name).has_value();
    return by_common_end ? common_end_cost() : *find_scalar("cost.total");
}

UnfinishedJobs unfinished_jobs(const ComparedVariant& variant) {
    UnfinishedJobs jobs;
    for (const RepeatedScalar& scalar : variant.values.scalars) {
        if (scalar.name == "metrics.jobs_censored")
            jobs.unfinished = scalar.mean;
        if (scalar.name == "metrics.jobs_measured")
            jobs.measured = scalar.mean;
    }
    return jobs;
}

std::vector<bool> leave_work_undone(const Comparison& comparison) {
    std::vector<UnfinishedJobs> jobs;
    for (const ComparedVariant& variant : comparison.variants)
        jobs.push_back(unfinished_jobs(variant));
    return leave_work_undone(jobs);
}

bool shows_cost(const CompareQuestion& question) {
    return question.metrics.empty() || question.goal ||
           std::ranges::find(question.metrics, find_scalar("cost.total")) != question.metrics.end();
}

std::vector<std::size_t> rows_of(const Comparison& comparison, const CompareQuestion& question) {
    std::vector<std::size_t> rows(comparison.variants.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto cost = place_of(comparison, common_end_cost().name);
    if (!question.common_end || !cost)
        return rows;
    std::ranges::stable_sort(rows.begin() + 1, rows.end(), {}, [&](std::size_t place) {
        const RepeatedScalar& value = comparison.variants[place].values.scalars[*cost];
        return std::pair{value.n == 0, value.mean}; // not known: last
    });
    return rows;
}

std::string other_cost_ranking(const Comparison& comparison, const CompareQuestion& question) {
    const auto own = place_of(comparison, "cost.total");
    const auto common = place_of(comparison, common_end_cost().name);
    if (!own || !common || !shows_cost(question))
        return {};
    std::vector<CostsToEnds> costs;
    for (const ComparedVariant& variant : comparison.variants) {
        const RepeatedScalar& to_own = variant.values.scalars[*own];
        const RepeatedScalar& to_common = variant.values.scalars[*common];
        if (to_own.n > 0 && to_common.n > 0)
            costs.push_back({variant.label, to_own.mean, to_common.mean});
    }
    return other_ranking(std::move(costs), question.common_end);
}

std::string value_text(const RepeatedScalar& value, ScalarKind kind) {
    return value.n == 0 ? "-" : scalar_text(value.mean, kind);
}

std::string relative_text(double relative) {
    const std::string text = fmt::format("{:+.1f} %", 100 * relative);
    return text.substr(1) == "0.0 %" ? "0.0 %" : text;
}

Verdict shown_verdict(const Comparison& comparison,
                      const ComparedVariant& variant,
                      const CompareColumn& column) {
    if (variant.differences.empty())
        return Verdict::unknown;
    const Difference& difference = variant.differences[column.scalar];
    if (difference.verdict == Verdict::unknown || difference.verdict == Verdict::withheld)
        return difference.verdict;
    const auto shown = [&](const ComparedVariant& one) {
        return value_text(one.values.scalars[column.scalar], column.kind);
    };
    const bool differs = shown(variant) != shown(comparison.variants.front()) ||
                         !difference.relative ||
                         relative_text(*difference.relative) != relative_text(0);
    if (!differs && difference.verdict != Verdict::no_clear_difference)
        return Verdict::equal;
    return is_clear(difference.verdict) && difference.ci_low && difference.p > column.max_p
               ? Verdict::no_clear_difference
               : difference.verdict;
}

}} // namespace bursar::reports
