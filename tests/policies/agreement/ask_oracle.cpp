#include "tests/policies/agreement/ask_oracle.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/reliability/job_failures.hpp"

#include "policies/allocator/registry.hpp"
#include "policies/broker/cost_of_work.hpp"
#include "policies/broker/migrate.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/queue/registry.hpp"

#include "tests/oracle/naive_scheduler.hpp"
#include "tests/policies/agreement/tell_world.hpp"

namespace bursar::test {
namespace {

oracle::Saving saving_of(Checkpoint checkpoint) {
    switch (checkpoint) {
    case Checkpoint::on_preempt:
    case Checkpoint::every_on_preempt:
        return oracle::Saving::when_preempted;
    case Checkpoint::on_notice:
    case Checkpoint::every_on_notice:
        return oracle::Saving::when_announced;
    case Checkpoint::none:
    case Checkpoint::every:
        return oracle::Saving::never;
    }
    return oracle::Saving::never;
}

bool is_periodic(Checkpoint checkpoint) {
    return checkpoint == Checkpoint::every || checkpoint == Checkpoint::every_on_preempt ||
           checkpoint == Checkpoint::every_on_notice;
}

oracle::Outcome outcome_of(JobEnd end) {
    switch (end) {
    case JobEnd::completed:
        return oracle::Outcome::kept;
    case JobEnd::failed:
        return oracle::Outcome::failed;
    case JobEnd::cancelled:
        return oracle::Outcome::cancelled;
    case JobEnd::stopped:
        return oracle::Outcome::stopped;
    case JobEnd::node_failed:
        return oracle::Outcome::node_failed;
    case JobEnd::rejected: // waits for ever
        break;
    }
    return oracle::Outcome::kept;
}

/// How a job fails by its own fault; both use the same draws.
oracle::Failing failing_of(const Plan& plan, std::size_t job) {
    oracle::Failing failing;
    failing.wear = [seed = plan.own_failure_seed, job](std::int64_t number) {
        return wear_to_failure(
            seed, static_cast<std::uint32_t>(job), static_cast<std::uint32_t>(number));
    };
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const OwnFailures& own = plan.own_failures[plan.job_class[job] * plan.pools.size() + pool];
        failing.per_ms.push_back(own.per_job + own.per_gpu * plan.gpus(job));
        failing.hold_ms.push_back(own.hold_ms);
    }
    return failing;
}

/// The paces of a class by pool; empty: full speed everywhere.
std::vector<oracle::Pace> paces_of(const Plan& plan, std::uint16_t job_class, std::size_t level) {
    std::vector<oracle::Pace> paces;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if (const PlanSpeed* speed = plan.speed_by_class(job_class, pool, level)) {
            oracle::Pace& pace = paces.emplace_back();
            pace.speed = speed->speed;
            pace.interval_ms = speed->interval_ms;
            for (std::size_t stall = 0; stall < num_stalls; ++stall)
                pace.idle_slots[stall] = speed->stalled_slots[stall];
        }
    return paces;
}

std::vector<oracle::Form> forms_of(const Plan& plan, const PlanClass& job_class) {
    std::vector<oracle::Form> forms;
    for (std::uint32_t i = 0; i < job_class.num_forms; ++i) {
        const PlanForm& form = plan.forms[job_class.form_begin + i];
        const JobShape& shape = plan.shapes[form.shape];
        oracle::Form& one = forms.emplace_back();
        one.gpus = shape.gpus;
        one.permitted_pools = shape.permitted_pools;
        one.cpu_milli = shape.cpu_milli;
        one.memory_mib = shape.memory_mib;
        one.paces = paces_of(plan, form.job_class, 0);
        if (!plan.slow_nodes.empty())
            one.slow_paces = paces_of(plan, form.job_class, plan.num_levels);
        for (std::size_t pool = 0; pool < plan.pools.size() && !plan.own_failures.empty(); ++pool) {
            const OwnFailures& own = plan.own_failures[form.job_class * plan.pools.size() + pool];
            one.failing_per_ms.push_back(own.per_job + own.per_gpu * one.gpus);
        }
    }
    return forms;
}

/// A plan as requests of the oracle: job by job, nothing shared.
std::vector<oracle::Request> requests_of(const Plan& plan) {
    std::vector<oracle::Request> requests;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const PlanClass& job_class = plan.classes[plan.job_class[job]];
        oracle::Request& request = requests.emplace_back();
        request.submit_ms = plan.submit_ms[job];
        request.work_ms = plan.work_ms[job];
        request.gpus = plan.gpus(job);
        request.permitted_pools = plan.shapes[plan.shape[job]].permitted_pools;
        request.startup_ms = job_class.startup.count();
        request.staged_ms = job_class.staged.count();
        request.of_class = plan.job_class[job];
        request.recovery_ms = job_class.recovery.count();
        request.teardown_ms = job_class.teardown.count();
        request.saving = saving_of(job_class.checkpoint);
        request.save_ms = job_class.save.count();
        if (is_periodic(job_class.checkpoint))
            request.interval_ms = job_class.interval.count();
        request.write_ms = job_class.write.count();
        request.full_every = job_class.full_every;
        request.increment_ms = job_class.increment.count();
        request.increment_write_ms = job_class.increment_write.count();
        request.tenant = plan.tenant[job];
        request.cpu_milli = plan.shapes[plan.shape[job]].cpu_milli;
        request.memory_mib = plan.shapes[plan.shape[job]].memory_mib;
        request.outcome = outcome_of(plan.end[job]);
        if (!plan.estimate_ms.empty())
            request.estimate_ms = plan.estimate_ms[job];
        if (!plan.priority.empty())
            request.priority = plan.priority[job];
        if (!plan.deadline_ms.empty() && plan.deadline_ms[job] != no_deadline_ms)
            request.deadline_ms = plan.deadline_ms[job];
        request.drops_late = job_class.drops_late;
        request.needs_completion = plan.needs_completion;
        if (!plan.value_nano_usd.empty())
            request.value = plan.value_nano_usd[job];
        request.order_row = plan.shapes[plan.shape[job]].order_begin / plan.pools.size();
        if (!plan.pool_region.empty())
            request.egress = plan.egress_nano_usd[plan.job_class[job]];
        if (const std::uint16_t number = plan.shapes[plan.shape[job]].fallback; number != 0) {
            const JobFallback& own = plan.fallbacks[number - 1];
            request.fallback = {own.early_pools, own.late_pools, own.loss_ms, own.boot_ms, number};
        }
        if (!plan.own_failures.empty())
            request.failing = failing_of(plan, job);
        if (!plan.think_ms.empty())
            request.think_ms = plan.think_ms[job];
        request.paces = paces_of(plan, plan.job_class[job], 0);
        if (!plan.slow_nodes.empty())
            request.slow_paces = paces_of(plan, plan.job_class[job], plan.num_levels);
        request.rescale_ms = job_class.rescale.count();
        request.keeps_form = job_class.is_moldable;
        request.forms = forms_of(plan, job_class);
        for (const PlanPair& pair : plan.pairs)
            if (pair.job_class == plan.job_class[job])
                request.beside.push_back(
                    {pair.partner,
                     pair.pools,
                     paces_of(plan, pair.paired_class, 0),
                     plan.slow_nodes.empty() ? std::vector<oracle::Pace>{}
                                             : paces_of(plan, pair.paired_class, plan.num_levels)});
    }
    for (std::size_t job = 0; plan.has_dependencies() && job < plan.num_jobs(); ++job)
        for (std::uint32_t at = plan.dependent_begin[job]; at < plan.dependent_begin[job + 1]; ++at)
            requests[plan.dependents[at]].after.push_back(job);
    for (std::size_t job = 0; plan.has_dependencies() && job < plan.num_jobs(); ++job)
        requests[job].waits_forever = requests[job].after.size() < plan.num_needed[job];
    return requests;
}

std::vector<oracle::Pool> pools_of(const Plan& plan) {
    std::vector<oracle::Pool> pools;
    for (const PlanPool& pool : plan.pools) {
        std::vector<bool> slow;
        for (std::uint32_t node = 0; !plan.slow_nodes.empty() && node < pool.num_nodes; ++node)
            slow.push_back(plan.slow_nodes[plan.slow_begin[pools.size()] + node] != 0);
        pools.push_back({std::to_string(pools.size()),
                         pool.num_nodes,
                         pool.gpus_per_node,
                         pool.cpu_milli,
                         pool.memory_mib,
                         std::move(slow)});
    }
    return pools;
}

/// For an order without a rule in the oracle: the keys by its functor at arrival.
void set_keys(std::vector<oracle::Request>& requests,
              const Plan& plan,
              const PolicyChoice& choice) {
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        if constexpr (RuleOf<P>::traits.by == OrderBy::key) {
            const auto order = with_options<P>(choice.queue_options, plan);
            const PlanView view = view_of(plan);
            for (JobId job{0}; job < requests.size(); ++job)
                requests[job].key = order.key(view.view(job));
        }
    });
}

/// The value of an option, or its default. Precondition: the policy has it.
std::int64_t value_of(const char* policy_slot,
                      const std::string& name,
                      const PolicyOptions& given,
                      const char* option) {
    const PolicyInfo info = find_policy(policy_slot, name).value();
    return given.value(*option_of(info, option));
}

/// Applies an order's options.
void set_order(oracle::NaiveRules& rules, const PolicyChoice& choice) {
    static const std::map<std::string, oracle::Order> orders{
        {"fifo", oracle::Order::fifo},
        {"sjf", oracle::Order::sjf},
        {"srtf", oracle::Order::srtf},
        {"smallest", oracle::Order::smallest},
        {"las", oracle::Order::las},
        {"gittins", oracle::Order::gittins},
        {"priority", oracle::Order::priority},
        {"edf", oracle::Order::edf},
        {"value-density", oracle::Order::value_density},
        {"fair-share", oracle::Order::fair_share},
        {"drf", oracle::Order::drf},
        {"multifactor", oracle::Order::multifactor},
        {"ftf", oracle::Order::ftf}};
    const auto known = orders.find(choice.queue);
    rules.order = known == orders.end() ? oracle::Order::by_key : known->second;
    const auto value = [&](const char* option) {
        return value_of("queue", choice.queue, choice.queue_options, option);
    };
    const auto given = [&](const char* option) {
        const auto& all = choice.queue_options.given();
        return all.contains(option) ? all.at(option) : std::vector<std::int64_t>{};
    };
    switch (rules.order) {
    case oracle::Order::srtf:
        if (value("by") == 1)
            rules.order = oracle::Order::srtf_gpu_time;
        break;
    case oracle::Order::las:
        rules.las_by_gpu_time = value("by") == 0;
        rules.queue_limits = given(rules.las_by_gpu_time ? "levels" : "times");
        rules.starve_limit = value("starve_limit");
        rules.wake = value("wake") == 1 ? oracle::WakeRule::tiresias : oracle::WakeRule::exact;
        break;
    case oracle::Order::gittins:
        rules.max_lists = static_cast<std::size_t>(value("levels"));
        rules.sizes = given("distribution");
        rules.delta_ms = value("index") == 1 ? value("delta") : 0;
        rules.queue_limits = given("queues");
        rules.starve_limit = rules.queue_limits.empty() ? 0 : value("starve_limit");
        rules.wake = value("wake") == 1 ? oracle::WakeRule::tiresias : oracle::WakeRule::exact;
        break;
    case oracle::Order::fair_share:
        rules.use = {value("half_life"), value("period")};
        break;
    case oracle::Order::multifactor:
        rules.use = {value("half_life"), value("period")};
        rules.factors = {value("age"),
                         value("size"),
                         value("fair_share"),
                         value("priority"),
                         value("max_age"),
                         value("favor") == 1};
        break;
    default:
        break;
    }
}

/// The victim rule of the choice, and the order among jobs of equal rank.
void set_stop(oracle::NaiveRules& rules, const PolicyChoice& choice) {
    static const std::map<std::string, oracle::Stop, std::less<>> stops{
        {"none", oracle::Stop::never},
        {"order", oracle::Stop::order},
        {"quantum", oracle::Stop::order},
        {"priority", oracle::Stop::priority},
        {"value", oracle::Stop::value}};
    const std::string preemption{preemption_of(choice)};
    rules.stop = stops.at(preemption);
    if (choice.allocator == FifoPerf::name) {
        rules.stop = oracle::Stop::fastest;
        if (choice.allocator_options.value(packing_option) == 1)
            rules.packing_gain_milli = choice.allocator_options.value(packing_gain_option);
    }
    if (choice.allocator == Optimus::name)
        rules.stop = oracle::Stop::gain;
    if (choice.allocator == EarliestDeadlineAllocation::name)
        rules.stop = oracle::Stop::deadline;
    const auto value = [&](const char* option) {
        return value_of("preemption", preemption, choice.preemption_options, option);
    };
    if (preemption == "order" && value("unfinished_recovery") == 1)
        rules.restart = oracle::RestartRule::adds_up;
    if (rules.stop == oracle::Stop::order && !queue_has_keys(choice))
        rules.stop = oracle::Stop::share;
    if (rules.takes_victims())
        rules.limits = {value("max_per_job"), value("min_run"), value("grace")};
    if (preemption == "quantum" && rules.order == oracle::Order::fifo)
        rules.order = oracle::Order::turns;
    const bool has_ties =
        rules.order == oracle::Order::las || rules.order == oracle::Order::gittins;
    const bool by_submit =
        has_ties && value_of("queue", choice.queue, choice.queue_options, "ties") == 1;
    const bool keeps_turns = (has_ties && !by_submit) || rules.order == oracle::Order::turns;
    if (rules.stop == oracle::Stop::order && keeps_turns)
        rules.ties = oracle::TieRule::running_first;
}

/// Every pool's prices, step by step.
std::vector<oracle::PoolPrice> prices_of(const Plan& plan) {
    std::vector<oracle::PoolPrice> prices;
    for (const PlanPool& pool : plan.pools) {
        oracle::PoolPrice& price = prices.emplace_back();
        price.kind = static_cast<oracle::PoolPrice::Kind>(pool.purchase);
        if (!pool.has_series()) {
            price.steps.emplace_back(0, pool.rate.count());
            continue;
        }
        const PriceIndex& series = plan.prices.series[pool.price_series];
        for (std::uint32_t i = 0; i < series.num_steps; ++i) {
            const PriceStep& step = plan.prices.steps[series.first_step + i];
            price.steps.emplace_back(step.start_ms, step.rate);
        }
    }
    return prices;
}

/// The rules of migration. The lengthening of work by interruptions is a formula with separate
/// tests.
void set_migration(oracle::NaiveRules& rules, const Plan& plan, const PolicyChoice& choice) {
    rules.migrates = migrates(choice.broker_options);
    if (!rules.migrates)
        return;
    const auto value = [&](const char* option) {
        return value_of("broker", choice.broker, choice.broker_options, option);
    };
    rules.migrate_margin_milli = value("migrate_margin");
    rules.migrate_every_ms = value("migrate_every");
    rules.risk_parts = PlanMigration::one_stretch;
    const std::size_t num_pools = plan.pools.size();
    for (std::size_t at = 0; at < plan.risk_stretch.size(); ++at) {
        if (at % num_pools == 0)
            rules.risk_stretch.emplace_back();
        rules.risk_stretch.back().push_back(plan.risk_stretch[at]);
    }
    for (const std::uint16_t shape : plan.shape)
        rules.kind_of_job.push_back(plan.shapes[shape].order_begin / plan.order_length());
}

/// The order of pools of the choice.
void set_broker(oracle::NaiveRules& rules, const Plan& plan, const PolicyChoice& choice) {
    const bool by_kind = choice.broker == "cheapest-including-risk";
    const bool cheapest = choice.broker == "cheapest-now" || by_kind;
    for (const std::uint16_t shape : plan.shape)
        rules.order_of_job.push_back(plan.shapes[shape].order_begin / plan.pools.size());
    rules.follows_prices = cheapest || choice.broker == "spot-with-fallback";
    rules.prices = prices_of(plan);
    if (cheapest)
        rules.margin_milli = value_of("broker", choice.broker, choice.broker_options, "margin");
    for (const std::uint8_t region : plan.pool_region)
        rules.region_of_pool.push_back(region);
    rules.orders_by_place = by_kind;
    if (by_kind) { // held hours per hour of work are a formula with separate tests
        for (const JobKind& kind : kinds_of(plan)) {
            std::vector<double>& held = rules.held_per_work.emplace_back();
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
                held.push_back(held_per_work_on(plan, kind, pool));
        }
    }
    if (choice.broker == "spot-with-fallback")
        rules.keeps_pace = value_of("broker", choice.broker, choice.broker_options, "pace") == 1;
}

/// Throws std::out_of_range for a choice without a rule in the oracle, except orders.
oracle::NaiveRules rules_of(const Plan& plan, const PolicyChoice& choice) {
    static const std::map<std::string, oracle::PlacementRule> placements{
        {"first-fit", oracle::PlacementRule::first_fit},
        {"consolidated", oracle::PlacementRule::consolidated}};
    static const std::map<std::string, oracle::Backfill> backfills{
        {"none", oracle::Backfill::none},
        {"easy", oracle::Backfill::easy},
        {"conservative", oracle::Backfill::conservative}};
    oracle::NaiveRules rules;
    set_order(rules, choice);
    set_stop(rules, choice);
    rules.head =
        head_of(choice) == HeadRule::skip ? oracle::HeadRule::skip : oracle::HeadRule::block;
    rules.capacity = choice.capacity == capacity_count ? oracle::CapacityRule::count
                                                       : oracle::CapacityRule::nodes;
    if (choice.capacity == capacity_nodes)
        rules.placement = placements.at(choice.placement);
    rules.backfill = backfills.at(choice.backfill);
    if (rules.backfill == oracle::Backfill::conservative)
        rules.depth = static_cast<std::size_t>(
            value_of("backfill", choice.backfill, choice.backfill_options, "depth"));
    rules.quantum_ms = choice.quantum.count();
    rules.tenant_weight.assign(plan.tenant_weight.begin(), plan.tenant_weight.end());
    rules.pool_preference.assign(plan.pool_preference.begin(), plan.pool_preference.end());
    rules.pool_preference.resize(plan.pools.size()); // others are for jobs that differ in theirs
    set_broker(rules, plan, choice);
    set_migration(rules, plan, choice);
    rules.num_staging = plan.staging.num_jobs;
    rules.predict = static_cast<oracle::Prediction>(plan.staging.predict);
    return rules;
}

} // namespace

oracle::History ask_oracle(const Plan& plan, const PolicyChoice& choice) {
    const oracle::NaiveRules rules = rules_of(plan, choice);
    std::vector<oracle::Request> requests = requests_of(plan);
    if (rules.order == oracle::Order::by_key)
        set_keys(requests, plan, choice);
    return oracle::NaiveScheduler{std::move(requests),
                                  pools_of(plan),
                                  rules,
                                  changes_of(plan),
                                  fleet_of(plan),
                                  quotas_of(plan)}
        .run();
}

} // namespace bursar::test
