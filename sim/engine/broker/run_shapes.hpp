#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// The shapes of a plan as a run has them, where the pools that they may use change: who falls back
/// uses others, and a pool, or a shape, may start nobody for a time. Whoever decides reads them and
/// knows nothing of why. Nothing elsewhere: a run then reads those of the plan.
///
/// Copies are of the same shapes. Memory: that of the shapes, and 12 bytes a shape.
class RunShapes {
  public:
    RunShapes() = default;
    BURSAR_HD RunShapes(ArenaCarver& carver, const PlanView& plan) : num_{plan.num_shapes} {
        if (plan.num_fallbacks == 0 && !plan.admission_changes)
            return;
        shapes_ = carver.take<JobShape>(num_);
        own_pools_ = carver.take<std::uint64_t>(num_);
        closed_by_ = carver.take<CauseSet>(num_);
        open_pools_ = carver.take<std::uint64_t>(1);
        if (shapes_ == nullptr)
            return;
        *open_pools_ = ~std::uint64_t{0} >> (max_pools - plan.num_pools);
        for (std::uint32_t shape = 0; shape < num_; ++shape) {
            shapes_[shape] = plan.shapes[shape];
            own_pools_[shape] = shapes_[shape].permitted_pools;
            closed_by_[shape] = {};
        }
    }

    /// The plan as the parts of a run read it.
    BURSAR_HD void show_in(PlanView& plan) const {
        if (shapes_ != nullptr)
            plan.shapes = shapes_;
    }

    /// From now on jobs of a shape may use these pools, as far as they admit anybody.
    BURSAR_HD void may_use(ShapeId shape, std::uint64_t pools) {
        own_pools_[shape] = pools;
        renew(shape);
    }
    /// No job may start on any pool.
    [[nodiscard]] BURSAR_HD bool admit_nobody() const {
        return open_pools_ != nullptr && *open_pools_ == 0;
    }
    /// From now on no job starts on a pool, or jobs do again.
    BURSAR_HD void admit_on(PoolId pool, bool admits) {
        const std::uint64_t bit = std::uint64_t{1} << pool;
        *open_pools_ = admits ? *open_pools_ | bit : *open_pools_ & ~bit;
        for (ShapeId shape{0}; shape < num_; ++shape)
            renew(shape);
    }
    /// The jobs of a shape may start no more for a cause, or that cause ends.
    BURSAR_HD void admit(ShapeId shape, StopCause cause, bool opens) {
        if (opens)
            closed_by_[shape].erase(cause);
        else
            closed_by_[shape].insert(cause);
        renew(shape);
    }

  private:
    BURSAR_HD void renew(ShapeId shape) {
        shapes_[shape].permitted_pools =
            closed_by_[shape].is_empty() ? own_pools_[shape] & *open_pools_ : 0;
    }

    std::uint32_t num_{};
    JobShape* shapes_{};
    std::uint64_t* own_pools_{}; ///< by shape: what it may use where everybody is admitted
    CauseSet* closed_by_{};      ///< by shape
    std::uint64_t* open_pools_{};
};

}} // namespace bursar::sim
