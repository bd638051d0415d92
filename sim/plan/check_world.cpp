#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/units/int128.hpp"

#include "sim/plan/plan_flaw.hpp"

namespace bursar { inline namespace sim {
namespace {

constexpr std::uint32_t max_boot_bits = 31;

bool is_node(const Plan& plan, const WorldEvent& event) {
    return event.pool < plan.pools.size() && event.node < plan.pools[event.pool].num_nodes;
}
bool is_number_of_nodes(const Plan& plan, const WorldEvent& event) {
    return event.pool < plan.pools.size() && event.node <= plan.pools[event.pool].num_nodes;
}
/// Where launches may fail they are tried again later.
bool has_retry(const Plan& plan, const WorldEvent& event) {
    if (event.pool >= plan.pools.size() || plan.provisioning.empty())
        return event.pool < plan.pools.size();
    const PlanProvisioning& rule = plan.provisioning[event.pool];
    return rule.is_fixed || (rule.retry_ms > 0 && rule.max_retry_ms > 0);
}
/// Orders of all pools begin at multiples of their number.
bool is_order_change(const Plan& plan, const WorldEvent& event) {
    const std::size_t num_pools = plan.pools.size();
    return event.job % num_pools == 0 && event.job + num_pools <= plan.pool_preference.size() &&
           event.node % num_pools == 0 && event.node + num_pools <= plan.pool_orders.size();
}
/// Whether what an event speaks of is there.
bool speaks_of_plan(const Plan& plan, const WorldEvent& event) {
    switch (event.kind) {
    case WorldEventKind::stop_job:
        return event.job < plan.num_jobs();
    case WorldEventKind::node_offline:
    case WorldEventKind::node_online:
    case WorldEventKind::node_closes:
        return is_node(plan, event);
    case WorldEventKind::supply:
    case WorldEventKind::min_nodes:
        return is_number_of_nodes(plan, event);
    case WorldEventKind::pool_ends:
        return event.pool < plan.pools.size();
    case WorldEventKind::pool_order:
        return is_order_change(plan, event);
    case WorldEventKind::launches:
        return has_retry(plan, event);
    case WorldEventKind::pool_admits:
        return event.pool < plan.pools.size() && plan.admission_changes;
    case WorldEventKind::shape_admits:
        return event.job < plan.shapes.size() && plan.admission_changes;
    case WorldEventKind::run_closes:
        return true;
    }
    return false;
}

void check_events(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(plan.world.size() < 0xffffffffU, "the plan has too many events of the world");
    flaw.each("world", plan.world, [&](const WorldEvent& one, std::size_t i) {
        return is_instant(one.time_ms) && (i == 0 || plan.world[i - 1].time_ms <= one.time_ms) &&
               is_span(one.hold_ms) && one.cause <= StopCause::migrated &&
               one.cause != StopCause::none && speaks_of_plan(plan, one);
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
