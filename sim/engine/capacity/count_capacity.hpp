#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// `capacity: count`: a pool is a number of free slots; where they are does not matter, nor do CPU
/// and memory.
class CountCapacity {
  public:
    static constexpr CapacityMembers has{};
    static constexpr bool counts_only = true;

    CountCapacity() = default;
    BURSAR_HD CountCapacity(ArenaCarver& carver,
                            const PlanView& plan,
                            std::uint32_t /*max_live*/,
                            const RunOptions&)
        : plan_{plan}, free_{carver.take<std::int64_t>(plan.num_pools)} {}

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            free_[pool] = plan_.pools[pool].num_gpus() * slots_per_gpu;
        }
        has_cpu_jobs_ = false;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            has_cpu_jobs_ |= plan_.shapes[shape].gpus == 0;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots(PoolId pool) const { return free_[pool]; }

    /// Nothing fits, whatever its shape.
    [[nodiscard]] BURSAR_HD bool is_full() const {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            if (free_[pool] > 0)
                return false;
        }
        return !has_cpu_jobs_;
    }

    [[nodiscard]] BURSAR_HD bool fits(const JobShape& shape) const {
        return pool_for(shape) < plan_.num_pools;
    }
    [[nodiscard]] BURSAR_HD bool fits_on(PoolId pool, const JobShape& shape) const {
        return (shape.permitted_pools >> pool & 1U) != 0 && free_[pool] >= shape.slots();
    }

    /// Takes free slots of a pool out of sight of every answer, or, where negative, puts them back.
    BURSAR_HD void hide(PoolId pool, std::int64_t slots) { free_[pool] -= slots; }

    /// Takes the first pool in the broker's order that has room. Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape, JobId job) {
        return take_on(pool_for(shape), shape, job);
    }
    /// Takes GPUs of one pool. Precondition: fits_on(pool, shape).
    BURSAR_HD Grant take_on(PoolId pool, const JobShape& shape, std::uint32_t /*job*/) {
        assert(pool < plan_.num_pools && fits_on(pool, shape));
        free_[pool] -= shape.slots();
        return {pool, 0, 0};
    }

    BURSAR_HD void release(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] += shape.slots();
        assert(free_[grant.pool] <= plan_.pools[grant.pool].num_gpus() * slots_per_gpu);
    }

    /// As if the gang had left: what it holds can be taken, until it is reclaimed.
    BURSAR_HD void lend(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] += shape.slots();
    }
    /// Takes it again. Precondition: what the gang holds is free.
    BURSAR_HD void reclaim(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] -= shape.slots();
        assert(free_[grant.pool] >= 0);
    }

  private:
    [[nodiscard]] BURSAR_HD PoolId pool_for(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) { return free_[pool] >= shape.slots(); });
    }

    PlanView plan_;
    std::int64_t* free_{}; ///< slots
    bool has_cpu_jobs_{};  ///< some job asks for no GPU
};

} // namespace bursar::inline sim
