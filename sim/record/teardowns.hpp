#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// Reference work of each job before its last attempt, as the engine counts it; empty if no attempt
/// was stopped.
[[nodiscard]] std::vector<std::int64_t> work_before_last(const Plan& plan, const JobRows& rows);

/// Time before the work of each attempt: start-up without what was staged ahead, recovery, or after
/// a resize its rescale, and what the attempt before it owed of its recovery; of one that continues
/// on its GPUs, what is left of that.
class Leads {
  public:
    /// plan: outlives this.
    Leads(const Plan& plan, const JobRows& rows);
    /// Of rows.stopped[at].
    [[nodiscard]] Duration of_stopped(std::size_t at) const { return of_stopped_[at]; }
    [[nodiscard]] Duration of_last(std::size_t job) const {
        return next_.empty() ? first(job) : next_[job];
    }

  private:
    [[nodiscard]] Duration first(std::size_t job) const;

    const Plan& plan_;
    std::vector<std::int64_t> saved_ms_; ///< JobRows::saved_startup_ms()
    std::vector<Duration> next_;         ///< by job, of its next attempt; empty: none was stopped
    std::vector<Duration> of_stopped_;
};

/// Time that the last attempts of finished jobs cleaned up: their teardown, unless their node was
/// reclaimed before its end. Plan and rows outlive it.
class Teardowns {
  public:
    Teardowns(const Plan& plan, const JobRows& rows);
    /// Precondition: the job has finished.
    [[nodiscard]] Duration of(std::size_t job) const;

  private:
    const Plan& plan_;
    const JobRows& rows_;
    Leads leads_;
    std::vector<std::int64_t> done_ms_; ///< work_before_last()
    bool may_be_cut_{};                 ///< nodes may be reclaimed
};

}} // namespace bursar::sim
