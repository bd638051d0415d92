#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// Divides the free GPUs of every pool among the idle leaves for one stretch of time in which
/// nothing changed. The parts of a pool add up to its free GPUs. Cost: shapes x pools, however long
/// the queue is.
///
/// Only totals per shape are read: jobs of a shape are equal in what they could use. `idle.latency`
/// is zero here: the pass that ends each instant leaves nothing that it would start now.
class IdleSplit {
  public:
    IdleSplit() = default;
    BURSAR_HD IdleSplit(ArenaCarver& carver, const PlanView& plan)
        : plan_{plan}, left_free_{carver.take<std::int64_t>(plan.num_pools)},
          left_demand_{carver.take<std::int64_t>(plan.num_shapes)} {}

    /// Nothing pends: nobody could use what is free.
    template <class Capacity>
    BURSAR_HD void charge_no_demand(Ledger& ledger,
                                    const Capacity& capacity,
                                    std::int64_t begin_ms,
                                    std::int64_t end_ms) const {
        charge_all(ledger, capacity, Leaf::idle_no_demand, begin_ms, end_ms);
    }

    /// `head: block`: every free GPU is held for the job at the head while it is blocked.
    template <class Capacity>
    BURSAR_HD void charge_held_for_head(Ledger& ledger,
                                        const Capacity& capacity,
                                        std::int64_t begin_ms,
                                        std::int64_t end_ms) const {
        charge_all(ledger, capacity, Leaf::idle_gang, begin_ms, end_ms);
    }

    /// `head: skip`: pending demand takes free GPUs once each. First the pools where it is
    /// permitted (shapes in plan order, which is fewest permitted pools first; pools by name): as
    /// `fragmented` where the gang is no larger than what is free, then as `gang` where it is
    /// larger. What demand is left then makes free GPUs of other pools `ineligible`; the rest is
    /// `no_demand`.
    template <class Capacity, class Queue>
    BURSAR_HD void charge_by_demand(Ledger& ledger,
                                    const Capacity& capacity,
                                    const Queue& queue,
                                    std::int64_t begin_ms,
                                    std::int64_t end_ms) {
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            left_free_[pool] = capacity.free_gpus(pool);
        }
        for (std::uint32_t shape = 0; shape < plan_.num_shapes; ++shape) {
            left_demand_[shape] = std::int64_t{queue.num_pending(shape)} * plan_.shapes[shape].gpus;
        }
        const auto consume = [&](Leaf leaf, auto concerns) {
            for (std::uint32_t shape = 0; shape < plan_.num_shapes; ++shape) {
                for (std::uint32_t i = 0; i < plan_.num_pools && left_demand_[shape] > 0; ++i) {
                    const std::uint32_t pool = plan_.pools_by_name[i];
                    if (!concerns(plan_.shapes[shape], pool))
                        continue;
                    const std::int64_t part = left_demand_[shape] < left_free_[pool]
                                                  ? left_demand_[shape]
                                                  : left_free_[pool];
                    left_demand_[shape] -= part;
                    left_free_[pool] -= part;
                    ledger.charge(pool, ledger.nobody(), leaf, part, begin_ms, end_ms);
                }
            }
        };
        const auto permitted = [](const JobShape& shape, std::uint32_t pool) {
            return (shape.permitted_pools >> pool & 1U) != 0;
        };
        if (!Capacity::counts_only) {
            consume(Leaf::idle_fragmented, [&](const JobShape& shape, std::uint32_t pool) {
                return permitted(shape, pool) && shape.gpus <= capacity.free_gpus(pool);
            });
        }
        consume(Leaf::idle_gang, [&](const JobShape& shape, std::uint32_t pool) {
            return permitted(shape, pool) && shape.gpus > capacity.free_gpus(pool);
        });
        consume(Leaf::idle_ineligible,
                [&](const JobShape& shape, std::uint32_t pool) { return !permitted(shape, pool); });
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            ledger.charge(
                pool, ledger.nobody(), Leaf::idle_no_demand, left_free_[pool], begin_ms, end_ms);
        }
    }

  private:
    template <class Capacity>
    BURSAR_HD void charge_all(Ledger& ledger,
                              const Capacity& capacity,
                              Leaf leaf,
                              std::int64_t begin_ms,
                              std::int64_t end_ms) const {
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            ledger.charge(pool, ledger.nobody(), leaf, capacity.free_gpus(pool), begin_ms, end_ms);
        }
    }

    PlanView plan_;
    std::int64_t* left_free_{};
    std::int64_t* left_demand_{};
};

} // namespace bursar
