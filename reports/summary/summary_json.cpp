#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/stopped_trials.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The parts of one summary, in file order; shares what several of them need.
class SummaryWriter {
  public:
    SummaryWriter(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, options_{options}, json_{sink}, sums_{leaf_sums(result)},
          bill_{print_bill(result)}, energy_{print_energy(result)} {}

    void write() {
        json_.object([&] {
            json_.integer("schema_version", schema_version);
            json_.object("run", [&] { run(); });
            fleet();
            json_.object("cost", [&] { cost(); });
            json_.object("gpu_hours", [&] {
                json_.micro("paid", bill_.paid_hours);
                json_.micro("lost_work", bill_.lost_work_hours());
                by_leaf(bill_.leaf_hours);
            });
            energy_and_carbon();
            events();
            ratio_block();
            drain();
            months();
            tenants();
            json_.objects("budgets", budget_outcomes(result_), [&](const BudgetOutcome& outcome) {
                budget(outcome);
            });
            metrics();
            lost_work();
            json_.object("stopped_trials", [&] { trials(); });
            json_.object("coverage", [&] { coverage(); });
            modelled();
            views();
            if (result_.repeats)
                repeats(*result_.repeats);
            json_.object("exact", [&] { exact(); });
            json_.strings("warnings", result_.run.warnings);
        });
    }

  private:
    // Members of several parts.

    void instant(std::string_view key, std::optional<Duration> value) {
        json_.key(key);
        if (!value)
            return json_.null();
        StringSink text;
        InstantWriter writer{result_.zero_utc_ms};
        writer.put(text, *value);
        writer.dated() ? json_.string(text.text()) : json_.micro(int128{value->count()} * 1000);
    }
    void money(std::string_view key, Money money) {
        json_.micro(key, divide_half_up(money.count(), money_per_micro_usd));
    }
    void gpu_hours(SlotTime held) {
        json_.micro("gpu_hours", divide_half_up(held.count(), slot_ms_per_micro_gpu_hour));
    }
    void by_leaf(const std::array<int128, num_leaves>& figures) {
        json_.object("by_leaf", [&] {
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                json_.micro(leaf_names[leaf], figures[leaf]);
        });
    }

    // The parts.

    void run() {
        const RunFacts& facts = result_.run;
        json_.string("version", facts.version);
        json_.string("scenario", facts.scenario_name);
        json_.hash("scenario_hash", facts.scenario_hash);
        json_.integer("seed", facts.seed);
        json_.integer("seeds", result_.repeats ? result_.repeats->n : 1);
        json_.object("policy", [&] {
            for (const PolicyLabel& label : policy_labels)
                json_.string(label.name, facts.policy.*label.text);
        });
        instant("start", Duration{});
        instant("end", result_.end);
        instant("window_start", result_.window_begin);
        instant("window_end", result_.window_end);
        json_.integer("events", result_.events);
        json_.hash("fingerprint", result_.fingerprint);
        json_.strings("trace_notes", facts.trace_notes);
        if (options_.reproducible || facts.wall.count() <= 0)
            return;
        const std::int64_t wall_ns = facts.wall.count(); // from here on equal runs differ
        json_.micro("wall_s", divide_half_up(wall_ns, 1000));
        json_.integer("events_per_s",
                      divide_half_up(int128{result_.events} * 1'000'000'000, wall_ns));
        json_.integer("peak_rss", facts.peak_rss_bytes);
        json_.micro("policy_s", divide_half_up(facts.policy_time.count(), 1000));
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
        json_.objects("fleet", rows.size(), [&](std::size_t p) {
            const ResultPool& pool = *rows[p].pool;
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
            if (has_energy(result_))
                pool_energy(p);
        });
    }

    void nodes(const ResultNodes& of_pool) {
        json_.integer("least_nodes", of_pool.least);
        json_.integer("most_nodes", of_pool.most);
        json_.integer("launches", of_pool.launches);
        json_.integer("reclaimed", of_pool.reclaimed);
        json_.integer("failures", of_pool.failures);
        json_.integer("failed_launches", of_pool.failed_launches);
    }

    /// The mean, and its range where the price varies.
    void price(const FleetRow& row) {
        const auto usd = [](MoneyRate rate) {
            return static_cast<double>(rate.count()) / nano_usd_per_usd;
        };
        const auto mean = row.mean_rate();
        json_.number_or_null("usd_per_gpu_hour", mean ? std::optional{usd(*mean)} : std::nullopt);
        if (!row.pool->price.varies())
            return;
        const PriceRange range = row.range();
        json_.number_or_null("usd_per_gpu_hour_min", usd(range.min));
        json_.number_or_null("usd_per_gpu_hour_max", usd(range.max));
    }

    void pool_energy(std::size_t p) {
        const ResultPool& pool = result_.pools[p];
        const PlanEnergy& draws = *pool.energy;
        const auto of_cells = [&](const std::optional<PrintedLevels>& levels) {
            std::optional<int128> sum;
            for (std::size_t i = 0; levels && i < result_.cells.size(); ++i)
                if (result_.cells[i].pool == p)
                    sum = sum.value_or(0) + levels->cells[i];
            return levels ? sum.value_or(0) : sum;
        };
        const auto in_millionths = [](std::int64_t milli) { return int128{milli} * 1000; };
        json_.micro_or_null("energy_kwh", of_cells(energy_.kwh));
        json_.micro_or_null("carbon_kg", of_cells(energy_.carbon_kg));
        json_.micro("busy_w", in_millionths(draws.busy.count()));
        json_.micro("idle_w", in_millionths(draws.idle.count()));
        json_.micro("pue", in_millionths(draws.pue_milli));
        json_.string("grid", draws.grid_name);
        json_.micro_or_null("grid_g_per_kwh",
                            draws.grid
                                ? std::optional{mean_intensity(pool, energy_by_pool(result_)[p])}
                                : std::nullopt);
    }

    void cost() {
        json_.micro("paid", bill_.paid_usd);
        json_.micro("other", bill_.all_other_usd());
        json_.micro("total", bill_.total_usd);
        json_.string("currency", "USD");
        if (result_.run.currency)
            json_.object("in_currency", [&] { in_currency(*result_.run.currency); });
        by_leaf(bill_.leaf_usd);
        const PurchaseFigures usd = purchase_usd(result_, bill_);
        json_.object("by_purchase", [&] {
            for (std::size_t i = 0; i < num_purchases; ++i)
                json_.micro(purchase_key(i), usd[i]);
        });
        json_.objects("other_lines", bill_.other_usd.size(), [&](std::size_t i) {
            json_.string("name", result_.run.other_costs[i].name);
            json_.micro("cost", bill_.other_usd[i]);
        });
        json_.objects("basis", result_.pools.size(), [&](std::size_t p) {
            const ResultPool& pool = result_.pools[p];
            json_.string("pool", pool.name);
            json_.string("purchase", purchase_names[static_cast<std::size_t>(pool.purchase)]);
            const auto rate = pool.price.rate();
            json_.integer_or_null("rate_nano_usd_per_gpu_hour",
                                  rate ? std::optional{rate->count()} : std::nullopt);
            const std::vector<std::string>& basis = result_.run.price_basis;
            json_.string_or_null("basis", p < basis.size() ? &basis[p] : nullptr);
        });
    }

    void in_currency(const BillCurrency& currency) {
        const CurrencyTotals totals = totals_in_currency(result_, bill_);
        json_.string("currency", currency.code);
        json_.number_or_null("usd", static_cast<double>(currency.nano_usd) / nano_usd_per_usd);
        json_.string("date", currency.day);
        json_.string("source", currency.source);
        json_.micro("paid", totals.paid);
        json_.micro("other", totals.other);
        json_.micro("total", totals.total);
    }

    /// Null where they were not requested.
    void energy_and_carbon() {
        const std::optional<PrintedLevels>& kwh = energy_.kwh;
        const std::optional<PrintedLevels>& kg = energy_.carbon_kg;
        json_.object("energy", [&] {
            json_.micro_or_null("kwh", kwh ? std::optional{kwh->total} : std::nullopt);
            if (kwh)
                by_leaf(kwh->leaves);
        });
        json_.object("carbon", [&] {
            json_.micro_or_null("kg", kg ? std::optional{kg->total} : std::nullopt);
            if (!kg)
                return;
            json_.micro("embodied_kg", energy_.embodied_kg);
            by_leaf(kg->leaves);
        });
    }

    void events() {
        const RunEvents events = events_of(result_);
        json_.object("events", [&] {
            json_.integer("reclaims", events.reclaims);
            json_.integer("node_failures", events.node_failures);
            json_.integer("budget_stops", events.budget_stops);
        });
    }

    void ratio_block() {
        const Ratios all = ratios(sums_);
        json_.object("ratios", [&] {
            for (const RatioRow& row : ratio_rows) {
                const std::optional<Fraction> ratio =
                    row.ratio == nullptr ? std::nullopt : all.*row.ratio;
                json_.micro_or_null(row.name,
                                    ratio ? std::optional{ratio->scaled(1'000'000)} : std::nullopt);
            }
        });
    }

    void drain() {
        const std::optional<LargestDrain> largest = largest_drain(result_);
        json_.key("largest_drain");
        if (!largest)
            return json_.null();
        const auto leaf = static_cast<std::size_t>(largest->leaf);
        json_.object([&] {
            json_.string("leaf", name_of(largest->leaf));
            json_.micro("cost", bill_.leaf_usd[leaf]);
            json_.micro("gpu_hours", bill_.leaf_hours[leaf]);
            json_.string("advice", advice_on(largest->leaf, result_));
        });
    }

    void months() {
        json_.objects("months", printed_months(result_, bill_), [&](const PrintedMonth& month) {
            json_.string_or_null("month", month.name == no_month_name ? nullptr : &month.name);
            json_.micro("cost", month.usd);
            json_.micro("gpu_hours", month.hours);
        });
    }

    /// What each tenant is charged, as tenants.csv has it.
    void tenants() {
        json_.string("share_idle", share_idle_names[static_cast<std::size_t>(options_.share_idle)]);
        json_.objects("tenants",
                      tenant_shares(result_, bill_, options_.share_idle),
                      [&](const TenantShare& share) {
                          json_.string("tenant", share.name);
                          json_.micro("allocated_gpu_hours", share.printed_allocated);
                          json_.micro("gpu_hours", share.printed_hours);
                          json_.micro("cost", share.printed_usd);
                      });
    }

    void budget(const BudgetOutcome& outcome) {
        const ResultBudget& budget = *outcome.budget;
        const std::uint64_t exceeded = outcome.is_exceeded() ? 1 : 0;
        json_.string("name", budget.name);
        json_.string_or_null("pool", budget.pool ? &result_.pools[*budget.pool].name : nullptr);
        json_.string_or_null("tenant", budget.tenant ? &result_.tenants[*budget.tenant] : nullptr);
        json_.string("per", budget.is_monthly ? "month" : "run");
        money("limit", budget.limit);
        json_.integer("exceeded", exceeded);
        json_.integer("seeds_exceeded", result_.repeats ? budget.seeds_exceeded : exceeded);
        instant("burned_at", outcome.burned_at);
        json_.string("then", budget_action_names[static_cast<std::size_t>(budget.action)]);
        json_.objects("stops", budget.stops, [&](const BudgetStop& stop) {
            instant("begin", stop.begin);
            instant("end", stop.end);
            json_.integer("jobs_stopped", stop.num_stopped);
        });
        json_.objects("periods", outcome.periods, [&](const BudgetPeriod& period) {
            json_.string_or_null("month", period.name.empty() ? nullptr : &period.name);
            money("spent", period.spent);
            instant("exceeded_at", period.exceeded_at);
        });
    }

    void metrics() {
        json_.object("metrics", [&] {
            JsonBlocks blocks{json_};
            for (const MetricEntry& entry : metric_table())
                std::visit([&](const auto& row) { metric(row, blocks); }, entry);
            blocks.end();
        });
    }
    void metric(const MetricRow& row, JsonBlocks& blocks) {
        if (row.name.empty())
            return;
        blocks.key(row.name);
        json_.micro_or_null(row.micro(result_.metrics));
    }
    void metric(const DistributionRow& row, JsonBlocks& blocks) {
        blocks.end();
        json_.object(row.name, [&] {
            json_.integer("count", (result_.metrics.*row.values).count);
            for (const DistributionFigure& figure : figures(row, result_.metrics))
                json_.micro_or_null(figure.name, figure.micro);
        });
    }

    /// The causes that stopped an attempt.
    void lost_work() {
        const LostByCause lost = lost_by_cause(result_);
        std::vector<std::size_t> causes;
        for (std::size_t cause = 0; cause < lost.size(); ++cause)
            if (lost[cause].stops > 0)
                causes.push_back(cause);
        json_.objects("lost_work", causes, [&](std::size_t cause) {
            json_.string("cause", stop_cause_names[cause]);
            json_.integer("attempts", lost[cause].stops);
            gpu_hours(lost[cause].lost);
        });
    }

    void trials() {
        const StoppedTrials stopped = stopped_trials(result_);
        json_.integer("trials", stopped.trials);
        json_.micro("spared_gpu_hours",
                    divide_half_up(stopped.spared.count(), slot_ms_per_micro_gpu_hour));
        money("spared_cost", stopped.spared_cost);
    }

    void coverage() {
        std::vector<std::string> unpriced;
        for (const ResultPool& pool : result_.pools)
            if (pool.price.is_free())
                unpriced.push_back(pool.name);
        std::vector<std::string> assumed = result_.run.decisive;
        assumed.insert(assumed.end(), result_.run.assumed.begin(), result_.run.assumed.end());
        json_.strings("unpriced", unpriced);
        json_.strings("unmodelled", result_.run.unmodelled);
        json_.strings("assumed", assumed);
    }

    void modelled() {
        const std::vector<ModelledSum> sums = modelled_sums(result_);
        json_.objects("modelled", sums.size(), [&](std::size_t i) {
            const ModelledRun& run = result_.modelled[i];
            json_.string("model", run.model);
            json_.string("stack", run.stack);
            json_.integer("gpus", run.gpus);
            json_.string("pool", result_.pools[run.pool].name);
            json_.micro("run_time_s", int128{run.run_time.count()} * 1000);
            json_.number_or_null("range_low", run.range_low);
            json_.number_or_null("range_high", run.range_high);
            json_.integer("jobs", sums[i].jobs);
            json_.integer("unfinished", sums[i].unfinished);
            gpu_hours(sums[i].held);
            money("cost", sums[i].cost);
        });
    }

    void views() {
        json_.object("views", [&] {
            for (const LeafView& view : leaf_views)
                json_.object(view.name, [&] {
                    for (const ViewRow& row : view.rows)
                        json_.micro(row.name, row.sum(bill_.leaf_hours));
                });
        });
    }

    void repeats(const Repeats& repeats) {
        json_.object("repeat", [&] {
            json_.integer("n", repeats.n);
            for (const RepeatedScalar& scalar : repeats.scalars)
                json_.object(scalar.name, [&] {
                    write_statistics(scalar, json_);
                    const auto one_run = one_run_interval(result_, scalar);
                    json_.number_or_null("one_run_low",
                                         one_run ? std::optional{one_run->low} : std::nullopt);
                    json_.number_or_null("one_run_high",
                                         one_run ? std::optional{one_run->high} : std::nullopt);
                });
        });
    }

    /// The numerators behind `cost` and `gpu_hours`, under the same keys.
    void exact() {
        const auto numerators = [&](const auto& values) {
            json_.object("by_leaf", [&] {
                for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                    json_.exact(leaf_names[leaf], values[leaf].count());
            });
        };
        json_.object("cost", [&] {
            json_.string("unit", "1/3600000000000000000 USD");
            json_.exact("paid", sums_.paid_cost().count());
            json_.exact("other", other_cost(result_).count());
            json_.exact("total", (sums_.paid_cost() + other_cost(result_)).count());
            numerators(sums_.cost);
        });
        json_.object("gpu_hours", [&] {
            json_.string("unit", "1/3600000000 GPU-hour");
            json_.exact("paid", sums_.paid().count());
            numerators(sums_.held);
        });
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
