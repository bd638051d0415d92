#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// In which region the jobs that were stopped have what they saved last, where the broker asks
/// (Plan::pool_region), and how many of those who wait have something there, by shape. Nothing
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

    /// The plan as the parts of a run read it.
    BURSAR_HD void show_in(PlanView& plan) const {
        if (num_jobs_ > 0)
            plan.saved_in = region_;
    }

    /// A job that runs on a pool has saved something there.
    BURSAR_HD void saved(const PlanView& plan, JobId job, PoolId pool) {
        region_[job] = static_cast<std::uint8_t>(1 + plan.pool_region[pool]);
    }
    /// These wait from now on, and no more.
    BURSAR_HD void waits(const PlanView& plan, JobId job) { count(plan, job, 1); }
    BURSAR_HD void began(const PlanView& plan, JobId job) { count(plan, job, -1); }

    /// Of those who wait; region: as in pool_region.
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
