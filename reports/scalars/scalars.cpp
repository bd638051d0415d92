#include "reports/scalars/scalars.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/energy.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/result/result.hpp"
#include "reports/result/run_events.hpp"

namespace bursar::inline reports {
namespace {

std::optional<double> from_micro(std::optional<int128> micro) {
    return micro ? std::optional{static_cast<double>(*micro) / 1e6} : std::nullopt;
}

std::optional<double> per_productive_gpu_hour(const PrintedBill& bill) {
    const int128 micro_hours = bill.hours_in(LeafGroup::productive);
    if (micro_hours == 0)
        return std::nullopt;
    return static_cast<double>(bill.total_usd) / static_cast<double>(micro_hours);
}

/// The rows of the table and, beside each, its value.
class ScalarList {
  public:
    explicit ScalarList(const Result& result) {
        const PrintedBill bill = print_bill(result);
        add_cost(bill, purchase_usd(result, bill));
        add_gpu_hours(bill);
        add_energy(print_energy(result));
        add_events(events_of(result));
        add_ratios(ratios(leaf_sums(result)));
        for (const MetricEntry& entry : metric_table())
            std::visit([&](const auto& row) { add_metric(row, result.metrics); }, entry);
    }

    std::vector<ScalarRow> rows;
    std::vector<std::optional<double>> values;

  private:
    void add(ScalarRow row, std::optional<double> value) {
        rows.push_back(std::move(row));
        values.push_back(value);
    }
    void add(std::string name,
             ScalarKind kind,
             Better better,
             std::string_view meaning,
             std::optional<double> value,
             bool of_finished = false) {
        add({name, kind, better, name, std::string{meaning}, of_finished}, value);
    }

    void add_leaves(const std::string& block,
                    ScalarKind kind,
                    std::string_view meaning,
                    const std::array<int128, num_leaves>& micro) {
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            add({block + std::string{leaf_names[leaf]},
                 kind,
                 Better::neither,
                 block + "LEAF",
                 std::string{meaning},
                 false},
                from_micro(micro[leaf]));
    }

    void add_cost(const PrintedBill& bill, const PurchaseFigures& by_purchase) {
        const auto add_usd = [&](std::string name, std::string_view meaning, int128 micro) {
            add(std::move(name), ScalarKind::usd, Better::lower, meaning, from_micro(micro));
        };
        add_usd("cost.total", "GPU time and everything else", bill.total_usd);
        add_usd("cost.paid", "GPU time", bill.paid_usd);
        add_usd("cost.other", "everything else", bill.all_other_usd());
        add("cost.per_productive_gpu_hour",
            ScalarKind::rate,
            Better::lower,
            "`cost.total` over the GPU-hours of the leaves `prod.*`; not in `summary.json`",
            per_productive_gpu_hour(bill));
        add_leaves("cost.by_leaf.",
                   ScalarKind::usd,
                   "every leaf, always; they add up to `cost.paid`",
                   bill.leaf_usd);
        for (std::size_t i = 0; i < num_purchases; ++i)
            add({fmt::format("cost.by_purchase.{}", purchase_key(i)),
                 ScalarKind::usd,
                 Better::neither,
                 "cost.by_purchase.PURCHASE",
                 "`owned`, `reserved`, `on_demand`, `spot` and `other`, which is no GPU time; they "
                 "add up to `cost.total`",
                 false},
                from_micro(by_purchase[i]));
    }

    void add_gpu_hours(const PrintedBill& bill) {
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
        add_leaves("gpu_hours.by_leaf.",
                   ScalarKind::gpu_hours,
                   "every leaf, always; they add up to `gpu_hours.paid`",
                   bill.leaf_hours);
    }

    void add_energy(const PrintedEnergy& energy) {
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

    void add_events(const RunEvents& events) {
        const auto add_count = [&](std::string name, std::string_view meaning, std::uint64_t n) {
            add("events." + std::move(name),
                ScalarKind::count,
                Better::neither,
                meaning,
                static_cast<double>(n));
        };
        add_count(
            "reclaims", "nodes taken back by their provider, over the whole run", events.reclaims);
        add_count("node_failures", "failures of nodes, over the whole run", events.node_failures);
        add_count("budget_stops",
                  "times a budget that was spent let no job start, or stopped jobs",
                  events.budget_stops);
    }

    void add_ratios(const Ratios& all) {
        for (const RatioRow& row : ratio_rows) {
            const std::optional<Fraction> ratio =
                row.ratio == nullptr ? std::nullopt : all.*row.ratio;
            add("ratios." + std::string{row.name},
                ScalarKind::ratio,
                Better::higher,
                row.meaning,
                from_micro(ratio ? std::optional{ratio->scaled(1'000'000)} : std::nullopt));
        }
    }

    void add_metric(const MetricRow& row, const Metrics& metrics) {
        if (!row.name.empty())
            add("metrics." + std::string{row.name},
                row.kind,
                row.better,
                row.meaning,
                from_micro(row.micro(metrics)),
                row.of_finished);
    }
    void add_metric(const DistributionRow& row, const Metrics& metrics) {
        const std::string block = "metrics." + std::string{row.name} + ".";
        const auto add_figure = [&](std::string_view name,
                                    ScalarKind kind,
                                    Better better,
                                    std::optional<double> value,
                                    bool of_finished) {
            add({block + std::string{name},
                 kind,
                 better,
                 block + "FIGURE",
                 std::string{row.meaning},
                 of_finished},
                value);
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
};

} // namespace

std::span<const ScalarRow> scalar_table() {
    static const std::vector<ScalarRow> table = ScalarList{Result{}}.rows;
    return table;
}

const ScalarRow* find_scalar(std::string_view name) {
    const std::span<const ScalarRow> table = scalar_table();
    const auto row = std::ranges::find(table, name, &ScalarRow::name);
    return row == table.end() ? nullptr : &*row;
}

bool all_jobs_finished(const Repeats& repeats) {
    const auto unfinished =
        std::ranges::find(repeats.scalars, "metrics.jobs_censored", &RepeatedScalar::name);
    return unfinished == repeats.scalars.end() || unfinished->n == 0 || unfinished->max == 0;
}

std::vector<Scalar> scalars(const Result& result) {
    ScalarList list{result};
    std::vector<Scalar> out;
    for (std::size_t i = 0; i < list.rows.size(); ++i)
        out.push_back({std::move(list.rows[i].name), list.values[i]});
    return out;
}

} // namespace bursar::inline reports
