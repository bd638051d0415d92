#include "policies/broker/cost_of_work.hpp"

#include <algorithm>

#include "models/reliability/held_per_work.hpp"

#include "sim/plan/plan_view.hpp"

#include "policies/broker/gang_interruptions.hpp"

namespace bursar::inline policies {
namespace {

Seconds seconds_of(Duration span) {
    return Seconds{static_cast<double>(span.count()) / 1000};
}

double speed_on(const Plan& plan, const PlanClass& own, std::size_t pool) {
    if (own.speed_row == 0)
        return 1;
    const std::size_t row = (own.speed_row - 1U) * plan.pools.size() + pool;
    const PlanSpeed& speed = plan.speeds[row * plan.num_paces() + plan.num_levels - 1];
    return static_cast<double>(speed.speed) / static_cast<double>(reference_speed);
}

} // namespace

double held_per_work_on(const Plan& plan, const JobKind& kind, std::size_t pool) {
    const PlanClass& own = plan.classes[kind.job_class];
    const double speed = speed_on(plan, own, pool);
    const std::uint32_t per_node = plan.pools[pool].gpus_per_node;
    const std::uint32_t nodes = std::max(1U, (kind.gpus + per_node - 1) / per_node);
    if (kind.work == Duration{} || nodes > plan.pools[pool].num_nodes)
        return 1 / speed;
    const GangInterruptions interruptions = gang_interruptions(plan, pool, nodes);
    InterruptedWork work;
    work.work = Seconds{seconds_of(kind.work).count() / speed};
    if (saves_on_the_way(own.checkpoint))
        work.interval = seconds_of(
            Duration{view_of(plan).interval_on(own, PoolId{static_cast<std::uint32_t>(pool)})});
    work.save = seconds_of(own.save);
    work.restart = seconds_of(own.recovery);
    work.saves_as_it_ends = saves_at_stop(own.checkpoint, StopCause::reclaimed) &&
                            interruptions.notice > Duration{} &&
                            own.save + own.write <= interruptions.notice;
    work.mtbf = interruptions.mtbf;
    return std::min(held_per_work(work) / speed, max_held_per_work);
}

double moving_per_work_to(const Plan& plan, const JobKind& kind, std::size_t pool) {
    if (kind.saved_in == 0 || plan.pool_region[pool] + 1 == kind.saved_in ||
        plan.egress_nano_usd.empty())
        return 0;
    const std::int64_t left_ms = std::max<std::int64_t>(kind.left.count(), 1);
    const double gpu_hours =
        static_cast<double>(left_ms) * kind.gpus / static_cast<double>(hour.count());
    return static_cast<double>(plan.egress_nano_usd[kind.job_class]) / std::max(gpu_hours, 1e-9);
}

WorkCosts costs_of_work(const Plan& plan, const JobKind& kind) {
    WorkCosts costs;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        costs.held.push_back(held_per_work_on(plan, kind, pool));
        costs.moving.push_back(moving_per_work_to(plan, kind, pool));
    }
    return costs;
}

} // namespace bursar::inline policies
