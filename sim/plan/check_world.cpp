#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/units/int128.hpp"

#include "sim/plan/plan_flaw.hpp"

namespace bursar { inline namespace sim {
namespace {

constexpr std::uint32_t max_boot_bits = 31;

/// A cause outside the policies: no event changes the number of GPUs of a job.
bool is_cause(StopCause cause) {
    return cause != StopCause::none && cause != StopCause::resized && cause <= StopCause::migrated;
}
bool is_pool(const Plan& plan, PoolId pool) {
    return pool < plan.pools.size();
}
template <class Fields>
bool is_node(const Plan& plan, const Fields& event) {
    return is_pool(plan, event.pool) && event.node < plan.pools[event.pool].num_nodes;
}
template <class Fields>
bool is_number_of_nodes(const Plan& plan, const Fields& event) {
    return is_pool(plan, event.pool) && event.num_nodes <= plan.pools[event.pool].num_nodes;
}

// Whether the fields of an event name existing things of the plan, by kind.

bool is_right(const Plan& plan, const StopJob& event) {
    return event.job < plan.num_jobs() && is_cause(event.cause);
}
bool is_right(const Plan& plan, const NodeOffline& event) {
    return is_node(plan, event) && is_cause(event.cause);
}
bool is_right(const Plan& plan, const NodeOnline& event) {
    return is_node(plan, event) && is_cause(event.cause);
}
/// If launches may fail, the times of retries must be set.
bool is_right(const Plan& plan, const LaunchesChange& event) {
    if (!is_pool(plan, event.pool) || plan.provisioning.empty())
        return is_pool(plan, event.pool);
    const PlanProvisioning& rule = plan.provisioning[event.pool];
    return rule.is_fixed || (rule.retry_ms > 0 && rule.max_retry_ms > 0);
}
/// Orders of all pools begin at multiples of their number.
bool is_right(const Plan& plan, const OrderChange& event) {
    const std::size_t num_pools = plan.pools.size();
    return event.preference % num_pools == 0 &&
           event.preference + num_pools <= plan.pool_preference.size() &&
           event.order % num_pools == 0 && event.order + num_pools <= plan.pool_orders.size();
}
bool is_right(const Plan& plan, const PoolAdmission& event) {
    return is_pool(plan, event.pool) && is_cause(event.cause) && plan.admission_changes;
}
bool is_right(const Plan& plan, const ShapeAdmission& event) {
    return event.shape < plan.shapes.size() && is_cause(event.cause) && plan.admission_changes;
}

bool is_right(const Plan& plan, const WorldEvent& event) {
    switch (event.kind()) {
    case WorldEventKind::stop_job:
        return is_right(plan, event.as<StopJob>());
    case WorldEventKind::node_offline:
        return is_right(plan, event.as<NodeOffline>());
    case WorldEventKind::node_online:
        return is_right(plan, event.as<NodeOnline>());
    case WorldEventKind::node_closes:
        return is_node(plan, event.as<NodeCloses>());
    case WorldEventKind::supply:
        return is_number_of_nodes(plan, event.as<SupplyChange>());
    case WorldEventKind::min_nodes:
        return is_number_of_nodes(plan, event.as<MinNodesChange>());
    case WorldEventKind::pool_order:
        return is_right(plan, event.as<OrderChange>());
    case WorldEventKind::launches:
        return is_right(plan, event.as<LaunchesChange>());
    case WorldEventKind::pool_admits:
        return is_right(plan, event.as<PoolAdmission>());
    case WorldEventKind::shape_admits:
        return is_right(plan, event.as<ShapeAdmission>());
    case WorldEventKind::run_closes:
        return true;
    }
    return false;
}

void check_events(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(plan.world.size() < 0xffffffffU, "the plan has too many events of the world");
    flaw.each("world", plan.world, [&](const WorldEvent& one, std::size_t i) {
        return is_instant(one.time_ms) && (i == 0 || plan.world[i - 1].time_ms <= one.time_ms) &&
               is_span(one.span_ms()) && is_right(plan, one);
    });
}

void check_provisioning(const Plan& plan, PlanFlaw& flaw) {
    flaw.length_if_any("provisioning", plan.provisioning, plan.pools.size());
    flaw.each("boot_ms", plan.boot_ms, [](std::int64_t ms) { return is_span(ms); });
    flaw.each("provisioning", plan.provisioning, [&](const PlanProvisioning& one, std::size_t p) {
        const std::uint32_t num_nodes = plan.pools[p].num_nodes;
        const bool has_boots =
            one.is_fixed ||
            (one.boot_bits <= max_boot_bits &&
             one.boot_begin + (std::uint64_t{1} << one.boot_bits) <= plan.boot_ms.size());
        return one.first_nodes <= num_nodes && one.min_nodes <= num_nodes &&
               one.spare_nodes <= num_nodes && one.reclaims <= ReclaimOrder::random &&
               is_span(one.idle_timeout_ms) && is_span(one.launch_every_ms) &&
               is_span(one.min_paid_ms) && is_span(one.retry_ms) && is_span(one.max_retry_ms) &&
               is_span(one.takeover_ms) && has_boots;
    });
    flaw.each("quotas", plan.quotas, [&](const PlanQuota& one) {
        return (one.pools & ~all_pools(plan)) == 0;
    });
}

void check_own_failures(const Plan& plan, PlanFlaw& flaw) {
    std::uint32_t most_gpus = 0;
    for (const JobShape& shape : plan.shapes)
        most_gpus = std::max(most_gpus, shape.gpus);
    flaw.length_if_any("own_failures", plan.own_failures, plan.classes.size() * plan.pools.size());
    flaw.each("own_failures", plan.own_failures, [&](const OwnFailures& one) {
        const int128 rate = one.per_job + int128{one.per_gpu} * most_gpus;
        return one.per_job >= 0 && one.per_gpu >= 0 && is_span(one.hold_ms) &&
               rate <= std::numeric_limits<std::int64_t>::max();
    });
}

} // namespace

void check_world(const Plan& plan, PlanFlaw& flaw) {
    check_events(plan, flaw);
    check_provisioning(plan, flaw);
    check_own_failures(plan, flaw);
}

}} // namespace bursar::sim
