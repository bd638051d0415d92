#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/grant.hpp"
#include "sim/engine/pool_choice.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// `capacity: count`: a pool is a number of free GPUs; where they are does not matter.
class CountCapacity {
  public:
    static constexpr bool counts_only = true;

    CountCapacity() = default;
    BURSAR_HD CountCapacity(ArenaCarver& carver, const PlanView& plan)
        : plan_{plan}, free_{carver.take<std::int64_t>(plan.num_pools)} {}

    BURSAR_HD void clear() {
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            free_[pool] = plan_.pools[pool].num_gpus();
        }
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_gpus(std::uint32_t pool) const { return free_[pool]; }

    /// No GPU is free anywhere: nothing fits, whatever its shape.
    [[nodiscard]] BURSAR_HD bool is_full() const {
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            if (free_[pool] > 0)
                return false;
        }
        return true;
    }

    [[nodiscard]] BURSAR_HD bool fits(const JobShape& shape) const {
        return pool_for(shape) < plan_.num_pools;
    }

    /// Takes the first pool in the broker's order that has room. Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape) {
        const std::uint32_t pool = pool_for(shape);
        assert(pool < plan_.num_pools);
        free_[pool] -= shape.gpus;
        return {static_cast<std::uint16_t>(pool), 0};
    }

    BURSAR_HD void release(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] += shape.gpus;
        assert(free_[grant.pool] <= plan_.pools[grant.pool].num_gpus());
    }

  private:
    [[nodiscard]] BURSAR_HD std::uint32_t pool_for(const JobShape& shape) const {
        return first_pool(
            plan_, shape, [&](std::uint32_t pool) { return free_[pool] >= shape.gpus; });
    }

    PlanView plan_;
    std::int64_t* free_{};
};

} // namespace bursar
