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

/// Leaf of time at work that a stall takes.
BURSAR_HD constexpr Leaf stall_leaf(std::size_t stall) {
    return static_cast<Leaf>(static_cast<std::size_t>(Leaf::stall_input) + stall);
}
static_assert(stall_leaf(static_cast<std::size_t>(Stall::communication)) == Leaf::stall_comm);
static_assert(stall_leaf(static_cast<std::size_t>(Stall::bubble)) == Leaf::stall_bubble);
static_assert(stall_leaf(static_cast<std::size_t>(Stall::sync)) == Leaf::stall_sync);

/// Books what an attempt's stalls took of [begin, end) at work; the slots of its gang that stood
/// still. Cold: plain jobs have none, and the loop stays small without it.
[[gnu::cold]] BURSAR_HD inline std::int64_t bill_stalls(Ledger& ledger,
                                                        const Attempt& attempt,
                                                        const PlanSpeed& speed,
                                                        std::int64_t begin_ms,
                                                        std::int64_t end_ms) {
    for (std::size_t stall = 0; stall < num_stalls; ++stall) {
        ledger.charge_slots(attempt.pool,
                            attempt.tenant,
                            stall_leaf(stall),
                            speed.stalled_slots[stall],
                            begin_ms,
                            end_ms);
    }
    return speed.all_stalled_slots();
}

/// Books an attempt's GPU time up to `until_ms`. Work whose end was not reached is done, but nobody
/// can use it yet: uncommitted.
///
/// Stalled time is provisional as work is (reports: rule 1): that of a job whose work is thrown
/// away goes with it to the `lost` leaf. A run that ends before the job does throws nothing away:
/// what stalled has stalled, and only the steps done are uncommitted.
BURSAR_HD inline void
bill_attempt(Ledger& ledger, const PlanView& plan, const Attempt& attempt, std::int64_t until_ms) {
    const AttemptSpan span = span_of(plan, attempt);
    const std::int64_t slots = plan.shapes[attempt.shape].gpus * slots_per_gpu;
    const auto charge =
        [&](Leaf leaf, std::int64_t held, std::int64_t begin_ms, std::int64_t end_ms) {
            ledger.charge_slots(attempt.pool,
                                attempt.tenant,
                                leaf,
                                held,
                                begin_ms,
                                end_ms < until_ms ? end_ms : until_ms);
        };
    charge(Leaf::over_startup, slots, span.start_ms, span.work_begin_ms);
    const bool work_ended = span.work_end_ms <= until_ms;
    const Leaf leaf = work_ended ? work_leaf(attempt.end) : Leaf::prod_uncommitted;
    std::int64_t working = slots;
    const std::uint16_t row = plan.classes[attempt.job_class].speed_row;
    if (row != 0 && group_of(leaf) != LeafGroup::lost) [[unlikely]] {
        working -= bill_stalls(ledger,
                               attempt,
                               plan.speed(row, attempt.pool),
                               span.work_begin_ms,
                               work_ended ? span.work_end_ms : until_ms);
    }
    charge(leaf, working, span.work_begin_ms, span.work_end_ms);
    charge(Leaf::over_teardown, slots, span.work_end_ms, span.release_ms);
}

} // namespace bursar
