#include "reports/scalars/scalars.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/energy.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/printed_units.hpp"

namespace bursar { inline namespace reports {
namespace {

std::optional<double> from_micro(std::optional<int128> micro) {
    return micro ? std::optional{static_cast<double>(*micro) / 1e6} : std::nullopt;
}

/// The total over something; absent where there is none of it.
std::optional<double> cost_per(const PrintedBill& bill, double number) {
    if (number == 0)
        return std::nullopt;
    return static_cast<double>(bill.total_usd) / number;
}

/// Visits all scalars of a result in the order of the table. `take` is called with the value of
/// each and with a function that makes its row, which costs more than most values.
template <class Take>
class ScalarWalk {
  public:
    ScalarWalk(const Result& result, const Take& take) : take_{take} {
        const PrintedBill bill = print_bill(result);
        walk_cost(bill, purchase_usd(result, bill), result.metrics);
        walk_gpu_hours(bill);
        walk_energy(print_energy(result));
        walk_events(events_of(result));
        walk_ratios(ratios(leaf_sums(result)));
        for (const MetricEntry& entry : metric_table())
            std::visit([&](const auto& row) { walk_metric(row, result.metrics); }, entry);
    }

  private:
    void add(std::string_view name,
             ScalarKind kind,
             Better better,
             std::string_view meaning,
             std::optional<double> value,
             bool of_finished = false) const {
        take_(value, [&] {
            return ScalarRow{std::string{name},
                             kind,
                             better,
                             std::string{name},
                             std::string{meaning},
                             of_finished};
        });
    }

    void walk_leaves(std::string_view block,
                     ScalarKind kind,
                     std::string_view meaning,
                     const std::array<int128, num_leaves>& micro) const {
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            take_(from_micro(micro[leaf]), [&] {
                return ScalarRow{fmt::format("{}{}", block, leaf_names[leaf]),
                                 kind,
                                 Better::neither,
                                 fmt::format("{}LEAF", block),
                                 std::string{meaning},
                                 false};
            });
    }

    void walk_cost(const PrintedBill& bill,
                   const PurchaseFigures& by_purchase,
                   const Metrics& metrics) const {
        const auto add_usd = [&](std::string_view name, std::string_view meaning, int128 micro) {
            add(name, ScalarKind::usd, Better::lower, meaning, from_micro(micro));
        };
        add_usd("cost.total", "GPU time and everything else", bill.total_usd);
        add_usd("cost.paid", "GPU time", bill.paid_usd);
        add_usd("cost.other", "everything else", bill.all_other_usd());
        add("cost.per_productive_gpu_hour",
            ScalarKind::rate,
            Better::lower,
            "`cost.total` over the GPU-hours of the leaves `prod.*`; not in `summary.json`",
            cost_per(bill, static_cast<double>(bill.hours_in(LeafGroup::productive))));
        add("cost.per_work_gpu_hour",
            ScalarKind::rate,
            Better::lower,
            "`cost.total` over `metrics.finished_work_gpu_hours`; not in `summary.json`",
            cost_per(bill,
                     static_cast<double>(metrics.finished_work.count()) /
                         static_cast<double>(slot_ms_per_micro_gpu_hour)));
        add("cost.per_finished_job",
            ScalarKind::usd,
            Better::lower,
            "`cost.total` over `metrics.jobs_finished`; not in `summary.json`",
            cost_per(bill, static_cast<double>(metrics.jobs_finished) * 1e6),
            true);
        walk_leaves("cost.by_leaf.",
                    ScalarKind::usd,
                    "every leaf, always; they add up to `cost.paid`",
                    bill.leaf_usd);
        for (std::size_t i = 0; i < num_purchases; ++i)
            take_(from_micro(by_purchase[i]), [&] {
                return ScalarRow{
                    fmt::format("cost.by_purchase.{}", purchase_key(i)),
                    ScalarKind::usd,
                    Better::neither,
                    "cost.by_purchase.PURCHASE",
                    "`owned`, `reserved`, `on_demand`, `spot` and `other`, which is no GPU time; "
                    "they add up to `cost.total`",
                    false};
            });
    }

    void walk_gpu_hours(const PrintedBill& bill) const {
        add("gpu_hours.paid",
            ScalarKind::gpu_hours,
            Better::neither,
            "time of every GPU that is paid for, inside the window",
            from_micro(bill.paid_hours));
        add("gpu_hours.lost_work",
            ScalarKind::gpu_hours,
            Better::lower,
            "of them, work that had to be done again: `lost.preempt` and `lost.failure`",
            from_micro(bill.lost_work_hours()));
        walk_leaves("gpu_hours.by_leaf.",
                    ScalarKind::gpu_hours,
                    "every leaf, always; they add up to `gpu_hours.paid`",
                    bill.leaf_hours);
    }

    void walk_energy(const PrintedEnergy& energy) const {
        const auto total = [](const std::optional<PrintedLevels>& levels) {
            return from_micro(levels ? std::optional{levels->total} : std::nullopt);
        };
        add("energy.kwh",
            ScalarKind::kwh,
            Better::lower,
            "drawn by the GPUs that are paid for, with nodes and building (PUE); null: not asked "
            "for",
            total(energy.kwh));
        add("carbon.kg",
            ScalarKind::kilograms,
            Better::lower,
            "CO2e of that energy, and of making the hardware where it is asked for; null: no grid "
            "is named",
            total(energy.carbon_kg));
    }

    void walk_events(const RunEvents& events) const {
        const auto add_count =
            [&](std::string_view name, std::string_view meaning, std::uint64_t n) {
                add(name, ScalarKind::count, Better::neither, meaning, static_cast<double>(n));
            };
        add_count("events.reclaims",
                  "nodes taken back by their provider, over the whole run",
                  events.reclaims);
        add_count(
            "events.node_failures", "failures of nodes, over the whole run", events.node_failures);
        add_count("events.budget_stops",
                  "times a budget that was spent let no job start, or stopped jobs",
                  events.budget_stops);
    }

    void walk_ratios(const Ratios& all) const {
        for (const RatioRow& row : ratio_rows) {
            const std::optional<Fraction> ratio =
                row.ratio == nullptr ? std::nullopt : all.*row.ratio;
            take_(from_micro(ratio ? std::optional{ratio->scaled(1'000'000)} : std::nullopt), [&] {
                const std::string name = fmt::format("ratios.{}", row.name);
                return ScalarRow{
                    name, ScalarKind::ratio, Better::higher, name, std::string{row.meaning}, false};
            });
        }
    }

    void walk_metric(const MetricRow& row, const Metrics& metrics) const {
        if (row.name.empty())
            return;
        take_(from_micro(row.micro(metrics)), [&] {
            const std::string name = fmt::format("metrics.{}", row.name);
            return ScalarRow{
                name, row.kind, row.better, name, std::string{row.meaning}, row.of_finished};
        });
    }
    void walk_metric(const DistributionRow& row, const Metrics& metrics) const {
        const auto add_figure = [&](std::string_view name,
                                    ScalarKind kind,
                                    Better better,
                                    std::optional<double> value,
                                    bool of_finished) {
            take_(value, [&] {
                return ScalarRow{fmt::format("metrics.{}.{}", row.name, name),
                                 kind,
                                 better,
                                 fmt::format("metrics.{}.FIGURE", row.name),
                                 std::string{row.meaning},
                                 of_finished};
            });
        };
        add_figure("count",
                   ScalarKind::count,
                   Better::neither,
                   static_cast<double>((metrics.*row.values).count),
                   false);
        for (const DistributionFigure& figure : figures(row, metrics))
            add_figure(figure.name,
                       row.kind(),
                       row.is_bound ? Better::neither : Better::lower,
                       from_micro(figure.micro),
                       !row.is_bound);
    }

    const Take& take_;
};

std::vector<ScalarRow> all_rows() {
    std::vector<ScalarRow> rows;
    const auto take = [&](std::optional<double>, const auto& row) { rows.push_back(row()); };
    const Result none;
    ScalarWalk{none, take};
    return rows;
}

} // namespace

std::span<const ScalarRow> scalar_table() {
    static const std::vector<ScalarRow> table = all_rows();
    return table;
}

const ScalarRow* find_scalar(std::string_view name) {
    const std::span<const ScalarRow> table = scalar_table();
    const auto row = std::ranges::find(table, name, &ScalarRow::name);
    return row == table.end() ? nullptr : &*row;
}

SeedValues seed_values(const ScalarRow& scalar) {
    return scalar.name.starts_with("events.") ? SeedValues::events : SeedValues::amounts;
}

bool all_jobs_finished(const Repeats& repeats) {
    const auto unfinished =
        std::ranges::find(repeats.scalars, "metrics.jobs_censored", &RepeatedScalar::name);
    return unfinished == repeats.scalars.end() || unfinished->n == 0 || unfinished->max == 0;
}

std::vector<std::optional<double>> scalar_values(const Result& result) {
    std::vector<std::optional<double>> values;
    values.reserve(scalar_table().size());
    const auto take = [&](std::optional<double> value, const auto&) { values.push_back(value); };
    ScalarWalk{result, take};
    return values;
}

std::vector<Scalar> scalars(const Result& result) {
    const std::vector<std::optional<double>> values = scalar_values(result);
    std::vector<Scalar> out;
    for (std::size_t i = 0; i < values.size(); ++i)
        out.push_back({scalar_table()[i].name, values[i]});
    return out;
}

std::string metric_name(const ScalarRow& metric) {
    constexpr std::string_view block = "metrics.";
    std::string out = metric.name;
    if (out.starts_with(block))
        out.erase(0, block.size());
    if (const std::size_t at = out.find("_s."); at != std::string::npos)
        out.erase(at, 2);
    if (out.ends_with("_s"))
        out.resize(out.size() - 2);
    return out;
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const ScalarRow& row : scalar_table())
        names.push_back(metric_name(row));
    return names;
}

const ScalarRow* find_metric(std::string_view name) {
    if (const ScalarRow* row = find_scalar(name))
        return row;
    for (const ScalarRow& row : scalar_table())
        if (metric_name(row) == name)
            return &row;
    return nullptr;
}

}} // namespace bursar::reports
