#include "reports/sweep/sweep_points.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "reports/repeats/mean_difference.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

RepeatedScalar over_values(const ScalarRow& metric, std::span<const double> values) {
    RepeatedScalar stats = over_runs(metric.name, values);
    return &metric == &common_end_cost() ? without_interval(std::move(stats)) : stats;
}

OverSeeds over_seeds(std::span<const SweepRow* const> rows, const ScalarRow& metric) {
    std::vector<double> values;
    for (const SweepRow* row : rows) {
        if (const auto value = value_of(*row, metric)) {
            values.push_back(*value);
        } else if (&metric == &common_end_cost() && row->has_result()) {
            values.clear(); // not known for all seeds: a mean would be over runs that end last
            break;
        }
    }
    OverSeeds out{over_values(metric, values), {}, {}, {}};
    if (values.empty())
        return out;
    std::ranges::sort(values);
    out.p10 = quantile(values, 0.1);
    out.p50 = quantile(values, 0.5);
    out.p90 = quantile(values, 0.9);
    return out;
}

} // namespace

std::optional<double> value_of(const SweepRow& row, const ScalarRow& metric) {
    if (&metric == &common_end_cost())
        return row.to_common_end;
    return row.scalars[static_cast<std::size_t>(&metric - scalar_table().data())];
}

CommonEnds common_ends(const SweepTable& table) {
    CommonEnds ends;
    for (const SweepRow& row : table.rows)
        ends.add(row.seed, row.ending);
    return ends;
}

bool add_common_ends(SweepTable& table) {
    const ScalarRow& total = *find_scalar("cost.total");
    const CommonEnds ends = common_ends(table);
    bool differs = false;
    for (SweepRow& row : table.rows) {
        if (!row.has_result())
            continue;
        const std::optional<double> own = value_of(row, total);
        row.to_common_end = ends.cost_to(row.seed, row.ending, own);
        differs = differs || row.to_common_end != own;
    }
    return differs;
}

double quantile(std::span<const double> sorted, double q) {
    assert(!sorted.empty());
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

std::vector<SweepPoint> points_of(const SweepTable& table,
                                  std::span<const ScalarRow* const> metrics) {
    std::vector<SweepPoint> points;
    for (const SweepRow& row : table.rows) {
        if (points.empty() || points.back().scenario != row.scenario)
            points.push_back({row.scenario, row.values, {}, {}});
        points.back().rows.push_back(&row);
    }
    for (SweepPoint& point : points) {
        const bool all_ran =
            std::ranges::all_of(point.rows, [](const SweepRow* row) { return row->has_result(); });
        for (const ScalarRow* metric : metrics)
            if (all_ran)
                point.metrics.push_back(over_seeds(point.rows, *metric));
    }
    return points;
}

RepeatedScalar
paired_difference(const SweepPoint& point, const SweepPoint& base, const ScalarRow& metric) {
    std::vector<std::optional<double>> before;
    std::vector<std::optional<double>> values;
    for (const SweepRow* row : point.rows) {
        const auto same = std::ranges::find(base.rows, row->seed, &SweepRow::seed);
        if (same == base.rows.end())
            continue;
        values.push_back(value_of(*row, metric));
        before.push_back(value_of(**same, metric));
    }
    const ScalarPairs pairs = pairs_of(before, values);
    RepeatedScalar out = over_values(metric, pairs.difference);
    if (out.ci_low) {
        const MeanDifference difference = paired_difference(pairs, seed_values(metric));
        out.ci_low = difference.ci_low;
        out.ci_high = difference.ci_high;
    }
    return out;
}

}} // namespace bursar::reports
