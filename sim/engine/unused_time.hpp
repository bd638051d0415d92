#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "sim/engine/state/run_state.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/world/node_life.hpp"

/// Books the time of capacity that no attempt holds. One lane calls these functions.
namespace bursar { inline namespace sim {

/// Divides the free slots of a pool's nodes that take no work by the states of the nodes: empty
/// nodes first. Attempts that save or clean up still hold the other slots of draining nodes.
class OfflineSplit {
  public:
    BURSAR_HD OfflineSplit(const PoolLife& life, std::int64_t slots_of_node, std::int64_t offline)
        : life_{life}, per_node_{slots_of_node},
          left_{offline - life.num(NodePhase::off) * slots_of_node} {}

    /// books: of a Ledger.
    template <class Books>
    BURSAR_HD void charge(Books& books, PoolId pool, std::int64_t begin_ms, std::int64_t end_ms) {
        begin_ms = books.begin_inside(begin_ms);
        end_ms = books.end_inside(end_ms);
        if (left_ == 0 || end_ms <= begin_ms)
            return;
        const auto charge = [&](Leaf leaf, std::uint32_t num_nodes) {
            if (num_nodes > 0)
                books.charge_slots(
                    pool, books.no_tenant(), leaf, take(num_nodes), begin_ms, end_ms);
        };
        charge(Leaf::unavail_provisioning, life_.num(NodePhase::booting));
        charge(Leaf::unavail_spare, life_.num(NodePhase::spare));
        charge(Leaf::unavail_maintenance,
               life_.num(NodePhase::maintenance) + life_.num(NodePhase::closed));
        charge(Leaf::unavail_down, life_.num(NodePhase::down) + life_.num(NodePhase::draining));
        assert(left_ == 0);
    }

  private:
    [[nodiscard]] BURSAR_HD std::int64_t take(std::uint32_t num_nodes) {
        const std::int64_t most = num_nodes * per_node_;
        const std::int64_t part = most < left_ ? most : left_;
        left_ -= part;
        return part;
    }

    const PoolLife& life_;
    std::int64_t per_node_;
    std::int64_t left_;
};

/// Books slots over [begin, end) that were paid for, free and not usable.
template <class Capacity>
[[gnu::noinline, gnu::cold]] BURSAR_HD void charge_offline(RunState& state,
                                                           const RunPlan& plan,
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

/// Books free capacity over [begin, end), by the pass's reasons. While all pools are closed, it is
/// booked by demand.
template <class Engine, class Pass>
BURSAR_HD void
charge_unused(Engine& engine, Pass& pass, std::int64_t begin_ms, std::int64_t end_ms) {
    using Queue = std::remove_reference_t<decltype(engine.queue())>;
    if constexpr (Queue::has.come_back && Queue::has.num_pending) {
        if (engine.plan().moves) [[unlikely]] {
            RunState& state = engine.state();
            if (!engine.events().empty() || state.next_arrival < engine.plan().num_jobs ||
                state.dependents.next_ms() < horizon_ms || state.late.next_ms() < horizon_ms)
                state.busy_until_ms = end_ms;
            charge_offline(state, engine.plan(), engine.capacity(), begin_ms, end_ms);
            if (state.shapes.all_pools_closed()) {
                state.idle.charge_by_demand(
                    state.ledger, engine.capacity(), engine.queue(), begin_ms, end_ms);
                return;
            }
        }
    }
    pass.charge_idle(engine, begin_ms, end_ms);
}

}} // namespace bursar::sim
