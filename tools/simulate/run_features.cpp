#include "tools/simulate/run_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/market/billing.hpp"
#include "models/market/owned_cost.hpp"
#include "models/storage/checkpoint_storage.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/checkpoint_use.hpp"

#include "policies/broker/pool_orders.hpp"
#include "policies/broker/registry.hpp"

#include "scenarios/compile/features/energy.hpp"
#include "scenarios/compile/features/failures.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/compile/features/supply.hpp"
#include "scenarios/scenario/scenario.hpp"

#include "reports/bill/spend_curve.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

#include "tools/simulate/budget_acts.hpp"
#include "tools/simulate/budget_facts.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr double max_cost = 9e18; ///< what a column holds

/// What a broker believes work to cost, attempt by attempt.
class Beliefs {
  public:
    Beliefs(const PolicyChoice& choice, const Plan& plan) : plan_{plan} {
        const std::size_t num_pools = plan.pools.size();
        const bool by_kind = orders_by_kind(choice.broker);
        for (const JobKind& kind :
             by_kind ? kinds_of(plan) : std::vector<JobKind>(1 + plan.num_regions()))
            costs_.push_back(by_kind ? costs_of_work(plan, kind)
                                     : WorkCosts{std::vector<double>(num_pools, 1),
                                                 std::vector<double>(num_pools)});
    }

    /// saved_in: the region of what the job had saved when it started there, as of JobKind.
    [[nodiscard]] std::int64_t
    cost(std::size_t job, std::size_t pool, std::int64_t start_ms, std::size_t saved_in) const {
        const std::size_t row = plan_.shapes[plan_.shape[job]].order_begin / plan_.pools.size();
        const double cost = cost_of_work(plan_, pool, Duration{start_ms}, costs_[row + saved_in]);
        return std::llround(std::min(cost, max_cost));
    }

  private:
    const Plan& plan_;
    std::vector<WorkCosts> costs_; ///< by row of orders
};

/// Adds to `result` what the scenario's broker believed the work of each attempt to cost. plan:
/// that was run.
void note_beliefs(const Scenario& scenario, const Plan& plan, Result& result) {
    if (!goes_by_cost(scenario.policy.broker, scenario.policy.broker_options))
        return;
    const Beliefs beliefs{scenario.policy, plan};
    const JobColumns& jobs = result.jobs;
    StoppedColumns& stopped = result.stopped;
    std::vector<std::uint8_t> saved_in(jobs.size());
    std::vector<std::uint8_t> before_last(jobs.size()); // as the last attempt started
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::size_t job = stopped.job[i];
        const std::int64_t start_ms = stopped.start_ms[i];
        stopped.believed_cost.push_back(
            beliefs.cost(job, stopped.pool[i], start_ms, saved_in[job]));
        before_last[job] = saved_in[job];
        if (!plan.pool_region.empty() && stopped.kept_ms[i] > 0)
            saved_in[job] = static_cast<std::uint8_t>(1 + plan.pool_region[stopped.pool[i]]);
        if (start_ms < jobs.last_start(job))
            before_last[job] = saved_in[job];
    }
    for (std::size_t job = 0; job < jobs.size(); ++job)
        result.jobs.believed_cost.push_back(
            has_started(jobs.state[job])
                ? beliefs.cost(job, jobs.pool[job], jobs.last_start(job), before_last[job])
                : 0);
}

Notes supply_notes_of(const FinishedRun& finished) {
    const Scenario& scenario = finished.scenario();
    Notes notes;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool)
        if (auto warning =
                supply_warning(scenario, pool, finished.zero_utc_ms(), finished.left().outcome.end))
            notes.warnings.push_back(std::move(*warning));
    return notes;
}

Notes fault_log_notes(const FinishedRun& finished) {
    Notes notes;
    for (const PoolSpec& pool : finished.scenario().fleet)
        if (auto warning = fault_log_warning(pool, finished.left().outcome.end))
            notes.warnings.push_back(std::move(*warning));
    return notes;
}

constexpr std::size_t max_named = 5;

std::string named(const Plan& plan, const Labels& labels, const Run& run, std::size_t job) {
    return fmt::format("\"{}\", of {} GPUs{}",
                       valid_utf8(labels.job(job)),
                       plan.gpus(job),
                       run.jobs.phase[job] == JobPhase::queued ? "" : ", which was stopped");
}

/// A warning where a run without `until` ended and jobs still wait, because no event of the world
/// would let them start: how many, and the first of them by submit.
Notes stranded_notes(const FinishedRun& finished) {
    const Plan& plan = finished.compiled().plan;
    const Labels& labels = finished.compiled().labels;
    const Run& run = finished.left();
    if (plan.until || run.outcome.num_queued_at_end == 0)
        return {};
    std::vector<std::string> names;
    for (std::size_t job = 0; job < plan.num_jobs() && names.size() < max_named; ++job)
        if (run.jobs.phase[job] == JobPhase::queued || run.jobs.phase[job] == JobPhase::preempted)
            names.push_back(named(plan, labels, run, job));
    const auto num = static_cast<std::int64_t>(run.outcome.num_queued_at_end);
    const std::int64_t more = num - static_cast<std::int64_t>(names.size());
    return {.warnings = {
                fmt::format("{} {} to the end of the run, where {}: {}{}",
                            grouped_text(num, 0),
                            num == 1 ? "job waits" : "jobs wait",
                            !finished.acted.acts.empty() ? "a budget is spent"
                            : num == 1                   ? "it can never start"
                                                         : "they can never start",
                            fmt::join(names, "; "),
                            more > 0 ? fmt::format("; and {} more", grouped_text(more, 0)) : "")}};
}

Notes allocator_notes(const FinishedRun& finished) {
    const std::string& remark = finished.left().allocator.remark;
    if (remark.empty())
        return {};
    return {.warnings = {
                fmt::format("allocator {}: {}", finished.scenario().policy.allocator, remark)}};
}

Notes price_notes(const FinishedRun& finished) {
    return run_notes_of_prices(
        finished.scenario(), finished.plan(), finished.zero_utc_ms(), finished.end());
}

Notes grid_notes(const FinishedRun& finished) {
    return run_notes_of_grids(finished.scenario(), finished.zero_utc_ms(), finished.end());
}

void add_budgets_of(const FinishedRun& finished, Result& result) {
    if (!finished.has_budgets)
        return;
    add_budgets(finished.scenario(),
                finished.compiled().labels,
                finished.acted.acts,
                finished.left().outcome.end,
                result.run);
    count_stopped_jobs(result);
}

void add_beliefs(const FinishedRun& finished, Result& result) {
    note_beliefs(finished.scenario(), finished.plan(), result);
}

double gigabytes(int128 bytes) {
    return static_cast<double>(bytes) / bytes_per_gb;
}

double storage_usd(const CheckpointUse& use, const StorageTier& tier) {
    const double gb_months = gigabytes(use.byte_ms) / (1000 * seconds_per_month);
    return gb_months * tier.usd_per_gb_month +
           static_cast<double>(use.num_saved) / 1000 * tier.usd_per_1000_writes +
           static_cast<double>(use.num_read) / 1000 * tier.usd_per_1000_reads +
           gigabytes(use.bytes_read) * tier.usd_per_gb_retrieved;
}

Money money(double usd) {
    return Money{static_cast<int128>(std::round(usd * 1e9)) * (money_per_usd / nano_usd_per_usd)};
}

/// Regions of pools as numbers.
std::vector<std::uint16_t> regions_of(const Scenario& scenario) {
    std::vector<std::uint16_t> regions;
    for (const PoolSpec& pool : scenario.fleet)
        regions.push_back(static_cast<std::uint16_t>(
            std::ranges::find(scenario.fleet, pool.region, &PoolSpec::region) -
            scenario.fleet.begin()));
    return regions;
}

/// How the jobs of one class of the scenario keep checkpoints, by row of Plan::classes; other rows
/// keep nothing.
std::vector<CheckpointStore>
stores_of(const Compiled& compiled, std::size_t job_class, const CheckpointKeeping& keeping) {
    std::vector<CheckpointStore> stores(compiled.plan.classes.size());
    const Duration min_stay{std::llround(keeping.tier.min_days * static_cast<double>(day.count()))};
    for (std::size_t row = 0; row < compiled.scenario_class.size(); ++row)
        if (compiled.scenario_class[row] == job_class)
            stores[row] = {keeping.bytes,
                           keeping.older_bytes,
                           keeping.increment_bytes,
                           keeping.keep,
                           keeping.retain,
                           min_stay};
    return stores;
}

/// Costs of keeping checkpoints in the `store` of their class, and of moving them to where their
/// jobs go on; in whole nano-dollars.
Charges storage_charges(const FinishedRun& finished, const Result& /*result*/) {
    const Scenario& scenario = finished.scenario();
    const Compiled& compiled = finished.compiled();
    const Run& run = finished.left();
    Charges out;
    const std::vector<std::uint16_t> regions = regions_of(scenario);
    const bool can_move = std::ranges::any_of(regions, [](std::uint16_t one) { return one != 0; });
    double storage = 0;
    double egress = 0;
    bool some_by_store = scenario.egress.empty();
    bool keeps_any = false;
    for (std::size_t i = 0; i < scenario.classes.size(); ++i) {
        const auto& checkpoint = scenario.classes[i].checkpoint;
        if (!checkpoint || !checkpoint->keeping)
            continue;
        keeps_any = true;
        const StorageTier& tier = checkpoint->keeping->tier;
        const CheckpointUse use = checkpoint_use(compiled.plan,
                                                 run.outcome,
                                                 run.jobs,
                                                 stores_of(compiled, i, *checkpoint->keeping),
                                                 regions);
        storage += storage_usd(use, tier);
        for (const BytesMoved& way : use.moved) {
            const std::optional<double> declared = egress_usd_per_gb(
                scenario.egress, scenario.fleet[way.from].region, scenario.fleet[way.to].region);
            egress += gigabytes(way.bytes) * declared.value_or(tier.usd_per_gb_egress);
            some_by_store = some_by_store || !declared;
        }
        const std::string note = "storage in " + tier.name + ": " + tier.source;
        if (std::ranges::find(out.notes.assumed, note) == out.notes.assumed.end())
            out.notes.assumed.push_back(note);
    }
    if (!keeps_any)
        return out;
    out.costs.push_back({"storage", money(storage)});
    if (!can_move)
        return out;
    out.costs.push_back({"egress", money(egress)});
    out.notes.assumed.emplace_back(
        some_by_store ? "checkpoints move between regions at the price of egress to the internet"
                        ", in no time"
                      : "checkpoints move between regions in no time");
    return out;
}

/// The nodes of every pool with the time that they are paid for. Nodes of a range: as they were
/// launched. Others: to the end of the run.
std::vector<PaidNodes>
nodes_paid(const Plan& plan, const std::vector<PaidNodes>& of_run, Duration end) {
    std::vector<PaidNodes> paid;
    for (std::uint32_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        if (!plan.provisioning.empty() && !plan.provisioning[p].is_fixed) {
            std::ranges::copy_if(of_run, std::back_inserter(paid), [&](const PaidNodes& some) {
                return some.pool == p;
            });
            continue;
        }
        paid.push_back({p, pool.num_nodes, 0, billed(end, pool.billing_step).count()});
    }
    return paid;
}

/// What the pools of a commitment cost, at every instant.
SpendCurve spent_on(const CommitmentSpec& commitment,
                    const Result& result,
                    const std::vector<PaidNodes>& paid) {
    std::vector<PaidNodes> counted;
    std::ranges::copy_if(paid, std::back_inserter(counted), [&](const PaidNodes& some) {
        return std::ranges::find(commitment.pools, result.pools[some.pool].name) !=
               commitment.pools.end();
    });
    return SpendCurve::of_nodes(result, counted);
}

/// What is not spent in the periods of a commitment, which begin with the run, as far as they are
/// measured. A part of a period owes its share.
Money unused(const Spend& spend, const SpendCurve& spent, Duration begin, Duration end) {
    Money sum{};
    const std::int64_t period_ms = spend.period.count();
    for (std::int64_t i = begin.count() / period_ms; i * period_ms < end.count(); ++i) {
        const Duration from = std::max(Duration{i * period_ms}, begin);
        const Duration to = std::min(Duration{(i + 1) * period_ms}, end);
        sum +=
            shortfall(committed(spend.nano_usd, spend.period, to - from), spent.between(from, to));
    }
    return sum;
}

std::string_view name_of(Duration period) {
    if (period == hour)
        return "hour";
    if (period == day)
        return "day";
    return period == month ? "month of 730 h" : "year";
}

Charges commitment_charges(const FinishedRun& finished, const Result& result) {
    Charges out;
    if (finished.scenario().commitments.empty())
        return out;
    const std::vector<PaidNodes> nodes =
        nodes_paid(finished.billed_plan(), finished.left().paid, result.end);
    for (const CommitmentSpec& commitment : finished.scenario().commitments) {
        out.costs.push_back({fmt::format("unused commitment {}", commitment.name),
                             unused(commitment.spend,
                                    spent_on(commitment, result, nodes),
                                    result.window_begin,
                                    result.window_end)});
        out.notes.assumed.push_back(
            fmt::format("commitment {} is settled each {} from the begin of the run: what is not "
                        "spent in one is lost",
                        commitment.name,
                        name_of(commitment.spend.period)));
    }
    return out;
}

/// Adds which jobs a model timed, and the error of that model.
void add_modelled(const FinishedRun& finished, Result& result) {
    const Compiled& compiled = finished.compiled();
    constexpr std::size_t max_listed = std::numeric_limits<std::uint16_t>::max();
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> numbers; // by class and pool
    for (const ModelledGang& gang : compiled.modelled) {
        if (result.modelled.size() == max_listed)
            return;
        result.modelled.push_back({gang.model,
                                   gang.stack,
                                   gang.gpus,
                                   gang.pool,
                                   gang.run_time,
                                   gang.range_low,
                                   gang.range_high});
        numbers[{gang.plan_class, gang.pool}] = static_cast<std::uint16_t>(result.modelled.size());
    }
    if (numbers.empty())
        return;
    result.jobs.modelled.resize(result.jobs.size());
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const auto found = numbers.find({compiled.plan.job_class[job], result.jobs.pool[job]});
        if (has_started(result.jobs.state[job]) && found != numbers.end())
            result.jobs.modelled[job] = found->second;
    }
}

/// Adds the classes of jobs by name, or by their number.
void add_classes(const FinishedRun& finished, Result& result) {
    const std::vector<ClassSpec>& classes = finished.scenario().classes;
    const Compiled& compiled = finished.compiled();
    if (classes.empty() || result.jobs.size() == 0)
        return;
    for (std::size_t i = 0; i < classes.size(); ++i)
        result.classes.push_back(classes[i].name.empty() ? std::to_string(i)
                                                         : valid_utf8(classes[i].name));
    for (const std::uint16_t row : compiled.plan.job_class)
        result.jobs.job_class.push_back(compiled.scenario_class[row]);
}

/// Notes hold names of files, which may be any bytes.
Notes in_valid_utf8(Notes notes) {
    for (std::vector<std::string>* texts :
         {&notes.warnings, &notes.decisive, &notes.assumed, &notes.unmodelled})
        for (std::string& text : *texts)
            text = valid_utf8(text);
    return notes;
}

constexpr std::array all_features{
    RunFeature{.name = "supply", .keys = {"fleet.availability"}, .notes = &supply_notes_of},
    RunFeature{.name = "failures", .keys = {"fleet.failures"}, .notes = &fault_log_notes},
    RunFeature{.name = "jobs that still wait", .notes = &stranded_notes},
    RunFeature{.name = "allocator", .keys = {"policy.allocator"}, .notes = &allocator_notes},
    RunFeature{.name = "prices", .keys = {"fleet.price"}, .notes = &price_notes},
    RunFeature{.name = "energy", .keys = {"energy", "fleet.energy"}, .notes = &grid_notes},
    RunFeature{.name = "checkpoint storage and egress",
               .keys = {"workload.classes.checkpoint", "egress"},
               .charges = &storage_charges},
    RunFeature{
        .name = "budgets and months", .keys = {"budgets", "calendar"}, .add = &add_budgets_of},
    RunFeature{.name = "training models", .keys = {"workload.classes.model"}, .add = &add_modelled},
    RunFeature{.name = "classes of jobs", .keys = {"workload.classes.name"}, .add = &add_classes},
    RunFeature{.name = "broker's beliefs", .keys = {"policy.broker"}, .add = &add_beliefs},
    RunFeature{.name = "commitments", .keys = {"commitments"}, .charges = &commitment_charges},
};

} // namespace

std::span<const RunFeature> run_features() {
    return all_features;
}

void add_features(const FinishedRun& finished, Result& result) {
    for (const RunFeature& feature : all_features) {
        if (feature.notes != nullptr)
            result.run.add(in_valid_utf8(feature.notes(finished)));
        if (feature.charges != nullptr) {
            Charges charges = feature.charges(finished, result);
            for (OtherCost& cost : charges.costs)
                result.run.other_costs.push_back({valid_utf8(cost.name), cost.cost});
            result.run.add(in_valid_utf8(std::move(charges.notes)));
        }
        if (feature.add != nullptr)
            feature.add(finished, result);
    }
}

}} // namespace bursar::tools
