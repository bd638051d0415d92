#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/place_wait.hpp"

namespace bursar { inline namespace sim {

/// Divides the time that each job waits by reason, on the host. Jobs of one shape wait for the same
/// reason, so sums are kept by shape: the wait of a job is what they grow by while it waits. Cost
/// per instant: the shapes of waiting jobs times the pools. Memory: 32 bytes per job.
class WaitClock {
  public:
    /// The plan must outlive the clock.
    explicit WaitClock(const Plan& plan)
        : plan_{&plan}, waits_(plan.num_jobs()), shapes_(plan.shapes.size()) {}

    /// The job waits no more.
    void started(JobId job, std::int64_t now_ms) {
        pass_to(now_ms);
        --shape_of(job).pending;
        add(job, 1);
    }
    /// The job waits again.
    void stopped(JobId job, std::int64_t now_ms) {
        pass_to(now_ms);
        waits(job);
    }

    /// Determines for what jobs wait from this instant on. free, offline: slots by pool.
    template <class State, class Capacity>
    void settled(const State& state,
                 const Capacity& capacity,
                 std::span<const std::int64_t> free,
                 std::span<const std::int64_t> offline) {
        pass_to(state.now_ms);
        for (; num_arrived_ < state.next_arrival; ++num_arrived_)
            waits(JobId{num_arrived_});
        const JobShape* const current = state.shapes_of(plan_->shapes.data());
        for (std::size_t i = 0; i < waiting_.size();) {
            ShapeWait& shape = shapes_[waiting_[i]];
            if (shape.pending == 0) {
                shape.is_listed = false;
                waiting_[i] = waiting_.back();
                waiting_.pop_back();
                continue;
            }
            const JobShape& needs = current[waiting_[i++]];
            // Few of many shapes have enough free GPUs, and only these may have a place.
            shape.reason = lack_of(needs, free, offline);
            if (shape.reason == WaitReason::place && capacity.fits(needs))
                shape.reason = WaitReason::turn;
        }
    }

    /// The waits of all jobs of a run that ended at `end_ms`.
    [[nodiscard]] std::vector<WaitTimes> take(const std::vector<JobPhase>& phase,
                                              std::int64_t end_ms) {
        pass_to(end_ms);
        for (JobId job{0}; job < phase.size(); ++job)
            if (phase[job] == JobPhase::queued || phase[job] == JobPhase::preempted)
                add(job, 1);
        return std::move(waits_);
    }

  private:
    struct ShapeWait {
        WaitTimes sums{};       ///< while any of its jobs waited
        std::int64_t pending{}; ///< jobs; -1 for one that starts in the instant of its arrival
        WaitReason reason{WaitReason::gpus};
        bool is_listed{}; ///< in waiting_
    };

    [[nodiscard]] ShapeWait& shape_of(JobId job) { return shapes_[plan_->shape[job]]; }

    void add(JobId job, int sign) {
        const WaitTimes& sums = shape_of(job).sums;
        for (std::size_t i = 0; i < num_wait_reasons; ++i)
            waits_[job][i] += sign * sums[i];
    }
    void waits(JobId job) {
        ShapeWait& shape = shape_of(job);
        add(job, -1);
        ++shape.pending;
        if (!std::exchange(shape.is_listed, true))
            waiting_.push_back(plan_->shape[job]);
    }
    void pass_to(std::int64_t now_ms) {
        const std::int64_t span = now_ms - now_ms_;
        if (span <= 0)
            return;
        now_ms_ = now_ms;
        for (const std::uint32_t shape : waiting_)
            shapes_[shape].sums[static_cast<std::size_t>(shapes_[shape].reason)] += span;
    }
    /// Why a gang waits that cannot be placed now; `place` where enough GPUs of a pool are free.
    [[nodiscard]] static WaitReason lack_of(const JobShape& needs,
                                            std::span<const std::int64_t> free,
                                            std::span<const std::int64_t> offline) {
        WaitReason reason = WaitReason::gpus;
        for (std::uint64_t rest = needs.permitted_pools; rest != 0; rest &= rest - 1) {
            const auto pool = static_cast<std::size_t>(std::countr_zero(rest));
            if (free[pool] >= needs.slots())
                return WaitReason::place;
            if (free[pool] + offline[pool] >= needs.slots())
                reason = WaitReason::nodes;
        }
        return reason;
    }

    const Plan* plan_{};
    std::int64_t now_ms_{};
    std::uint32_t num_arrived_{};
    std::vector<WaitTimes> waits_;       ///< by job
    std::vector<ShapeWait> shapes_;      ///< by shape
    std::vector<std::uint32_t> waiting_; ///< shapes with waiting jobs
};

}} // namespace bursar::sim
