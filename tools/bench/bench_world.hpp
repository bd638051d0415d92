#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/market/supply_generators.hpp"
#include "models/reliability/failure_draws.hpp"

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace tools { namespace bench {

/// Each node of the only pool fails every 30 days in the mean, which is noticed after a minute, and
/// is repaired in 6 to 12 hours.
inline void let_nodes_fail(Plan& plan, Duration until) {
    FailureModel model;
    model.components.push_back(
        {.name = "node", .per_node_hour = 1.0 / 24 / 30, .repair = {6 * hour, 12 * hour}});
    const FailingPool failing{.pool = 0,
                              .nodes = plan.pools[0].num_nodes,
                              .gpus_per_node = plan.pools[0].gpus_per_node,
                              .age = Duration{std::int64_t{1} << 40}};
    for (const NodeFailure& one : draw_failures(model, std::array{failing}, until, 1)) {
        plan.world.emplace_back(one.time_ms, NodeOffline{.node = one.node, .hold_ms = 60'000});
        plan.world.emplace_back(one.time_ms + one.repair_ms, NodeOnline{.node = one.node});
    }
}

/// The provider takes each node of the only pool back once a day in the mean, two minutes after it
/// says so, and gives it back an hour later in the mean; it boots in four minutes.
inline void let_nodes_be_reclaimed(Plan& plan, Duration until) {
    const std::uint32_t num_nodes = plan.pools[0].num_nodes;
    PlanProvisioning& rule = plan.provisioning.emplace_back();
    rule.is_fixed = false;
    rule.first_nodes = rule.min_nodes = num_nodes;
    plan.boot_ms = {240'000};
    const ZoneSupply law{static_cast<std::int32_t>(num_nodes),
                         {LifeLaw::exponential(24 * hour), LifeLaw::exponential(hour)},
                         {}};
    const Duration notice = 120 * second;
    auto before = static_cast<std::int32_t>(num_nodes);
    const SupplySeries series = announced(generate(law, until, 1), notice);
    for (const SupplyStep& step : series.steps()) {
        plan.world.emplace_back(
            step.time_ms,
            SupplyChange{.num_nodes = static_cast<std::uint32_t>(step.nodes),
                         .notice_ms = step.nodes < before ? notice.count() : 0});
        before = step.nodes;
    }
}

/// Both: about 4 % of the nodes are away.
inline void let_world_move(Plan& plan) {
    const Duration until{plan.submit_ms.back() + 30 * (24 * hour).count()};
    let_nodes_fail(plan, until);
    let_nodes_be_reclaimed(plan, until);
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

}}} // namespace bursar::tools::bench
