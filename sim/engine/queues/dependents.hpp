#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/quad_heap.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A job whose needed jobs have all ended, with the instant from which it waits for GPUs.
struct EligibleJob {
    std::int64_t time_ms{};
    JobId job{};

    [[nodiscard]] BURSAR_HD std::uint32_t slot() const { return job; }
    friend BURSAR_HD bool operator<(const EligibleJob& a, const EligibleJob& b) {
        return a.time_ms < b.time_ms || (a.time_ms == b.time_ms && a.job < b.job);
    }
};

/// Jobs that wait for others to end before they wait for GPUs (Plan::num_needed). One that is
/// eligible by its submit arrives with it; the others arrive later, in any order of numbers.
///
/// Memory: 28 bytes per job; none in a plan without such jobs.
class Dependents {
  public:
    Dependents() = default;
    BURSAR_HD Dependents(ArenaCarver& carver, const PlanView& plan) : plan_{plan} {
        if (!plan.has_dependencies())
            return;
        num_open_ = carver.take<std::uint32_t>(plan.num_jobs);
        since_ms_ = carver.take<std::int64_t>(plan.num_jobs);
        due_ = {carver, plan.num_jobs};
    }

    BURSAR_HD void clear() {
        if (since_ms_ == nullptr)
            return;
        for (JobId job{0}; job < plan_.num_jobs; ++job) {
            num_open_[job] = plan_.num_needed[job];
            since_ms_[job] = num_open_[job] == 0 ? plan_.submit_ms[job] : horizon_ms;
        }
        due_.clear();
    }

    /// By job, since when it waits for GPUs, where that is known. submit_ms: if no job waits for
    /// others.
    [[nodiscard]] BURSAR_HD const std::int64_t* since_ms(const std::int64_t* submit_ms) const {
        return since_ms_ == nullptr ? submit_ms : since_ms_;
    }

    /// Whether a job does not wait for GPUs at its submit, which is now.
    [[nodiscard]] BURSAR_HD bool waits_at_submit(JobId job) const {
        return since_ms_ != nullptr && since_ms_[job] != plan_.submit_ms[job];
    }

    /// A job has ended. num_submitted: jobs submitted so far, in the order of their numbers.
    /// inside_horizon(time) limits an instant to what events can hold. Cost: O(log n) for each job
    /// that needs it.
    template <class InsideHorizon>
    BURSAR_HD void ended(JobId job,
                         std::int64_t now_ms,
                         std::uint32_t num_submitted,
                         const InsideHorizon& inside_horizon) {
        for (std::uint32_t i = plan_.dependent_begin[job]; i < plan_.dependent_begin[job + 1];
             ++i) {
            const JobId next{plan_.dependents[i]};
            if (--num_open_[next] > 0)
                continue;
            const std::int64_t think_ms = plan_.think_ms == nullptr ? 0 : plan_.think_ms[next];
            if (next >= num_submitted && now_ms + think_ms <= plan_.submit_ms[next])
                since_ms_[next] = plan_.submit_ms[next];
            else
                due_.push({inside_horizon(now_ms + think_ms), next});
        }
    }

    /// When the next job becomes eligible after its submit; horizon_ms: none that is known.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        return due_.empty() ? horizon_ms : due_.top().time_ms;
    }
    /// Takes out that job. Precondition: next_ms() is now.
    [[nodiscard]] BURSAR_HD JobId take_next() {
        const EligibleJob next = due_.top();
        due_.pop();
        since_ms_[next.job] = next.time_ms;
        return next.job;
    }

  private:
    PlanView plan_;
    std::uint32_t* num_open_{}; ///< by job: needed jobs that have not ended
    std::int64_t* since_ms_{};  ///< by job; horizon_ms: not known
    QuadHeap<EligibleJob, NoPlaces> due_;
};

}} // namespace bursar::sim
