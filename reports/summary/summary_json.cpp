#include <array>
#include <cstddef>
#include <string_view>

#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/in_currency.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"
#include "reports/summary/budgets_json.hpp"
#include "reports/summary/energy_json.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The member `largest_drain` of summary.json; null where there is none. bill: of the result.
void write_largest_drain(const Result& result, const PrintedBill& bill, JsonWriter& json) {
    const std::optional<LargestDrain> largest = largest_drain(result);
    json.key("largest_drain");
    if (!largest)
        return json.null();
    const auto leaf = static_cast<std::size_t>(largest->leaf);
    json.begin_object();
    json.string("leaf", name_of(largest->leaf));
    json.micro("cost", bill.leaf_usd[leaf]);
    json.micro("gpu_hours", bill.leaf_hours[leaf]);
    json.string("advice", advice_on(largest->leaf, result));
    json.end_object();
}

template <class Quantity>
void numerator(std::string_view key, Quantity value, JsonWriter& json) {
    json.key(key);
    json.exact(value.count());
}
template <class Quantity>
void numerators(const std::array<Quantity, num_leaves>& values, JsonWriter& json) {
    json.key("by_leaf");
    json.begin_object();
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        numerator(leaf_names[leaf], values[leaf], json);
    json.end_object();
}

/// The member `exact` of summary.json: the numerators behind `cost` and `gpu_hours`, under the same
/// keys.
void write_exact(const Result& result, const LeafSums& sums, JsonWriter& json) {
    json.key("exact");
    json.begin_object();
    json.key("cost");
    json.begin_object();
    json.string("unit", "1/3600000000000000000 USD");
    numerator("paid", sums.paid_cost(), json);
    numerator("other", other_cost(result), json);
    numerator("total", sums.paid_cost() + other_cost(result), json);
    numerators(sums.cost, json);
    json.end_object();
    json.key("gpu_hours");
    json.begin_object();
    json.string("unit", "1/3600000000 GPU-hour");
    numerator("paid", sums.paid(), json);
    numerators(sums.held, json);
    json.end_object();
    json.end_object();
}

/// The parts of one summary, in file order; shares what several of them need.
class SummaryWriter {
  public:
    SummaryWriter(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, options_{options}, json_{sink}, sums_{leaf_sums(result)},
          bill_{print_bill(result)}, energy_{print_energy(result)} {}

    void write() {
        json_.begin_object();
        json_.key("schema_version");
        json_.integer(schema_version);
        run();
        fleet();
        cost();
        gpu_hours();
        write_energy(energy_, json_);
        events();
        ratio_block();
        write_largest_drain(result_, bill_, json_);
        write_budgets(result_, json_);
        metrics();
        json_.key("lost_work");
        write_lost_work(lost_by_cause(result_), json_);
        coverage();
        modelled();
        views();
        if (result_.repeats)
            repeats(*result_.repeats);
        write_exact(result_, sums_, json_);
        json_.key("warnings");
        json_.strings(result_.run.warnings);
        json_.end_object();
    }

  private:
    void instant(std::string_view key, Duration value) {
        json_.key(key);
        StringSink text;
        InstantWriter writer{result_.zero_utc_ms};
        writer.put(text, value);
        if (writer.dated())
            json_.string(text.text());
        else
            json_.micro(int128{value.count()} * 1000);
    }

    void run() {
        const RunFacts& facts = result_.run;
        json_.key("run");
        json_.begin_object();
        json_.string("version", facts.version);
        json_.string("scenario", facts.scenario_name);
        json_.hash("scenario_hash", facts.scenario_hash);
        json_.integer("seed", facts.seed);
        json_.integer("seeds", result_.repeats ? result_.repeats->n : 1);
        policy();
        instant("start", Duration{});
        instant("end", result_.end);
        instant("window_start", result_.window_begin);
        instant("window_end", result_.window_end);
        json_.integer("events", result_.events);
        json_.hash("fingerprint", result_.fingerprint);
        json_.key("trace_notes");
        json_.strings(facts.trace_notes);
        if (!options_.reproducible && facts.wall.count() > 0)
            machine();
        json_.end_object();
    }

    void policy() {
        json_.key("policy");
        json_.begin_object();
        for (const PolicyLabel& label : policy_labels)
            json_.string(label.name, result_.run.policy.*label.text);
        json_.end_object();
    }

    /// What differs between equal runs.
    void machine() {
        const std::int64_t wall_ns = result_.run.wall.count();
        json_.micro("wall_s", divide_half_up(wall_ns, 1000));
        json_.integer("events_per_s",
                      divide_half_up(int128{result_.events} * 1'000'000'000, wall_ns));
        json_.integer("peak_rss", result_.run.peak_rss_bytes);
        json_.micro("policy_s", divide_half_up(result_.run.policy_time.count(), 1000));
    }

    /// The pools as they are paid for.
    void fleet() {
        std::vector<int128> usd(result_.pools.size());
        std::vector<int128> hours(result_.pools.size());
        for (std::size_t i = 0; i < result_.cells.size(); ++i) {
            usd[result_.cells[i].pool] += bill_.cell_usd[i];
            hours[result_.cells[i].pool] += bill_.cell_hours[i];
        }
        const std::vector<FleetRow> rows = fleet_rows(result_);
        json_.key("fleet");
        json_.begin_array();
        for (std::size_t p = 0; p < rows.size(); ++p) {
            const ResultPool& pool = *rows[p].pool;
            json_.begin_object();
            json_.string("pool", pool.name);
            json_.string("gpu_type", pool.gpu);
            json_.integer("gpus", pool.num_gpus());
            json_.integer("nodes", pool.num_nodes);
            json_.string("purchase", purchase_names[static_cast<std::size_t>(pool.purchase)]);
            json_.string("region", pool.region);
            price(rows[p]);
            json_.micro("hours",
                        divide_half_up(rows[p].paid().count() * int128{1'000'000}, hour.count()));
            instant("from", rows[p].from);
            instant("to", rows[p].to);
            json_.micro("gpu_hours", hours[p]);
            json_.micro("cost", usd[p]);
            if (pool.nodes)
                nodes(*pool.nodes);
            write_pool_energy(result_, energy_, p, json_);
            json_.end_object();
        }
        json_.end_array();
    }

    void nodes(const ResultNodes& of_pool) {
        json_.integer("least_nodes", of_pool.least);
        json_.integer("most_nodes", of_pool.most);
        json_.integer("launches", of_pool.launches);
        json_.integer("reclaimed", of_pool.reclaimed);
        json_.integer("failures", of_pool.failures);
        json_.integer("failed_launches", of_pool.failed_launches);
    }

    /// The mean, and where the price is not the same throughout its range.
    void price(const FleetRow& row) {
        const auto usd = [](MoneyRate rate) {
            return static_cast<double>(rate.count()) / nano_usd_per_usd;
        };
        const auto mean = row.mean_rate();
        json_.number_or_null("usd_per_gpu_hour", mean ? std::optional{usd(*mean)} : std::nullopt);
        if (!row.pool->price.varies())
            return;
        const PriceRange range = row.range();
        json_.key("usd_per_gpu_hour_min");
        json_.number(usd(range.min));
        json_.key("usd_per_gpu_hour_max");
        json_.number(usd(range.max));
    }

    void leaves(const std::array<int128, num_leaves>& figures) {
        json_.key("by_leaf");
        json_.begin_object();
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            json_.micro(leaf_names[leaf], figures[leaf]);
        json_.end_object();
    }

    void cost() {
        json_.key("cost");
        json_.begin_object();
        json_.micro("paid", bill_.paid_usd);
        json_.micro("other", bill_.all_other_usd());
        json_.micro("total", bill_.total_usd);
        json_.string("currency", "USD");
        in_currency();
        leaves(bill_.leaf_usd);
        by_purchase();
        other_lines();
        basis();
        json_.end_object();
    }

    void in_currency() {
        if (!result_.run.currency)
            return;
        const BillCurrency& currency = *result_.run.currency;
        const CurrencyTotals totals = totals_in_currency(result_, bill_);
        json_.key("in_currency");
        json_.begin_object();
        json_.string("currency", currency.code);
        json_.key("usd");
        json_.number(static_cast<double>(currency.nano_usd) / nano_usd_per_usd);
        json_.string("date", currency.day);
        json_.string("source", currency.source);
        json_.micro("paid", totals.paid);
        json_.micro("other", totals.other);
        json_.micro("total", totals.total);
        json_.end_object();
    }

    void by_purchase() {
        const PurchaseFigures usd = purchase_usd(result_, bill_);
        json_.key("by_purchase");
        json_.begin_object();
        for (std::size_t i = 0; i < num_purchases; ++i)
            json_.micro(purchase_key(i), usd[i]);
        json_.end_object();
    }

    void other_lines() {
        json_.key("other_lines");
        json_.begin_array();
        for (std::size_t i = 0; i < bill_.other_usd.size(); ++i) {
            json_.begin_object();
            json_.string("name", result_.run.other_costs[i].name);
            json_.micro("cost", bill_.other_usd[i]);
            json_.end_object();
        }
        json_.end_array();
    }

    void basis() {
        json_.key("basis");
        json_.begin_array();
        for (std::size_t p = 0; p < result_.pools.size(); ++p) {
            const ResultPool& pool = result_.pools[p];
            json_.begin_object();
            json_.string("pool", pool.name);
            json_.string("purchase", purchase_names[static_cast<std::size_t>(pool.purchase)]);
            const auto rate = pool.price.rate();
            json_.integer_or_null("rate_nano_usd_per_gpu_hour",
                                  rate ? std::optional{rate->count()} : std::nullopt);
            json_.key("basis");
            if (p < result_.run.price_basis.size())
                json_.string(result_.run.price_basis[p]);
            else
                json_.null();
            json_.end_object();
        }
        json_.end_array();
    }

    void gpu_hours() {
        json_.key("gpu_hours");
        json_.begin_object();
        json_.micro("paid", bill_.paid_hours);
        json_.micro("lost_work", bill_.lost_work_hours());
        leaves(bill_.leaf_hours);
        json_.end_object();
    }

    void events() {
        const RunEvents events = events_of(result_);
        json_.key("events");
        json_.begin_object();
        json_.integer("reclaims", events.reclaims);
        json_.integer("node_failures", events.node_failures);
        json_.integer("budget_stops", events.budget_stops);
        json_.end_object();
    }

    void ratio_block() {
        const Ratios all = ratios(sums_);
        json_.key("ratios");
        json_.begin_object();
        for (const RatioRow& row : ratio_rows) {
            const std::optional<Fraction> ratio =
                row.ratio == nullptr ? std::nullopt : all.*row.ratio;
            json_.micro_or_null(row.name,
                                ratio ? std::optional{ratio->scaled(1'000'000)} : std::nullopt);
        }
        json_.end_object();
    }

    void metrics() {
        json_.key("metrics");
        json_.begin_object();
        JsonBlocks blocks{json_};
        for (const MetricEntry& entry : metric_table())
            std::visit([&](const auto& row) { metric(row, blocks); }, entry);
        blocks.end();
        json_.end_object();
    }
    void metric(const MetricRow& row, JsonBlocks& blocks) {
        if (row.name.empty())
            return;
        blocks.key(row.name);
        json_.micro_or_null(row.micro(result_.metrics));
    }
    void metric(const DistributionRow& row, JsonBlocks& blocks) {
        blocks.end();
        json_.key(row.name);
        json_.begin_object();
        json_.integer("count", (result_.metrics.*row.values).count);
        for (const DistributionFigure& figure : figures(row, result_.metrics))
            json_.micro_or_null(figure.name, figure.micro);
        json_.end_object();
    }

    void coverage() {
        json_.key("coverage");
        json_.begin_object();
        json_.key("unpriced");
        json_.begin_array();
        for (const ResultPool& pool : result_.pools) {
            if (pool.price.is_free())
                json_.string(pool.name);
        }
        json_.end_array();
        json_.key("unmodelled");
        json_.strings(result_.run.unmodelled);
        json_.key("assumed");
        std::vector<std::string> assumed = result_.run.decisive;
        assumed.insert(assumed.end(), result_.run.assumed.begin(), result_.run.assumed.end());
        json_.strings(assumed);
        json_.end_object();
    }

    void modelled() {
        const std::vector<ModelledSum> sums = modelled_sums(result_);
        json_.key("modelled");
        json_.begin_array();
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const ModelledRun& run = result_.modelled[i];
            json_.begin_object();
            json_.string("model", run.model);
            json_.string("stack", run.stack);
            json_.integer("gpus", run.gpus);
            json_.string("pool", result_.pools[run.pool].name);
            json_.micro("run_time_s", int128{run.run_time.count()} * 1000);
            json_.number_or_null("error", run.error);
            json_.integer("jobs", sums[i].jobs);
            json_.integer("unfinished", sums[i].unfinished);
            json_.micro("gpu_hours",
                        divide_half_up(sums[i].held.count(), slot_ms_per_micro_gpu_hour));
            json_.micro("cost", divide_half_up(sums[i].cost.count(), money_per_micro_usd));
            json_.end_object();
        }
        json_.end_array();
    }

    void views() {
        json_.key("views");
        json_.begin_object();
        for (const LeafView& view : leaf_views) {
            json_.key(view.name);
            json_.begin_object();
            for (const ViewRow& row : view.rows)
                json_.micro(row.name, row.sum(bill_.leaf_hours));
            json_.end_object();
        }
        json_.end_object();
    }

    void repeats(const Repeats& repeats) {
        json_.key("repeat");
        json_.begin_object();
        json_.integer("n", repeats.n);
        for (const RepeatedScalar& scalar : repeats.scalars) {
            json_.key(scalar.name);
            json_.begin_object();
            write_statistics(scalar, json_);
            json_.end_object();
        }
        json_.end_object();
    }

    const Result& result_;
    const OutputOptions& options_;
    JsonWriter json_;
    LeafSums sums_;
    PrintedBill bill_;
    PrintedEnergy energy_;
};

} // namespace

void write_summary_json(const Result& result, const OutputOptions& options, TextSink& sink) {
    SummaryWriter{result, options, sink}.write();
}

}} // namespace bursar::reports
