#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/plan/world_event.hpp"

namespace bursar { inline namespace sim {

/// The shapes of a plan as a run has them, where the pools that they may use change: jobs that fall
/// back use others, and a pool or a shape may be closed for a time. Decisions read them and do not
/// know why. Empty elsewhere: a run then reads those of the plan.
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

    /// As of now, in place of those that were planned.
    [[nodiscard]] BURSAR_HD const JobShape* current(const JobShape* planned) const {
        return shapes_ == nullptr ? planned : shapes_;
    }

    /// From now on jobs of a shape may use these pools, as far as these are open.
    BURSAR_HD void may_use(ShapeId shape, std::uint64_t pools) {
        own_pools_[shape] = pools;
        renew(shape);
    }
    /// No job may start on any pool.
    [[nodiscard]] BURSAR_HD bool all_pools_closed() const {
        return open_pools_ != nullptr && *open_pools_ == 0;
    }
    /// A pool closes, or opens.
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
    std::uint64_t* own_pools_{}; ///< by shape: what it may use where all pools are open
    CauseSet* closed_by_{};      ///< by shape
    std::uint64_t* open_pools_{};
};

/// The orders in which the broker tries pools, as of now, where they change with time. Nothing
/// elsewhere: a run then reads those of the plan.
class PoolOrders {
  public:
    PoolOrders() = default;
    BURSAR_HD PoolOrders(ArenaCarver& carver, const PlanView& plan) {
        if (!plan.orders_change)
            return;
        order_ = carver.take<std::uint16_t>(plan.num_preferences);
        for (std::uint32_t i = 0; order_ != nullptr && i < plan.num_preferences; ++i)
            order_[i] = plan.pool_preference[i];
    }

    /// As of now, in place of those that were planned.
    [[nodiscard]] BURSAR_HD const std::uint16_t* current(const std::uint16_t* planned) const {
        return order_ == nullptr ? planned : order_;
    }

    BURSAR_HD void change(const PlanView& plan, const OrderChange& change) {
        for (std::uint32_t i = 0; i < plan.num_pools; ++i)
            order_[change.preference + i] = plan.pool_orders[change.order + i];
    }

  private:
    std::uint16_t* order_{};
};

/// In which region the jobs that were stopped have what they saved last, where the broker asks
/// (Plan::pool_region), and how many waiting jobs have something there, by shape. Nothing
/// elsewhere.
///
/// Memory: a byte a job, and 4 a shape and region.
class SavedPlaces {
  public:
    SavedPlaces() = default;
    BURSAR_HD SavedPlaces(ArenaCarver& carver, const PlanView& plan)
        : num_jobs_{plan.pool_region == nullptr ? 0 : plan.num_jobs},
          num_regions_{plan.num_regions}, num_counts_{plan.num_shapes * plan.num_regions},
          region_{carver.take<std::uint8_t>(num_jobs_)},
          num_waiting_{carver.take<std::uint32_t>(num_counts_)} {}

    BURSAR_HD void clear() {
        for (std::uint32_t job = 0; job < num_jobs_; ++job)
            region_[job] = 0;
        for (std::uint32_t i = 0; i < num_counts_; ++i)
            num_waiting_[i] = 0;
    }

    /// As RunPlan::saved_in.
    [[nodiscard]] BURSAR_HD const std::uint8_t* region_of_jobs() const {
        return num_jobs_ > 0 ? region_ : nullptr;
    }

    /// A job that runs on a pool has saved something there.
    BURSAR_HD void saved(const PlanView& plan, JobId job, PoolId pool) {
        region_[job] = static_cast<std::uint8_t>(1 + plan.pool_region[pool]);
    }
    /// These wait from now on, and no more.
    BURSAR_HD void waits(const PlanView& plan, JobId job) { count(plan, job, 1); }
    BURSAR_HD void began(const PlanView& plan, JobId job) { count(plan, job, -1); }

    /// Of waiting jobs; region: as in pool_region.
    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting(ShapeId shape, std::uint32_t region) const {
        return num_waiting_[shape * num_regions_ + region];
    }

  private:
    BURSAR_HD void count(const PlanView& plan, JobId job, int change) {
        if (region_[job] > 0)
            num_waiting_[plan.shape[job] * num_regions_ + region_[job] - 1U] +=
                static_cast<std::uint32_t>(change);
    }

    std::uint32_t num_jobs_{}; ///< 0: the broker does not ask
    std::uint32_t num_regions_{};
    std::uint32_t num_counts_{};
    std::uint8_t* region_{}; ///< 0: nothing is saved, else 1 + where
    std::uint32_t* num_waiting_{};
};

}} // namespace bursar::sim
