#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/plan/world_event.hpp"

namespace bursar { inline namespace sim {

/// A run's copy of the plan's shapes, if the pools that they may use change: jobs fall back, and
/// pools and shapes close and open. Decisions read only the result. Empty otherwise: the run then
/// reads the plan's shapes.
///
/// Copies of an object share the same arrays. Memory: that of the shapes, and 12 bytes per shape.
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

    /// The current shapes, or `planned` if they do not change.
    [[nodiscard]] BURSAR_HD const JobShape* current(const JobShape* planned) const {
        return shapes_ == nullptr ? planned : shapes_;
    }

    /// Jobs of a shape may now use these pools, if open.
    BURSAR_HD void may_use(ShapeId shape, std::uint64_t pools) {
        own_pools_[shape] = pools;
        renew(shape);
    }
    /// Whether no pool is open for starts.
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
    /// A shape closes for a cause, or that cause ends.
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
    std::uint64_t* own_pools_{}; ///< by shape: the pools it may use if all are open
    CauseSet* closed_by_{};      ///< by shape
    std::uint64_t* open_pools_{};
};

/// The current orders in which the broker tries pools, if they change with time. Empty otherwise:
/// the run then reads the plan's.
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

    /// The current orders, or `planned` if they do not change.
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

/// The regions of stopped jobs' saved state, and the number of waiting jobs with saved state by
/// shape and region. Empty if the broker ignores regions (Plan::pool_region).
///
/// Memory: a byte per job, and 4 per shape and region.
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

    /// For RunPlan::saved_in.
    [[nodiscard]] BURSAR_HD const std::uint8_t* region_of_jobs() const {
        return num_jobs_ > 0 ? region_ : nullptr;
    }

    /// A job has saved its state on a pool.
    BURSAR_HD void saved(const PlanView& plan, JobId job, PoolId pool) {
        region_[job] = static_cast<std::uint8_t>(1 + plan.pool_region[pool]);
    }
    /// A job begins to wait, or no longer waits.
    BURSAR_HD void waits(const PlanView& plan, JobId job) { count(plan, job, 1); }
    BURSAR_HD void began(const PlanView& plan, JobId job) { count(plan, job, -1); }

    /// Waiting jobs of a shape with saved state in a region of Plan::pool_region.
    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting(ShapeId shape, std::uint32_t region) const {
        return num_waiting_[shape * num_regions_ + region];
    }

  private:
    BURSAR_HD void count(const PlanView& plan, JobId job, int change) {
        if (region_[job] > 0)
            num_waiting_[plan.shape[job] * num_regions_ + region_[job] - 1U] +=
                static_cast<std::uint32_t>(change);
    }

    std::uint32_t num_jobs_{}; ///< 0: the broker ignores regions
    std::uint32_t num_regions_{};
    std::uint32_t num_counts_{};
    std::uint8_t* region_{}; ///< by job: 1 + region; 0: nothing is saved
    std::uint32_t* num_waiting_{};
};

}} // namespace bursar::sim
