#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/provisional_work.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/ledger/bucket_ledger.hpp"
#include "sim/ledger/held_time.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// The phases of an attempt that is not stopped, in closed form from its start.
struct AttemptSpan {
    std::int64_t start_ms{};
    std::int64_t work_begin_ms{};
    std::int64_t work_end_ms{};
    std::int64_t release_ms{}; ///< its GPUs are free again; the job's finish
};

/// An attempt that has begun, by its slot, if nothing stops it.
struct BegunAttempt {
    AttemptId slot{};
    std::int64_t work_end_ms{};
    std::int64_t release_ms{};
};

/// The span of an attempt that does not save at intervals.
BURSAR_HD inline AttemptSpan plain_span_of(const PlanClass& job_class, const Attempt& attempt) {
    AttemptSpan span;
    span.start_ms = attempt.start_ms;
    span.work_begin_ms = attempt.work_begin_ms;
    span.work_end_ms = span.work_begin_ms + attempt.work_ms;
    span.release_ms = span.work_end_ms + job_class.teardown.count();
    return span;
}

/// Time that saves at intervals add to the work of an attempt. Cold: plain jobs make none, and the
/// loop stays small.
[[gnu::cold, gnu::noinline]] BURSAR_HD inline std::int64_t time_saving(const PlanView& plan,
                                                                       const Attempt& attempt) {
    return pattern_of(plan, attempt).elapsed(attempt.work_ms) - attempt.work_ms;
}

[[gnu::always_inline]] BURSAR_HD inline AttemptSpan span_of(const PlanView& plan,
                                                            const Attempt& attempt) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    AttemptSpan span = plain_span_of(job_class, attempt);
    if (saves_on_the_way(job_class.checkpoint)) [[unlikely]] {
        const std::int64_t saving_ms = time_saving(plan, attempt);
        span.work_end_ms += saving_ms;
        span.release_ms += saving_ms;
    }
    return span;
}

/// The leaf of a job's work once its end is known, by the trace.
BURSAR_HD constexpr Leaf work_leaf(JobEnd end) {
    switch (end) {
    case JobEnd::completed:
        return Leaf::prod_useful;
    case JobEnd::failed:
        return Leaf::lost_job_failed;
    case JobEnd::cancelled:
        return Leaf::lost_cancelled;
    case JobEnd::stopped:
        return Leaf::lost_stopped;
    case JobEnd::node_failed:
        return Leaf::lost_failure;
    case JobEnd::rejected: // never runs
        break;
    }
    return Leaf::prod_useful;
}

/// Whether work that survives a stop may turn out to be lost: its job will not complete by the
/// trace, or may be dropped.
[[nodiscard]] BURSAR_HD inline bool may_be_taken_back(const PlanView& plan,
                                                      const Attempt& attempt) {
    return attempt.end != JobEnd::completed || plan.may_be_dropped(attempt.job);
}

/// Leaf of stalled time.
BURSAR_HD constexpr Leaf stall_leaf(std::size_t stall) {
    return stall == static_cast<std::size_t>(Stall::interference)
               ? Leaf::stall_interference
               : static_cast<Leaf>(static_cast<std::size_t>(Leaf::stall_input) + stall);
}
static_assert(stall_leaf(static_cast<std::size_t>(Stall::communication)) == Leaf::stall_comm);
static_assert(stall_leaf(static_cast<std::size_t>(Stall::bubble)) == Leaf::stall_bubble);
static_assert(stall_leaf(static_cast<std::size_t>(Stall::sync)) == Leaf::stall_sync);

/// Books an attempt's stalls during [begin, end) at work. Returns the number of stalled slots of
/// its gang. Cold: plain jobs have none, and the loop stays small.
[[gnu::cold]] BURSAR_HD inline std::int64_t bill_stalls(TimeLedger& times,
                                                        const Attempt& attempt,
                                                        const PlanSpeed& speed,
                                                        std::int64_t begin_ms,
                                                        std::int64_t end_ms) {
    for (std::size_t stall = 0; stall < num_stalls; ++stall) {
        times.charge_slots(attempt.pool,
                           attempt.tenant,
                           stall_leaf(stall),
                           speed.stalled_slots[stall],
                           begin_ms,
                           end_ms);
    }
    return speed.all_stalled_slots();
}

/// Books time at work of a tenant's job: the work on `leaf`, and its stalls separately, unless the
/// work is lost (then they are lost with it). Negative: takes it back.
template <class Books>
BURSAR_HD inline void bill_work(Books& books,
                                const PlanView& plan,
                                TenantId tenant,
                                const WorkPlace& place,
                                Leaf leaf,
                                const typename Books::Held& worked) {
    const PoolId pool{place.pool};
    std::int64_t working = plan.shapes[place.shape].slots();
    const std::uint16_t row = plan.classes[place.job_class].speed_row;
    if (row != 0 && group_of(leaf) != LeafGroup::lost) {
        const PlanSpeed& speed = plan.speed(row, pool, place.level);
        for (std::size_t stall = 0; stall < num_stalls; ++stall)
            books.book(pool, tenant, stall_leaf(stall), speed.stalled_slots[stall], worked);
        working -= speed.all_stalled_slots();
    }
    books.book(pool, tenant, leaf, working, worked);
}

#ifndef __CUDA_ARCH__
/// Books a stretch of an attempt at work, inside the window, into the buckets of a ledger; its
/// saves took `saved_ms`. The time of each save goes to its bucket; share_saves() divides the cost
/// of saves.
[[gnu::cold, gnu::noinline]] inline void divide_stretch(const Ledger& ledger,
                                                        const PlanView& plan,
                                                        const Attempt& attempt,
                                                        Leaf leaf,
                                                        std::int64_t begin_ms,
                                                        std::int64_t end_ms,
                                                        std::int64_t saved_ms) {
    BucketLedger& buckets = *ledger.buckets();
    const WorkPattern pattern = pattern_of(plan, attempt);
    const auto worked_until = [&](std::int64_t time_ms) {
        return pattern.at_work(time_ms - attempt.work_begin_ms);
    };
    std::vector<StretchPart> parts;
    buckets.each_part(
        begin_ms, end_ms, [&](std::uint32_t bucket, std::int64_t from_ms, std::int64_t until_ms) {
            const HeldTime held = ledger.held(attempt.pool, from_ms, until_ms);
            parts.push_back(
                {bucket, held, {held.ms - (worked_until(until_ms) - worked_until(from_ms))}});
        });
    share_saves(share_of(ledger.held(attempt.pool, begin_ms, end_ms), saved_ms).cost, parts);
    const bool is_provisional =
        leaf == Leaf::prod_useful && attempt.is_stopped() && may_be_taken_back(plan, attempt);
    for (const StretchPart& part : parts) {
        BucketLedger::Bucket bucket{buckets, ledger, part.bucket};
        bucket.book(attempt.pool,
                    attempt.tenant,
                    Leaf::over_checkpoint,
                    plan.shapes[attempt.shape].slots(),
                    part.saved);
        const HeldTime worked = part.held - part.saved;
        bill_work(bucket, plan, attempt.tenant, place_of_work(attempt), leaf, worked);
        if (is_provisional)
            buckets.keep(attempt.job, {part.bucket, place_of_work(attempt), worked});
    }
}
#endif

/// Books the stretch [from, to) of an attempt at work, offsets as for WorkPattern: its saves, and
/// its work as bill_work does. Returns the time at work inside the window.
template <class Books>
[[gnu::always_inline]] BURSAR_HD inline typename Books::Held bill_stretch(Books& books,
                                                                          const PlanView& plan,
                                                                          const Attempt& attempt,
                                                                          Leaf leaf,
                                                                          std::int64_t from,
                                                                          std::int64_t to) {
    const std::int64_t begin_ms = books.begin_inside(attempt.work_begin_ms + from);
    const std::int64_t end_ms = books.end_inside(attempt.work_begin_ms + to);
    if (end_ms <= begin_ms)
        return {};
    auto worked = books.held(attempt.pool, begin_ms, end_ms);
    std::int64_t saved_ms = 0;
    if (saves_on_the_way(plan.classes[attempt.job_class].checkpoint)) [[unlikely]] {
        const WorkPattern pattern = pattern_of(plan, attempt);
        const std::int64_t worked_ms = pattern.at_work(end_ms - attempt.work_begin_ms) -
                                       pattern.at_work(begin_ms - attempt.work_begin_ms);
        saved_ms = end_ms - begin_ms - worked_ms;
        const auto saved = share_of(worked, saved_ms);
        books.book(attempt.pool,
                   attempt.tenant,
                   Leaf::over_checkpoint,
                   plan.shapes[attempt.shape].slots(),
                   saved);
        worked = worked - saved;
    }
    bill_work(books, plan, attempt.tenant, place_of_work(attempt), leaf, worked);
#ifndef __CUDA_ARCH__
    if constexpr (std::is_same_v<Books, Ledger>) {
        if (books.buckets() != nullptr)
            divide_stretch(books, plan, attempt, leaf, begin_ms, end_ms, saved_ms);
    }
#endif
    return worked;
}

BURSAR_HD constexpr Leaf waiting_leaf(const Attempt& attempt) {
    return attempt.is_later && !attempt.starts_up ? Leaf::over_recovery : Leaf::over_startup;
}

/// Whether an attempt is booked because it ended or because the run did.
enum class Booked : std::uint8_t { at_its_end, at_end_of_run };

/// Whether the end of an attempt's job is known at `until_ms`: success when its work ends, all else
/// when it releases its GPUs.
BURSAR_HD constexpr bool has_come_out(const Attempt& attempt,
                                      const AttemptSpan& span,
                                      std::int64_t until_ms,
                                      Booked booked) {
    return booked == Booked::at_its_end ||
           (attempt.end == JobEnd::completed ? span.work_end_ms : span.release_ms) <= until_ms;
}

/// Books an attempt of any kind that was not stopped up to `until_ms`. Work in the last save before
/// the end of the run is durable, so it is not uncommitted.
template <class Books>
[[gnu::noinline]] BURSAR_HD inline void bill_special_attempt(Books& books,
                                                             const PlanView& plan,
                                                             const Attempt& attempt,
                                                             std::int64_t until_ms,
                                                             Booked booked) {
    const AttemptSpan span = span_of(plan, attempt);
    const std::int64_t slots = plan.shapes[attempt.shape].slots();
    const auto charge = [&](Leaf leaf, std::int64_t begin_ms, std::int64_t end_ms) {
        books.charge_slots(attempt.pool,
                           attempt.tenant,
                           leaf,
                           slots,
                           begin_ms,
                           end_ms < until_ms ? end_ms : until_ms);
    };
    charge(waiting_leaf(attempt), span.start_ms, span.work_begin_ms);
    charge(Leaf::over_teardown, span.work_end_ms, span.release_ms);
    const auto work = [&](Leaf leaf, std::int64_t from, std::int64_t to) {
        bill_stretch(books, plan, attempt, leaf, from, to);
    };
    const std::int64_t all = span.work_end_ms - span.work_begin_ms;
    if (has_come_out(attempt, span, until_ms, booked)) {
        work(work_leaf(attempt.end), 0, all);
        return;
    }
    std::int64_t offset = until_ms - span.work_begin_ms;
    if (offset <= 0)
        return;
    offset = offset < all ? offset : all; // it may be in its teardown
    const std::int64_t saved = pattern_of(plan, attempt).saved(offset);
    work(Leaf::prod_useful, 0, saved);
    work(Leaf::prod_uncommitted, saved, offset);
}

/// Books the GPU time of an attempt that ended at `end_ms`, which may cut its teardown short.
///
/// Stalled time is provisional like work (reports: rule 1): if a job's work is lost, its stalls go
/// to the same `lost` leaf.
[[gnu::always_inline]] BURSAR_HD inline void bill_ended_attempt(Ledger& ledger,
                                                                const PlanView& plan,
                                                                const Attempt& attempt,
                                                                std::int64_t end_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    if (ledger.is_detailed()) [[unlikely]]
        return bill_special_attempt(ledger, plan, attempt, end_ms, Booked::at_its_end);
    TimeLedger& times = ledger.time_alone();
    if (attempt.is_later || saves_on_the_way(job_class.checkpoint)) [[unlikely]]
        return bill_special_attempt(times, plan, attempt, end_ms, Booked::at_its_end);
    const AttemptSpan span = plain_span_of(job_class, attempt);
    const std::int64_t slots = plan.shapes[attempt.shape].slots();
    const auto charge =
        [&](Leaf leaf, std::int64_t held, std::int64_t from_ms, std::int64_t until_ms) {
            times.charge_slots(attempt.pool, attempt.tenant, leaf, held, from_ms, until_ms);
        };
    charge(Leaf::over_startup, slots, span.start_ms, span.work_begin_ms);
    const Leaf leaf = work_leaf(attempt.end);
    std::int64_t working = slots;
    const std::uint16_t row = job_class.speed_row;
    if (row != 0 && group_of(leaf) != LeafGroup::lost) [[unlikely]] {
        working -= bill_stalls(times,
                               attempt,
                               plan.speed(row, attempt.pool, attempt.level),
                               span.work_begin_ms,
                               span.work_end_ms);
    }
    charge(leaf, working, span.work_begin_ms, span.work_end_ms);
    charge(Leaf::over_teardown, slots, span.work_end_ms, end_ms);
}

/// Books the GPU time up to `end_of_run_ms` of an attempt that holds its GPUs then. Work whose end
/// was not reached is uncommitted: a later failure in the trace is not yet known, and stalls stay
/// stalls.
[[gnu::cold, gnu::noinline]] BURSAR_HD inline void bill_running_attempt(
    Ledger& ledger, const PlanView& plan, const Attempt& attempt, std::int64_t end_of_run_ms) {
    if (ledger.is_detailed())
        return bill_special_attempt(ledger, plan, attempt, end_of_run_ms, Booked::at_end_of_run);
    bill_special_attempt(ledger.time_alone(), plan, attempt, end_of_run_ms, Booked::at_end_of_run);
}

/// Books an attempt that was stopped before its work ended. It held its GPUs until `until_ms`, to
/// save its state or until the stop was noticed.
///
/// Work that survives is useful, unless the job fails later (take_back). Other work is lost with
/// all its stalls. An interrupted save is booked as a save. work: stopped_work() of the attempt.
/// Returns the surviving time at work inside the window.
template <class Books>
BURSAR_HD inline typename Books::Held bill_stopped_attempt(Books& books,
                                                           const PlanView& plan,
                                                           const Attempt& attempt,
                                                           const StoppedWork& work,
                                                           std::int64_t until_ms) {
    const bool abrupt = is_abrupt(attempt.cause);
    const std::int64_t stop_ms = attempt.stop_ms();
    const std::int64_t slots = plan.shapes[attempt.shape].slots();
    const auto charge = [&](Leaf leaf, std::int64_t begin_ms, std::int64_t end_ms) {
        books.charge_slots(attempt.pool, attempt.tenant, leaf, slots, begin_ms, end_ms);
    };
    charge(waiting_leaf(attempt), attempt.start_ms, stop_ms - work.offset);
    charge(abrupt ? Leaf::over_hang : Leaf::over_checkpoint, stop_ms, until_ms);
    const auto kept = bill_stretch(books, plan, attempt, Leaf::prod_useful, 0, work.survives);
    if (work.survives < work.offset) {
        const Leaf lost = is_failure(attempt.cause) ? Leaf::lost_failure : Leaf::lost_preempt;
        bill_stretch(books, plan, attempt, lost, work.survives, work.offset);
    }
    return kept;
}

[[gnu::always_inline]] BURSAR_HD inline HeldTime bill_stopped_attempt(Ledger& ledger,
                                                                      const PlanView& plan,
                                                                      const Attempt& attempt,
                                                                      const StoppedWork& work,
                                                                      std::int64_t until_ms) {
    if (ledger.is_detailed()) [[unlikely]]
        return bill_stopped_attempt<Ledger>(ledger, plan, attempt, work, until_ms);
    return {bill_stopped_attempt(ledger.time_alone(), plan, attempt, work, until_ms).count()};
}

/// Rebooks work saved by earlier attempts as lost, when the job fails or is dropped.
/// first: its list of provisional work; last: its last attempt.
[[gnu::cold]] BURSAR_HD inline void take_back(Ledger& ledger,
                                              ProvisionalWork& provisional,
                                              const PlanView& plan,
                                              std::uint32_t first,
                                              const Attempt& last) {
    const TenantId tenant{last.tenant};
    provisional.take(first, [&](const WorkPlace& place, const HeldTime& worked) {
        bill_work(ledger, plan, tenant, place, Leaf::prod_useful, -worked);
        bill_work(ledger, plan, tenant, place, work_leaf(last.end), worked);
    });
#ifndef __CUDA_ARCH__
    if (ledger.buckets() == nullptr)
        return;
    for (const auto& [number, place, worked] : ledger.buckets()->take_kept(last.job)) {
        BucketLedger::Bucket bucket{*ledger.buckets(), ledger, number};
        bill_work(bucket, plan, tenant, place, Leaf::prod_useful, -worked);
        bill_work(bucket, plan, tenant, place, work_leaf(last.end), worked);
    }
#endif
}

}} // namespace bursar::sim
