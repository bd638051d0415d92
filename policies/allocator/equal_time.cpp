#include "policies/allocator/equal_time.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace bursar { inline namespace policies {
namespace {

constexpr double tolerance = 1e-9; ///< GPUs, or parts of a job's time: rounding of sums

/// GPU time of all jobs while it rises.
class RisingTime {
  public:
    explicit RisingTime(const AllocationView& view)
        : view_{view}, time_left_(view.jobs.size(), 1.0),
          fractions_(view.jobs.size() * view.pools.size(), 0.0) {
        for (const AllocationPool& pool : view.pools)
            left_.push_back(static_cast<double>(pool.slots) / slots_per_gpu);
    }

    /// Until a job has all its time or a pool is full. Whether any rose.
    bool rise() {
        std::vector<double> rate(left_.size(), 0.0); // GPUs of each pool for a level of 1
        double level = std::numeric_limits<double>::infinity();
        bool any = false;
        for (std::size_t job = 0; job < view_.jobs.size(); ++job) {
            const double open = open_to(job);
            if (open <= 0)
                continue;
            any = true;
            level = std::min(level, time_left_[job] * gpus(job) / weight(job));
            for (PoolId pool{0}; pool < left_.size(); ++pool)
                if (may_use(job, pool))
                    rate[pool] += weight(job) * left_[pool] / open;
        }
        if (!any)
            return false;
        for (std::size_t pool = 0; pool < left_.size(); ++pool)
            if (rate[pool] > 0)
                level = std::min(level, left_[pool] / rate[pool]);
        give(level, rate);
        return true;
    }

    [[nodiscard]] Fractions fractions() { return std::move(fractions_); }

  private:
    void give(double level, const std::vector<double>& rate) {
        for (std::size_t job = 0; job < view_.jobs.size(); ++job) {
            const double open = open_to(job);
            if (open <= 0)
                continue;
            const double time = level * weight(job) / gpus(job);
            for (PoolId pool{0}; pool < left_.size(); ++pool)
                if (may_use(job, pool))
                    fractions_[job * left_.size() + pool] += time * left_[pool] / open;
            time_left_[job] -= time;
            if (time_left_[job] <= tolerance)
                time_left_[job] = 0;
        }
        for (std::size_t pool = 0; pool < left_.size(); ++pool) {
            left_[pool] -= level * rate[pool];
            if (left_[pool] <= tolerance)
                left_[pool] = 0;
        }
    }

    /// GPUs of the pools on which a job may still get more; 0: it rises no further.
    [[nodiscard]] double open_to(std::size_t job) const {
        double open = 0;
        for (PoolId pool{0}; pool < left_.size() && time_left_[job] > 0; ++pool)
            open += may_use(job, pool) ? left_[pool] : 0;
        return open;
    }
    [[nodiscard]] bool may_use(std::size_t job, PoolId pool) const {
        return left_[pool] > 0 && view_.jobs[job].slots > 0 &&
               view_.speed(view_.jobs[job], pool) > 0;
    }
    [[nodiscard]] double gpus(std::size_t job) const {
        return static_cast<double>(view_.jobs[job].slots) / slots_per_gpu;
    }
    [[nodiscard]] double weight(std::size_t job) const {
        return view_.plan.weight(view_.plan.tenant_of(view_.jobs[job].job));
    }

    const AllocationView& view_;
    std::vector<double> left_;      ///< GPUs by pool
    std::vector<double> time_left_; ///< by job, of 1
    Fractions fractions_;
};

} // namespace

Fractions EqualTimeAllocator::solve(const AllocationView& view) {
    RisingTime time{view};
    while (time.rise()) {
    }
    return time.fractions();
}

}} // namespace bursar::policies
