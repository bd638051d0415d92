#include "scenarios/compile/features/gang_risks.hpp"

#include <algorithm>
#include <cmath>

#include "models/reliability/gang_interruptions.hpp"

#include "policies/broker/cost_of_work.hpp"
#include "policies/broker/registry.hpp"

#include "scenarios/compile/features/failures.hpp"
#include "scenarios/compile/features/predicted_nodes.hpp"
#include "scenarios/compile/features/supply.hpp"

namespace bursar { inline namespace scenarios {

GangRisk gang_risk_of(const Scenario& scenario,
                      std::size_t pool,
                      std::optional<std::int64_t> zero_utc_ms,
                      std::uint32_t nodes,
                      std::uint32_t used) {
    const PoolSpec& on = scenario.fleet[pool];
    GangRisk risk;
    if (on.failures)
        risk.failures = gang_failures_per_hour(
            failure_model(*on.failures), nodes, static_cast<std::uint32_t>(on.gpus_per_node));
    if (on.availability) {
        risk.reclaims = reclaims_per_hour(scenario, pool, zero_utc_ms, nodes, used);
        risk.notice = on.availability->notice;
    }
    if (on.maintenance)
        risk.maintenance = gang_maintenance_per_hour(
            on.maintenance->windows, nodes, static_cast<std::uint32_t>(on.nodes));
    return risk;
}

std::vector<std::uint32_t>
nodes_in_use(const Scenario& scenario, const Plan& plan, Duration until) {
    std::vector<std::uint32_t> used;
    std::vector<HourlyDemand> demand;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        used.push_back(plan.pools[pool].num_nodes);
        if (!spec.has_range())
            continue;
        if (demand.empty())
            demand = hourly_demand(plan, until);
        std::vector<double> nodes; // hour by hour
        for (const HourlyDemand& group : demand) {
            if ((group.permitted_pools >> pool & 1U) == 0)
                continue;
            nodes.resize(std::max(nodes.size(), group.slot_ms.size()));
            for (std::size_t at = 0; at < group.slot_ms.size(); ++at)
                nodes[at] += static_cast<double>(group.slot_ms[at]) /
                             (static_cast<double>(hour.count()) * slots_per_gpu *
                              plan.pools[pool].gpus_per_node);
        }
        double sum = 0;
        double squares = 0;
        for (const double here : nodes) {
            sum += here;
            squares += here * here;
        }
        const double mean = sum > 0 ? std::ceil(squares / sum) : 0;
        used.back() = static_cast<std::uint32_t>(std::clamp(
            mean, static_cast<double>(*spec.min_nodes), static_cast<double>(spec.nodes)));
    }
    return used;
}

void plan_gang_risks(const Scenario& scenario,
                     std::optional<std::int64_t> zero_utc_ms,
                     Duration until,
                     Plan& plan) {
    if (!orders_by_kind(scenario.policy.broker))
        return;
    const std::vector<std::uint32_t> used = nodes_in_use(scenario, plan, until);
    std::vector<GangRisk> risks;
    for (const JobKind& kind : kinds_of(plan)) {
        if (kind.saved_in != 0)
            continue;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            const std::uint32_t per_node = plan.pools[pool].gpus_per_node;
            const std::uint32_t nodes = std::max(1U, (kind.gpus + per_node - 1) / per_node);
            risks.push_back(
                nodes > plan.pools[pool].num_nodes
                    ? GangRisk{}
                    : gang_risk_of(
                          scenario, pool, zero_utc_ms, nodes, std::max(nodes, used[pool])));
        }
    }
    plan.gang_risks = std::move(risks);
}

}} // namespace bursar::scenarios
