#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/arena/prefetch.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/pool_prices.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// Keys of events hold 40 bits of milliseconds: no instant may reach this (34.8 years).
inline constexpr std::int64_t horizon_ms = std::int64_t{1} << 40;

/// A plan as plain pointers, for host and device code alike. Valid as long as its plan.
struct PlanView {
    const std::int64_t* submit_ms{};
    const std::int64_t* work_ms{};
    const std::uint16_t* shape{};
    const std::uint16_t* job_class{};
    const std::uint16_t* tenant{};
    const JobEnd* end{};
    const std::int64_t* estimate_ms{};      ///< null: exact
    const std::int32_t* priority{};         ///< null: all 0
    const std::int64_t* deadline_ms{};      ///< null: none
    const std::int64_t* value_nano_usd{};   ///< null: all 0
    const std::uint32_t* num_needed{};      ///< null: no job waits for others
    const std::uint32_t* dependent_begin{}; ///< likewise
    const std::uint32_t* dependents{};
    const std::int64_t* think_ms{};       ///< null: all 0
    const std::uint32_t* tenant_weight{}; ///< null: all 1
    const JobShape* shapes{};
    const PlanClass* classes{};
    const PlanForm* forms{};
    const PlanPair* pairs{}; ///< null: no jobs share GPUs
    const PlanSpeed* speeds{};
    const PlanPool* pools{};
    const std::uint16_t* pool_preference{};
    const std::uint16_t* pools_by_name{};
    const std::uint16_t* pool_orders{};
    const std::uint8_t* pool_region{}; ///< null: not asked for
    std::uint32_t num_jobs{};
    std::uint32_t num_shapes{};
    std::uint32_t num_classes{};
    std::uint32_t num_pairs{};
    std::uint32_t num_pools{};
    std::uint32_t num_tenants{};
    std::uint32_t num_levels{1};
    const std::uint32_t* node_group{};
    const std::uint32_t* level_begin{};
    std::uint32_t num_paces{1};       ///< as Plan::num_paces
    const std::uint8_t* slow_nodes{}; ///< null: none is
    const std::uint32_t* slow_begin{};
    PoolPrices prices{};
    PoolMeter grid{};
    const WorldEvent* world{};
    std::uint32_t num_world_events{};
    const PlanProvisioning* provisioning{}; ///< null: all nodes are there all the time
    const std::int64_t* boot_ms{};
    const JobFallback* fallbacks{}; ///< null: none
    std::uint32_t num_fallbacks{};
    std::uint32_t num_preferences{}; ///< entries of pool_preference
    std::uint32_t num_regions{};     ///< of pool_region
    PlanMigration migration{};
    PlanStaging staging{};
    const std::int64_t* risk_stretch{};    ///< null: none
    const std::int64_t* egress_nano_usd{}; ///< null: nothing
    bool keeps_pace{};
    bool drops_late{};       ///< as Plan::drops_late
    bool needs_completion{}; ///< as Plan::needs_completion
    bool orders_change{};    ///< orders in pool_preference may change
    bool admission_changes{};
    bool one_pool_for_all{}; ///< the only pool, which every shape may use at any time
    const PlanQuota* quotas{};
    std::uint32_t num_quotas{};
    const OwnFailures* own_failures{}; ///< null: no job fails by itself
    std::uint64_t own_failure_seed{};
    bool moves{}; ///< as Plan::moves
    bool has_until{};
    std::int64_t until_ms{}; ///< horizon_ms where the plan names no end
    bool has_window_end{};
    std::int64_t window_begin_ms{}; ///< the ledger counts [begin, end) only
    std::int64_t window_end_ms{};   ///< past every instant where the plan names no end

    [[nodiscard]] BURSAR_HD ShapeId shape_of(JobId job) const { return ShapeId{shape[job]}; }
    [[nodiscard]] BURSAR_HD bool has_dependencies() const { return num_needed != nullptr; }
    /// Whether a job is dropped if it waits and must miss its deadline.
    [[nodiscard]] BURSAR_HD bool may_be_dropped(JobId job) const {
        return drops_late && classes[job_class[job]].drops_late &&
               deadline_ms[job] != no_deadline_ms;
    }
    [[nodiscard]] BURSAR_HD TenantId tenant_of(JobId job) const { return TenantId{tenant[job]}; }

    /// The class by which a job works in one of its forms, or in its own shape.
    [[nodiscard]] BURSAR_HD std::uint16_t class_in(JobId job, ShapeId form) const {
        const std::uint16_t own = job_class[job];
        for (std::uint32_t i = 0; i < classes[own].num_forms; ++i)
            if (const PlanForm& one = forms[classes[own].form_begin + i]; one.shape == form)
                return one.job_class;
        return own;
    }

    /// How a job works beside another one on the same GPUs; null: they can't share any.
    [[nodiscard]] const PlanPair* pair_of(JobId job, JobId partner) const {
        const std::uint32_t wanted = key_of(job_class[job], job_class[partner]);
        const PlanPair* const last = pairs + num_pairs;
        const PlanPair* const found =
            std::lower_bound(pairs, last, wanted, [](const PlanPair& pair, std::uint32_t key) {
                return key_of(pair.job_class, pair.partner) < key;
            });
        const bool is_there = found != last && key_of(found->job_class, found->partner) == wanted;
        return is_there ? found : nullptr;
    }

    /// Prefetches the columns that a job's first start reads.
    BURSAR_HD void prefetch_start_of(JobId job) const {
        prefetch(work_ms + job);
        prefetch(job_class + job);
        prefetch(tenant + job);
        prefetch(end + job);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t gpus(JobId job) const { return shapes[shape[job]].gpus; }
    [[nodiscard]] BURSAR_HD std::uint32_t weight(TenantId of_tenant) const {
        return tenant_weight == nullptr ? 1 : tenant_weight[of_tenant];
    }
    /// The scheduler's estimate of the time at work at reference speed.
    [[nodiscard]] BURSAR_HD std::int64_t believed_work_ms(JobId job) const {
        return estimate_ms == nullptr ? work_ms[job] : estimate_ms[job];
    }
    /// Time until a job's work ends if it starts now: the time before its work, the work left (both
    /// in ms) and the saves in between, at the interval of its class.
    [[nodiscard]] BURSAR_HD Duration remaining(JobId job,
                                               std::int64_t delay_ms,
                                               std::int64_t work_left_ms) const {
        const PlanClass& own = classes[job_class[job]];
        return Duration{delay_ms + WorkPattern{own, own.interval.count()}.elapsed(work_left_ms)};
    }
    /// A job that has not run yet.
    [[nodiscard, gnu::always_inline]] BURSAR_HD JobView view(JobId job) const {
        JobView view;
        view.index = job;
        view.gpus = gpus(job);
        view.gpu_slots = shapes[shape[job]].gpu_slots;
        view.submit = Duration{submit_ms[job]};
        view.run_time = Duration{believed_work_ms(job)};
        view.remaining =
            remaining(job, classes[job_class[job]].startup.count(), believed_work_ms(job));
        view.tenant = tenant[job];
        if (priority != nullptr)
            view.priority = priority[job];
        if (value_nano_usd != nullptr)
            view.value_nano_usd = value_nano_usd[job];
        if (deadline_ms != nullptr && deadline_ms[job] != no_deadline_ms)
            view.deadline = Duration{deadline_ms[job]};
        return view;
    }
    /// row: PlanClass::speed_row, not 0.
    [[nodiscard]] BURSAR_HD const PlanSpeed&
    speed(std::uint16_t row, PoolId pool, std::uint32_t level) const {
        return speeds[((row - 1U) * std::size_t{num_pools} + pool) * num_paces + level];
    }
    /// How jobs of a class fail by their own fault on a pool. Precondition: own_failures is not
    /// null.
    [[nodiscard]] BURSAR_HD const OwnFailures& failures_of(std::uint16_t of_class,
                                                           PoolId pool) const {
        return own_failures[std::size_t{of_class} * num_pools + pool];
    }
    /// How a class works and saves on a pool.
    [[nodiscard, gnu::always_inline]] BURSAR_HD WorkPattern pattern(std::uint16_t of_class,
                                                                    PoolId pool) const {
        const PlanClass& own = classes[of_class];
        if (saves_on_the_way(own.checkpoint)) [[unlikely]]
            return {own, interval_on(own, pool)};
        return {own, 0};
    }
    /// Time at work between saves of a class, on a pool.
    [[nodiscard, gnu::cold, gnu::noinline]] BURSAR_HD std::int64_t interval_on(const PlanClass& own,
                                                                               PoolId pool) const {
        const std::int64_t here_ms =
            own.speed_row == 0 ? 0 : speed(own.speed_row, pool, 0).interval_ms;
        return here_ms == 0 ? own.interval.count() : here_ms;
    }
    /// Precondition: some nodes are slow.
    [[nodiscard]] BURSAR_HD bool is_slow(PoolId pool, std::uint32_t node) const {
        return slow_nodes[slow_begin[pool] + node] != 0;
    }
    /// The group of a node at a locality level. Precondition: num_levels > 1.
    [[nodiscard]] BURSAR_HD std::uint32_t
    group_of(PoolId pool, std::uint32_t level, std::uint32_t node) const {
        return node_group[level_begin[pool * num_levels + level] + node];
    }

  private:
    [[nodiscard]] static constexpr std::uint32_t key_of(std::uint16_t of_class,
                                                        std::uint16_t partner) {
        return std::uint32_t{of_class} << 16U | partner;
    }
};

/// Time at work on `pool`, at a locality level, for `work_ms` of reference work of a class.
[[nodiscard]] BURSAR_HD inline std::int64_t elapsed_by_class(const PlanView& plan,
                                                             std::uint16_t job_class,
                                                             std::int64_t work_ms,
                                                             PoolId pool,
                                                             std::uint32_t level) {
    const std::uint16_t row = plan.classes[job_class].speed_row;
    return row == 0 ? work_ms : elapsed_ms(work_ms, plan.speed(row, pool, level).speed);
}
/// The same for a job in its own shape.
[[nodiscard]] BURSAR_HD inline std::int64_t elapsed_on(
    const PlanView& plan, JobId job, std::int64_t work_ms, PoolId pool, std::uint32_t level) {
    return elapsed_by_class(plan, plan.job_class[job], work_ms, pool, level);
}

template <class T>
const T* column_or_null(const std::vector<T>& column) {
    return column.empty() ? nullptr : column.data();
}

/// Calls `visit(pointer, column)` for each pointer of a view and the column of the plan that it
/// points to; null if the column is empty.
template <class Visit>
void each_column(PlanView& view, const Plan& plan, const Visit& visit) {
    visit(view.submit_ms, plan.submit_ms);
    visit(view.work_ms, plan.work_ms);
    visit(view.shape, plan.shape);
    visit(view.job_class, plan.job_class);
    visit(view.tenant, plan.tenant);
    visit(view.end, plan.end);
    visit(view.estimate_ms, plan.estimate_ms);
    visit(view.priority, plan.priority);
    visit(view.deadline_ms, plan.deadline_ms);
    visit(view.value_nano_usd, plan.value_nano_usd);
    visit(view.num_needed, plan.num_needed);
    visit(view.dependent_begin, plan.dependent_begin);
    visit(view.dependents, plan.dependents);
    visit(view.think_ms, plan.think_ms);
    visit(view.tenant_weight, plan.tenant_weight);
    visit(view.shapes, plan.shapes);
    visit(view.classes, plan.classes);
    visit(view.forms, plan.forms);
    visit(view.pairs, plan.pairs);
    visit(view.speeds, plan.speeds);
    visit(view.pools, plan.pools);
    visit(view.pool_preference, plan.pool_preference);
    visit(view.pools_by_name, plan.pools_by_name);
    visit(view.pool_orders, plan.pool_orders);
    visit(view.pool_region, plan.pool_region);
    visit(view.node_group, plan.node_group);
    visit(view.level_begin, plan.level_begin);
    visit(view.slow_nodes, plan.slow_nodes);
    visit(view.slow_begin, plan.slow_begin);
    visit(view.world, plan.world);
    visit(view.provisioning, plan.provisioning);
    visit(view.boot_ms, plan.boot_ms);
    visit(view.fallbacks, plan.fallbacks);
    visit(view.risk_stretch, plan.risk_stretch);
    visit(view.egress_nano_usd, plan.egress_nano_usd);
    visit(view.quotas, plan.quotas);
    visit(view.own_failures, plan.own_failures);
    view.prices.each_column(view.pools, plan, visit);
    view.grid.each_column(plan.grid, visit);
}

/// Preconditions, which compilation checks: fewer than 2^32 - 1 jobs; `until` inside the horizon.
inline PlanView view_of(const Plan& plan) {
    assert(plan.num_jobs() < 0xffffffffU);
    assert(!plan.until || plan.until->count() < horizon_ms);
    PlanView view{
        .num_jobs = static_cast<std::uint32_t>(plan.num_jobs()),
        .num_shapes = static_cast<std::uint32_t>(plan.shapes.size()),
        .num_classes = static_cast<std::uint32_t>(plan.classes.size()),
        .num_pairs = static_cast<std::uint32_t>(plan.pairs.size()),
        .num_pools = static_cast<std::uint32_t>(plan.pools.size()),
        .num_tenants = plan.num_tenants,
        .num_levels = plan.num_levels,
        .num_paces = plan.num_paces(),
        .num_world_events = static_cast<std::uint32_t>(plan.world.size()),
        .num_fallbacks = static_cast<std::uint32_t>(plan.fallbacks.size()),
        .num_preferences = static_cast<std::uint32_t>(plan.pool_preference.size()),
        .num_regions = static_cast<std::uint32_t>(plan.num_regions()),
        .migration = plan.migration,
        .staging = plan.staging,
        .keeps_pace = plan.keeps_pace,
        .drops_late = plan.drops_late(),
        .needs_completion = plan.needs_completion,
        .orders_change = !plan.pool_orders.empty(),
        .admission_changes = plan.admission_changes,
        .one_pool_for_all = plan.pools.size() == 1 && !plan.admission_changes,
        .num_quotas = static_cast<std::uint32_t>(plan.quotas.size()),
        .own_failure_seed = plan.own_failure_seed,
        .moves = plan.moves(),
        .has_until = plan.until.has_value(),
        .until_ms = plan.until ? plan.until->count() : horizon_ms,
        .has_window_end = plan.measure_to.has_value(),
        .window_begin_ms = plan.measure_from.count(),
        .window_end_ms =
            plan.measure_to ? plan.measure_to->count() : std::numeric_limits<std::int64_t>::max(),
    };
    each_column(
        view, plan, [](auto& pointer, const auto& column) { pointer = column_or_null(column); });
    return view;
}

}} // namespace bursar::sim
