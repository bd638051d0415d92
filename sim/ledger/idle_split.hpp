#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// No capacity is reserved.
struct NoHolds {
    static constexpr Leaf leaf = Leaf::idle_gang; ///< of what is held
    [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId /*pool*/) const { return 0; }
    [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId /*shape*/) const { return 0; }
};

/// Holds that also know how many of the waiting jobs of a shape may not start now, whatever is
/// free: `refused(shape)`. They are pending where they are not permitted.
template <class Holds>
concept RefusesJobs = requires(const Holds& holds, ShapeId shape) { holds.refused(shape); };

/// Divides the free slots of every pool among the idle leaves for one stretch of time in which
/// nothing changed. The parts of a pool add up to its free slots. Cost: shapes x pools, however
/// long the queue is.
///
/// Only totals per shape are read: jobs of a shape are equal in what they could use. `idle.latency`
/// is zero here: the pass at the end of each instant starts every job that it can.
class IdleSplit {
  public:
    IdleSplit() = default;
    BURSAR_HD IdleSplit(ArenaCarver& carver, const RunPlan& plan)
        : plan_{plan}, left_free_{carver.take<std::int64_t>(plan.num_pools)},
          open_{carver.take<std::int64_t>(plan.num_pools)},
          held_{carver.take<std::int64_t>(plan.num_pools)},
          asking_{carver.take<Asking>(plan.num_shapes)} {}

    /// No job waits: all free slots are idle without demand.
    template <class Capacity>
    BURSAR_HD void charge_no_demand(Ledger& ledger,
                                    const Capacity& capacity,
                                    std::int64_t begin_ms,
                                    std::int64_t end_ms) const {
        charge_all(ledger, capacity, Leaf::idle_no_demand, begin_ms, end_ms);
    }

    /// `head: block`: every free slot is held for the job at the head while it is blocked.
    template <class Capacity>
    BURSAR_HD void charge_held_for_head(Ledger& ledger,
                                        const Capacity& capacity,
                                        std::int64_t begin_ms,
                                        std::int64_t end_ms) const {
        charge_all(ledger, capacity, Leaf::idle_gang, begin_ms, end_ms);
    }

    /// `head: skip`: pending demand takes free slots once each. First the pools where it is
    /// permitted (shapes in plan order, which is fewest permitted pools first; pools by name): as
    /// `fragmented` where the gang is no larger than what is free, then as `gang` where it is
    /// larger. The demand that is left then makes free slots of other pools `ineligible`; the rest
    /// is `no_demand`. Slots reserved for waiting jobs (Holds: slots(pool), for jobs(shape) of
    /// them) are booked to Holds::leaf first, and these jobs demand nothing more. Jobs that may not
    /// start now (RefusesJobs) make free slots of any pool that they fit `ineligible`.
    template <class Capacity, class Queue, class Holds = NoHolds>
    BURSAR_HD void charge_by_demand(Ledger& ledger,
                                    const Capacity& capacity,
                                    const Queue& queue,
                                    std::int64_t begin_ms,
                                    std::int64_t end_ms,
                                    const Holds& holds = {}) {
        if (plan_.one_pool_for_all) {
            const std::int64_t free = capacity.free_slots(PoolId{0});
            if (free == 0)
                return;
            const OnePool parts = one_pool<Capacity::counts_only>(free, queue, holds);
            charge_one_pool(ledger, Holds::leaf, parts, begin_ms, end_ms);
            return;
        }
        charge_pools(ledger, capacity, queue, begin_ms, end_ms, holds);
    }

  private:
    /// Pending demand of one shape that has not yet explained a free slot.
    struct Asking {
        ShapeId shape{};
        std::int64_t slots{};
        std::int64_t refused_slots{}; ///< of jobs that may not start now
    };
    /// How the free slots of the only pool are divided.
    struct OnePool {
        std::int64_t held{};
        std::int64_t fragmented{};
        std::int64_t gang{};
        std::int64_t ineligible{};
        std::int64_t no_demand{};
    };

    /// charge_by_demand, where there are several pools.
    template <class Capacity, class Queue, class Holds>
    [[gnu::noinline]] BURSAR_HD void charge_pools(Ledger& ledger,
                                                  const Capacity& capacity,
                                                  const Queue& queue,
                                                  std::int64_t begin_ms,
                                                  std::int64_t end_ms,
                                                  const Holds& holds) {
        left_in_all_pools_ = 0;
        num_asking_ = 0;
        refuses_ = RefusesJobs<Holds>;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            const std::int64_t free = capacity.free_slots(pool);
            const std::int64_t wanted = holds.slots(pool);
            held_[pool] = wanted < free ? wanted : free;
            open_[pool] = free - held_[pool];
            left_in_all_pools_ += open_[pool];
        }
        if (left_in_all_pools_ > 0) {
            plan_.for_each_waiting_shape([&](ShapeId shape) {
                const std::int64_t jobs = queue.num_pending(shape) - holds.jobs(shape);
                if (jobs > 0) {
                    const std::int64_t slots = plan_.current_shapes[shape].slots();
                    const std::int64_t refused = num_refused(holds, shape);
                    asking_[num_asking_++] = {shape, (jobs - refused) * slots, refused * slots};
                }
            });
        }
        if (ledger.is_detailed()) [[unlikely]]
            divide(ledger, Holds::leaf, Capacity::counts_only, begin_ms, end_ms);
        else
            divide(ledger.time_alone(), Holds::leaf, Capacity::counts_only, begin_ms, end_ms);
    }

    /// For one pool that every shape may use: totals are enough.
    template <bool counts_only, class Queue, class Holds>
    [[nodiscard]] BURSAR_HD OnePool one_pool(std::int64_t free,
                                             const Queue& queue,
                                             const Holds& holds) const {
        const PoolId pool{0};
        const std::int64_t held = holds.slots(pool) < free ? holds.slots(pool) : free;
        const std::int64_t open = free - held;
        std::int64_t small = 0; // demand of gangs no larger than what is open
        std::int64_t large = 0;
        std::int64_t refused = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes && small < open; ++shape) {
            std::int64_t jobs = queue.num_pending(shape) - holds.jobs(shape);
            if (jobs <= 0)
                continue;
            const std::int64_t slots = plan_.current_shapes[shape].slots();
            refused += num_refused(holds, shape) * slots;
            jobs -= num_refused(holds, shape);
            if (slots > open)
                large += jobs * slots;
            else if (!counts_only)
                small += jobs * slots;
            if (counts_only && large >= open)
                break;
        }
        const std::int64_t fragmented = small < open ? small : open;
        const std::int64_t rest = open - fragmented;
        const std::int64_t gang = large < rest ? large : rest;
        const std::int64_t ineligible = refused < rest - gang ? refused : rest - gang;
        return {held, fragmented, gang, ineligible, rest - gang - ineligible};
    }

    template <class Holds>
    [[nodiscard]] BURSAR_HD static std::int64_t num_refused(const Holds& holds, ShapeId shape) {
        if constexpr (RefusesJobs<Holds>)
            return holds.refused(shape);
        else
            return 0;
    }

    // The functions below depend on neither queue nor capacity, so they are compiled once.

    [[gnu::noinline]] BURSAR_HD static void charge_one_pool(Ledger& ledger,
                                                            Leaf held_leaf,
                                                            const OnePool& parts,
                                                            std::int64_t begin_ms,
                                                            std::int64_t end_ms) {
        const auto charge_to = [&](auto& books) {
            const auto charge = [&](Leaf leaf, std::int64_t slots) {
                books.charge_slots(PoolId{0}, books.no_tenant(), leaf, slots, begin_ms, end_ms);
            };
            charge(held_leaf, parts.held);
            charge(Leaf::idle_fragmented, parts.fragmented);
            charge(Leaf::idle_gang, parts.gang);
            if (parts.ineligible != 0)
                charge(Leaf::idle_ineligible, parts.ineligible);
            charge(Leaf::idle_no_demand, parts.no_demand);
        };
        if (ledger.is_detailed()) [[unlikely]]
            charge_to(ledger);
        else
            charge_to(ledger.time_alone());
    }

    /// Divides open capacity among waiting jobs, and charges it and held capacity. books: of a
    /// Ledger.
    template <class Books>
    [[gnu::noinline]] BURSAR_HD void divide(Books& books,
                                            Leaf held_leaf,
                                            bool counts_only,
                                            std::int64_t begin_ms,
                                            std::int64_t end_ms) {
        const auto charge = [&](PoolId pool, Leaf leaf, std::int64_t slots) {
            books.charge_slots(pool, books.no_tenant(), leaf, slots, begin_ms, end_ms);
        };
        const auto permitted = [](const JobShape& shape, PoolId pool) {
            return (shape.permitted_pools >> pool & 1U) != 0;
        };
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            charge(pool, held_leaf, held_[pool]);
            left_free_[pool] = open_[pool];
        }
        if (left_in_all_pools_ == 0)
            return;
        if (!counts_only) {
            consume(Leaf::idle_fragmented, charge, [&](const JobShape& shape, PoolId pool) {
                return permitted(shape, pool) && shape.slots() <= open_[pool];
            });
        }
        consume(Leaf::idle_gang, charge, [&](const JobShape& shape, PoolId pool) {
            return permitted(shape, pool) && shape.slots() > open_[pool];
        });
        consume(Leaf::idle_ineligible, charge, [&](const JobShape& shape, PoolId pool) {
            return !permitted(shape, pool);
        });
        if (refuses_) {
            for (std::uint32_t a = 0; a < num_asking_; ++a)
                asking_[a].slots = asking_[a].refused_slots;
            consume(Leaf::idle_ineligible, charge, [](const JobShape&, PoolId) { return true; });
        }
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            charge(pool, Leaf::idle_no_demand, left_free_[pool]);
    }

    /// Matches demand with free slots, each used once, in every pool where the leaf applies.
    template <class Charge, class Concerns>
    BURSAR_HD void consume(Leaf leaf, const Charge& charge, const Concerns& concerns) {
        for (std::uint32_t a = 0; a < num_asking_ && left_in_all_pools_ > 0; ++a) {
            Asking& asking = asking_[a];
            for (std::uint32_t i = 0; i < plan_.num_pools && asking.slots > 0; ++i) {
                const PoolId pool{plan_.pools_by_name[i]};
                if (left_free_[pool] == 0 || !concerns(plan_.current_shapes[asking.shape], pool))
                    continue;
                const std::int64_t part =
                    asking.slots < left_free_[pool] ? asking.slots : left_free_[pool];
                asking.slots -= part;
                left_free_[pool] -= part;
                left_in_all_pools_ -= part;
                charge(pool, leaf, part);
            }
        }
    }

    template <class Capacity>
    BURSAR_HD void charge_all(Ledger& ledger,
                              const Capacity& capacity,
                              Leaf leaf,
                              std::int64_t begin_ms,
                              std::int64_t end_ms) const {
        if (ledger.is_detailed()) [[unlikely]]
            return charge_all_in_detail(ledger, capacity, leaf, begin_ms, end_ms);
        charge_all_to(ledger.time_alone(), capacity, leaf, begin_ms, end_ms);
    }
    template <class Capacity>
    [[gnu::noinline, gnu::cold]] BURSAR_HD void charge_all_in_detail(Ledger& ledger,
                                                                     const Capacity& capacity,
                                                                     Leaf leaf,
                                                                     std::int64_t begin_ms,
                                                                     std::int64_t end_ms) const {
        charge_all_to(ledger, capacity, leaf, begin_ms, end_ms);
    }
    template <class Books, class Capacity>
    BURSAR_HD void charge_all_to(Books& books,
                                 const Capacity& capacity,
                                 Leaf leaf,
                                 std::int64_t begin_ms,
                                 std::int64_t end_ms) const {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            books.charge_slots(
                pool, books.no_tenant(), leaf, capacity.free_slots(pool), begin_ms, end_ms);
        }
    }

    RunPlan plan_;
    std::int64_t* left_free_{};
    std::int64_t* open_{}; ///< by pool: free and not held for a job
    std::int64_t* held_{}; ///< by pool: free and held for a job
    Asking* asking_{};     ///< shapes with pending jobs, in plan order
    std::uint32_t num_asking_{};
    std::int64_t left_in_all_pools_{};
    bool refuses_{}; ///< asking_ has jobs that may not start now
};

}} // namespace bursar::sim
