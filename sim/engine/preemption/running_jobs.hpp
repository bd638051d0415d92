#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// What the job of a running attempt carries.
struct RunningJob {
    Rank rank{};
    Progress progress{}; ///< as the attempt began; as it left off once it is preempted
    bool may_give_way{}; ///< it is among the victims
};

/// The jobs that run, by the slot of their attempt.
class RunningJobs {
  public:
    RunningJobs() = default;
    BURSAR_HD RunningJobs(ArenaCarver& carver, const PlanView& plan, std::uint32_t max_live)
        : plan_{plan}, jobs_{carver.take<RunningJob>(max_live)} {}

    [[nodiscard]] BURSAR_HD RunningJob& operator[](AttemptId slot) { return jobs_[slot]; }
    [[nodiscard]] BURSAR_HD const RunningJob& operator[](AttemptId slot) const {
        return jobs_[slot];
    }

    /// A job that has got so far, as policies see it.
    [[nodiscard, gnu::always_inline]] BURSAR_HD JobView view_of(JobId job,
                                                                const Progress& progress) const {
        JobView view = plan_.view(job);
        const std::int64_t done_ms = plan_.work_ms[job] - progress.work_left_ms;
        const std::int64_t believed_ms = view.run_time.count() - done_ms;
        view.remaining = plan_.remaining(job, progress.delay_ms, believed_ms > 0 ? believed_ms : 0);
        view.attained = Duration{progress.attained_ms};
        return view;
    }

    /// A running job now, as policies whose keys are read while it runs see it.
    [[nodiscard]] BURSAR_HD JobView view_of_running(const LiveAttempts& attempts,
                                                    AttemptId slot,
                                                    std::int64_t now_ms) const {
        const Duration held{now_ms - attempts[slot].start_ms};
        JobView view = view_of(attempts[slot].job, jobs_[slot].progress);
        view.attained += held;
        view.remaining = view.remaining > held ? view.remaining - held : Duration{};
        return view;
    }

  private:
    PlanView plan_;
    RunningJob* jobs_{};
};

/// Ranks of waiting jobs are of now, those of running ones of any time: a key that falls is kept as
/// the instant at which it would be 0.
template <class Policy>
[[nodiscard]] BURSAR_HD Rank rank_if_running(Rank waiting, std::int64_t now_ms) {
    if constexpr (Policy::traits.motion == KeyMotion::falls)
        waiting.key += static_cast<std::uint64_t>(now_ms);
    return waiting;
}

} // namespace bursar::inline sim
