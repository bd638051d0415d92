#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/world/offline_split.hpp"

/// Books the time of what nobody holds. By one lane.
namespace bursar { inline namespace sim {

/// Books what was paid for over [begin, end) and not there: offline, and held by nobody.
template <class Capacity>
[[gnu::noinline, gnu::cold]] BURSAR_HD void charge_offline(RunState& state,
                                                           const PlanView& plan,
                                                           const Capacity& capacity,
                                                           std::int64_t begin_ms,
                                                           std::int64_t end_ms) {
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        const std::int64_t slots_of_node =
            std::int64_t{plan.pools[pool].gpus_per_node} * slots_per_gpu;
        OfflineSplit split{state.fleet[pool], slots_of_node, capacity.offline_slots(pool)};
        if (state.ledger.is_detailed())
            split.charge(state.ledger, pool, begin_ms, end_ms);
        else
            split.charge(state.ledger.time_alone(), pool, begin_ms, end_ms);
    }
}

/// Books what nobody held over [begin, end). Why what was free was not used the pass knows; where
/// nobody may start anywhere, those who wait explain it, whatever is held for whom.
template <class Engine, class Pass>
BURSAR_HD void
charge_unused(Engine& engine, Pass& pass, std::int64_t begin_ms, std::int64_t end_ms) {
    using Queue = std::remove_reference_t<decltype(engine.queue())>;
    if constexpr (Queue::has.come_back && Queue::has.num_pending) {
        if (engine.plan().moves) [[unlikely]] {
            RunState& state = engine.state();
            charge_offline(state, engine.plan(), engine.capacity(), begin_ms, end_ms);
            if (state.shapes.admit_nobody()) {
                state.idle.charge_by_demand(
                    state.ledger, engine.capacity(), engine.queue(), begin_ms, end_ms);
                return;
            }
        }
    }
    pass.charge_idle(engine, begin_ms, end_ms);
}

}} // namespace bursar::sim
