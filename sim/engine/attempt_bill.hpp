#pragma once

#include <cstdint>

#include "sim/engine/live_attempts.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// The phases of an attempt that runs undisturbed, in closed form from its start.
struct AttemptSpan {
    std::int64_t start_ms{};
    std::int64_t work_begin_ms{};
    std::int64_t work_end_ms{};
    std::int64_t release_ms{}; ///< its GPUs are free again; the job's finish
};

BURSAR_HD inline AttemptSpan span_of(const PlanView& plan, const Attempt& attempt) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    AttemptSpan span;
    span.start_ms = attempt.start_ms;
    span.work_begin_ms = span.start_ms + job_class.startup.count();
    span.work_end_ms = span.work_begin_ms + attempt.work_ms;
    span.release_ms = span.work_end_ms + job_class.teardown.count();
    return span;
}

/// The leaf of a job's work once the work has ended, by what the trace says became of it.
BURSAR_HD constexpr Leaf work_leaf(JobEnd end) {
    switch (end) {
    case JobEnd::completed:
        return Leaf::prod_useful;
    case JobEnd::failed:
        return Leaf::lost_job_failed;
    case JobEnd::cancelled:
        return Leaf::lost_cancelled;
    case JobEnd::node_failed:
        return Leaf::lost_failure;
    }
    return Leaf::prod_useful;
}

/// Books an attempt's GPU time up to `until_ms`. Work whose end was not reached is done, but nobody
/// can use it yet: uncommitted.
BURSAR_HD inline void
bill_attempt(Ledger& ledger, const PlanView& plan, const Attempt& attempt, std::int64_t until_ms) {
    const AttemptSpan span = span_of(plan, attempt);
    const std::int64_t gpus = plan.shapes[attempt.shape].gpus;
    const auto charge = [&](Leaf leaf, std::int64_t begin_ms, std::int64_t end_ms) {
        ledger.charge(attempt.pool,
                      attempt.tenant,
                      leaf,
                      gpus,
                      begin_ms,
                      end_ms < until_ms ? end_ms : until_ms);
    };
    charge(Leaf::over_startup, span.start_ms, span.work_begin_ms);
    const bool work_ended = span.work_end_ms <= until_ms;
    charge(work_ended ? work_leaf(attempt.end) : Leaf::prod_uncommitted,
           span.work_begin_ms,
           span.work_end_ms);
    charge(Leaf::over_teardown, span.work_end_ms, span.release_ms);
}

} // namespace bursar
