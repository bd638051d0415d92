#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/queues/order_change.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/engine/staging.hpp"
#include "sim/engine/unused_time.hpp"
#include "sim/engine/world/clocks.hpp"
#include "sim/engine/world/provisioning.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/record/fingerprint.hpp"

namespace bursar { inline namespace sim {

/// One run of one plan: the only place where simulated time moves.
///
/// Its parts are the concepts of protocol.hpp; Team executes it (team.hpp). README.md describes an
/// instant and the reasons for its order.
template <class Pass, class Queue, class Capacity, class Team, class Recorder>
class Loop {
    static_assert(RunParts<Pass, Queue, Capacity, Recorder>::go_together);

  public:
    BURSAR_HD
    Loop(RunMemory<Pass, Queue, Capacity>& memory, Team team, Recorder& recorder)
        : plan_{memory.plan}, state_{memory.state}, pass_{memory.pass}, queue_{memory.queue},
          capacity_{memory.capacity}, events_{memory.events}, team_{team}, recorder_{recorder} {}

    BURSAR_HD void run() {
        if constexpr (Queue::has.come_back) {
            if (plan_.provisioning != nullptr) [[unlikely]]
                team_.once([&] { hide_nodes_off(*this); });
        }
        while (more_to_come()) {
            const std::int64_t instant = next_instant();
            if (instant > plan_.until_ms)
                break;
            const bool last = instant == plan_.until_ms; // ends count, nothing begins
            team_.once([&] {
                advance_to(instant);
                handle_due();
                if (!last) {
                    handle_world();
                    admit_arrivals();
                    drop_late();
                }
            });
            if (!last)
                decide();
            if (state_.status != RunStatus::ok)
                return;
            team_.once([&] { recorder_.settled(state_, queue_, capacity_); });
            if (last)
                break;
        }
        team_.once([&] { close(); });
    }

    // The interface for passes.
    [[nodiscard]] BURSAR_HD const RunPlan& plan() const { return plan_; }
    [[nodiscard]] BURSAR_HD RunState& state() { return state_; }
    [[nodiscard]] BURSAR_HD Queue& queue() { return queue_; }
    [[nodiscard]] BURSAR_HD Capacity& capacity() { return capacity_; }
    /// One event for each attempt that holds GPUs.
    [[nodiscard]] BURSAR_HD EventTree& events() { return events_; }
    [[nodiscard]] BURSAR_HD Recorder& recorder() { return recorder_; }
    [[nodiscard]] BURSAR_HD const Team& team() const { return team_; }

    /// Start a pending job that fits now, or that fits on a pool now. One lane calls them.
    BURSAR_HD void start(const Candidate& next) {
        start_by(next, [&](const JobShape&) { return take_for(capacity_, plan_, next); });
    }
    BURSAR_HD void start_on(const Candidate& next, PoolId pool) {
        start_by(next,
                 [&](const JobShape& shape) { return capacity_.take_on(pool, shape, next.job); });
    }

    /// Starts a pending job in a form of a PlanPair, on GPUs that it takes whole; another job then
    /// starts on its GPUs. One lane calls them.
    BURSAR_HD void start_in(const PlanForm& form, const Candidate& next, PoolId pool)
        requires(Pass::has.are_shared)
    {
        start_as(
            next.job, form, capacity_.take_on(pool, plan_.current_shapes[next.shape], next.job));
    }
    BURSAR_HD void start_beside(AttemptId other, const PlanForm& form, JobId job)
        requires(Pass::has.are_shared)
    {
        start_as(job, form, grant_of(state_.attempts[other]));
    }
    /// A running job goes on in another form on the GPUs that it holds. One lane calls it.
    BURSAR_HD void go_on_in(const PlanForm& form, AttemptId slot)
        requires(Pass::has.are_shared)
    {
        const Attempt before = state_.attempts[slot];
        stop(slot, {StopCause::shared, state_.now_ms, state_.now_ms});
        if (state_.status == RunStatus::ok)
            start_as(before.job, form, grant_of(before));
    }

    /// Records a reservation of a pending job. One lane calls it.
    BURSAR_HD void reserved(JobId job, std::int64_t start_ms) { recorder_.reserved(job, start_ms); }

    /// Begins an attempt of a job: its start-up or recovery, then the work left. The caller pushes
    /// its event, if the status is still ok. One lane calls it.
    BURSAR_HD BegunAttempt begin(JobId job, ShapeId shape, const Grant& grant) {
        return begin_as(job, {static_cast<std::uint16_t>(shape), class_in(job, shape)}, grant);
    }
    BURSAR_HD BegunAttempt begin_as(JobId job, const PlanForm& form, const Grant& grant) {
        const ShapeId shape{form.shape};
        if (state_.attempts.full()) {
            state_.status = RunStatus::arena_full;
            return {};
        }
        const AttemptId slot = state_.attempts.insert();
        Attempt& attempt = state_.attempts.at(slot);
        Progress progress = state_.carried.of(job);
        if constexpr (Queue::has.come_back) {
            if (plan_.moves && plan_.staging.is_on()) [[unlikely]]
                progress.delay_ms -= take_staged(job, grant.pool);
        }
        const std::uint32_t level = level_with_pace(plan_, capacity_, grant);
        attempt = {
            state_.now_ms,
            state_.now_ms + progress.delay_ms,
            elapsed_by_class(plan_, form.job_class, progress.work_left_ms, grant.pool, level),
            {},
            job,
            grant.first_piece,
            grant.pool,
            shape,
            form.job_class,
            plan_.tenant_of(job),
            plan_.end[job],
            static_cast<std::uint8_t>(level),
            progress.num_stopped > 0,
            progress.starts_up,
            StopCause::none};
        state_.queue_slots -= plan_.current_shapes[asked_by(job, shape)].slots();
        ++state_.num_started;
        recorder_.started(job, grant.pool, level, state_.now_ms);
        if constexpr (Pass::has.resizes) {
            if (plan_.forms != nullptr || plan_.pairs != nullptr)
                recorder_.formed(job, form);
        }
        recorder_.placed(job, grant, capacity_);
        if constexpr (Pass::has.began)
            pass_.began(*this, attempt, slot);
        const AttemptSpan span = span_of(plan_, attempt);
        if constexpr (Queue::has.come_back)
            state_.began(plan_, slot, progress, span.work_end_ms);
        return {slot, span.work_end_ms, inside_horizon(span.release_ms)};
    }

    /// Stops an attempt now, before its work ends: surviving work is added to its job's progress,
    /// and the job waits again once the GPUs are released. Cancels its event. One lane calls it.
    ///
    /// The only way to end an attempt before its own end. Sets arena_full if there is no room for
    /// its job.
    BURSAR_HD void stop(AttemptId slot, const Stop& stop)
        requires(Queue::has.come_back)
    {
        assert(stop.cause != StopCause::none && stop.stop_ms == state_.now_ms);
        Attempt& attempt = state_.attempts.at(slot);
        assert(!attempt.is_stopped());
        if (!attempt.is_later && state_.carried.full()) {
            state_.status = RunStatus::arena_full;
            return;
        }
        Progress& progress = state_.carried.record_of(attempt.job);
        const std::int64_t work_left_ms = progress.work_left_ms;
        add_stopped(progress, plan_, attempt, stop, state_.unfinished_recovery);
        if (stop.cause == StopCause::preempted) {
            ++state_.num_preempted;
            state_.num_preempted_without_progress += progress.work_left_ms == work_left_ms ? 1 : 0;
        }
        attempt.cause = stop.cause;
        attempt.work_ms = stop.stop_ms; // as Attempt::stop_ms says
        state_.stopped(plan_, slot, progress.work_left_ms < work_left_ms);
        if (events_.has(slot)) // otherwise the event due now led to this stop
            events_.erase(slot);
        if constexpr (Pass::has.stopping)
            pass_.stopping(*this, slot, stop.release_ms);
        if (stop.release_ms == state_.now_ms)
            release_stopped(slot, progress);
        else
            events_.push({inside_horizon(stop.release_ms), EventKind::release, slot});
    }

    /// Ends an attempt that only cleans up: its GPUs are released now. One lane calls it.
    BURSAR_HD void cut_teardown(AttemptId slot) {
        ++state_.num_events;
        events_.erase(slot);
        finish(slot);
    }

    /// Notifies the pass that a pool has gained or (negative) lost slots. One lane calls it.
    BURSAR_HD void note_capacity_changed([[maybe_unused]] PoolId pool,
                                         [[maybe_unused]] std::int64_t slots) {
        state_.migrations.has_changed = true;
        if constexpr (Pass::has.capacity_changed)
            pass_.capacity_changed(*this, pool, slots);
    }

    /// A job that waited for others waits for GPUs from now on. One lane calls it.
    BURSAR_HD void admit_late(JobId job) {
        ++state_.num_events;
        admit(job);
        unsettle();
        recorder_.eligible(job, state_.now_ms);
    }

    /// A waiting job leaves the queue for good: it must miss its deadline. Work that it has kept is
    /// lost. One lane calls it.
    BURSAR_HD void drop(JobId job)
        requires(Queue::has.come_back)
    {
        const Candidate waiting{job, plan_.shape_of(job)};
        if constexpr (Pass::has.withdraw)
            pass_.withdraw(*this, waiting);
        if (state_.status != RunStatus::ok)
            return;
        ++state_.num_events;
        ++state_.num_dropped;
        queue_.take_out(waiting);
        state_.queue_slots -= plan_.current_shapes[waiting.shape].slots();
        if (state_.carried.has(job)) {
            Attempt last;
            last.job = job;
            last.tenant = plan_.tenant_of(job);
            last.end = JobEnd::cancelled;
            forget_progress(last);
        }
        if (plan_.fallbacks != nullptr)
            state_.fallbacks.dropped(job);
        if (plan_.has_dependencies() && !plan_.needs_completion)
            end_for_dependents(job);
        state_.finish_hashes += drop_hash(job, state_.now_ms);
        recorder_.dropped(job, state_.now_ms);
    }

    /// An event time, limited to what events can hold. If the run ends before, any time past its
    /// end will do; otherwise the run fails with horizon_exceeded.
    [[nodiscard]] BURSAR_HD std::int64_t inside_horizon(std::int64_t time_ms) {
        if (time_ms < horizon_ms)
            return time_ms;
        if (!plan_.has_until)
            state_.status = RunStatus::horizon_exceeded;
        return horizon_ms - 1;
    }

  private:
    /// The class by which a job works in that shape: another one in a form of an elastic job.
    [[nodiscard]] BURSAR_HD std::uint16_t class_in(JobId job,
                                                   [[maybe_unused]] ShapeId shape) const {
        if constexpr (Pass::has.resizes)
            return plan_.class_in(job, shape);
        else
            return plan_.job_class[job];
    }
    /// The shape in which a job waits, that holds GPUs, or will, in `shape`.
    [[nodiscard]] BURSAR_HD ShapeId asked_by([[maybe_unused]] JobId job, ShapeId shape) const {
        if constexpr (Pass::has.resizes)
            return plan_.shape_of(job);
        else
            return shape;
    }

    template <class Take>
    BURSAR_HD void start_by(const Candidate& next, const Take& take) {
        start_as(next.job,
                 {static_cast<std::uint16_t>(next.shape), class_in(next.job, next.shape)},
                 take(plan_.current_shapes[next.shape]));
    }
    BURSAR_HD void start_as(JobId job, const PlanForm& form, const Grant& grant) {
        const BegunAttempt begun = begin_as(job, form, grant);
        if (state_.status != RunStatus::ok)
            return;
        queue_.start({job, asked_by(job, ShapeId{form.shape})});
        events_.push({begun.release_ms, EventKind::release, begun.slot});
    }

    [[nodiscard]] BURSAR_HD bool more_to_come() const {
        if (!events_.empty() || state_.is_closing)
            return !events_.empty();
        return state_.next_arrival < plan_.num_jobs || wake_ms() < horizon_ms ||
               state_.dependents.next_ms() < horizon_ms ||
               (world_ms() < horizon_ms && (plan_.has_until || queue_.num_jobs() > 0));
    }

    /// When the next clock of the world is due; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t world_ms() const {
        if constexpr (Queue::has.come_back) {
            if (plan_.moves) [[unlikely]]
                return next_world_ms(plan_, state_, !events_.empty());
        }
        return horizon_ms;
    }

    /// When the pass must run even if nothing happens; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t wake_ms() const {
        if constexpr (Pass::has.wake_ms)
            return pass_.wake_ms();
        else
            return horizon_ms;
    }

    [[nodiscard]] BURSAR_HD std::int64_t next_instant() const {
        const std::int64_t arrival = state_.next_arrival < plan_.num_jobs
                                         ? plan_.submit_ms[state_.next_arrival]
                                         : horizon_ms;
        std::int64_t outside = arrival < wake_ms() ? arrival : wake_ms();
        const std::int64_t world = world_ms();
        outside = world < outside ? world : outside;
        if (!events_.empty() && events_.top().time_ms() < outside)
            outside = events_.top().time_ms();
        return order_changes_ms(
            team_, queue_, capacity_, state_.head_blocks, state_.pass_stops, outside);
    }

    /// Books the free capacity of the stretch that ends now, by the state after the last pass.
    [[gnu::always_inline]] BURSAR_HD void advance_to(std::int64_t instant) {
        const std::int64_t begin = state_.now_ms;
        state_.now_ms = instant;
        if constexpr (Queue::has.released)
            queue_.advance(instant);
        if (instant == begin)
            return;
        charge_unused(*this, pass_, begin, instant);
    }

    BURSAR_HD void handle_due() {
        while (!events_.empty() && events_.top().time_ms() == state_.now_ms) {
            const EventKey due = events_.top();
            ++state_.num_events;
            const AttemptId slot = due.attempt();
            if constexpr (Pass::has.standing) {
                if (due.kind() == EventKind::standing) {
                    events_.take_first();
                    pass_.standing(*this, slot);
                    events_.find_first();
                    continue;
                }
            }
            events_.pop();
            if constexpr (Queue::has.come_back) {
                if (state_.attempts[slot].is_stopped()) {
                    release_stopped(slot, state_.carried.record_of(state_.attempts[slot].job));
                    continue;
                }
            }
            finish(slot);
        }
    }

    BURSAR_HD void handle_world() {
        if constexpr (Queue::has.come_back) {
            if (world_ms() <= state_.now_ms) [[unlikely]]
                follow_world(*this);
        }
    }

    BURSAR_HD void drop_late() {
        if constexpr (Queue::has.come_back) {
            if (plan_.drops_late) [[unlikely]]
                follow_arrivals(*this);
        }
    }

    /// Runs the pass and, in a dynamic world, what follows it; then the pass may run again.
    BURSAR_HD void decide() {
        pass_.schedule(*this);
        if constexpr (Queue::has.come_back) {
            if (plan_.moves) [[unlikely]] {
                if (may_decide_again(plan_, state_))
                    decide_again(*this, pass_);
                if (plan_.staging.is_on() && state_.status == RunStatus::ok)
                    team_.once([&] { stage_ahead(*this); });
            }
        }
    }

    /// Releases the GPUs of a stopped attempt, which has no event any more; its job waits with
    /// `progress`. Sets arena_full if there is no room for the job, too_many_preemptions at that
    /// limit.
    BURSAR_HD void release_stopped(AttemptId slot, Progress& progress) {
        if (state_.num_preempted > max_preemptions) {
            state_.status = RunStatus::too_many_preemptions;
            return;
        }
        const Attempt attempt = state_.attempts[slot];
        if (!has_room_for(attempt, progress)) {
            state_.status = RunStatus::arena_full;
            return;
        }
        const StoppedWork work = stopped_work(plan_, attempt);
        const HeldTime kept =
            bill_stopped_attempt(state_.ledger, plan_, attempt, work, state_.now_ms);
        if (may_be_taken_back(plan_, attempt)) {
            progress.provisional =
                state_.provisional.add(progress.provisional, place_of_work(attempt), kept);
        }
        const bool are_kept = attempt.cause == StopCause::shared || are_shared(attempt);
        if constexpr (Pass::has.gone)
            pass_.gone(*this, attempt, slot);
        state_.waits(plan_, attempt.job, progress);
        release(attempt, are_kept);
        if constexpr (Queue::has.released)
            queue_.released(attempt.tenant, attempt.shape);
        if (plan_.staging.is_on()) [[unlikely]]
            state_.staged.released(attempt, slot, false, state_.now_ms);
        state_.attempts.erase(slot);
        state_.finish_hashes +=
            stop_hash(attempt.job, attempt.pool, attempt.start_ms, state_.now_ms);
        const ShapeId asked = asked_by(attempt.job, ShapeId{attempt.shape});
        state_.queue_slots += plan_.current_shapes[asked].slots();
        record_stop(recorder_, plan_, attempt, work, state_.now_ms, state_.unfinished_recovery);
        queue_.come_back({attempt.rank, attempt.job, asked, true}, progress);
    }

    /// Whether another job holds the GPUs of an attempt, too.
    [[nodiscard]] BURSAR_HD bool are_shared([[maybe_unused]] const Attempt& attempt) const {
        if constexpr (Pass::has.are_shared)
            return pass_.are_shared(attempt);
        else
            return false;
    }
    [[nodiscard]] BURSAR_HD Grant grant_of(const Attempt& attempt) const {
        return {attempt.pool,
                static_cast<std::uint16_t>(attempt.level % plan_.num_levels),
                attempt.first_piece};
    }
    /// Frees the GPUs of an attempt that is gone, unless its job, or another one, still has them.
    /// They were taken whole.
    [[gnu::always_inline]] BURSAR_HD void release(const Attempt& attempt, bool are_kept) {
        ShapeId shape{attempt.shape};
        if constexpr (Pass::has.are_shared) {
            if (are_kept)
                return;
            if (plan_.pairs != nullptr)
                shape = plan_.shape_of(attempt.job);
        }
        capacity_.release({attempt.pool, attempt.level, attempt.first_piece},
                          plan_.current_shapes[shape]);
    }

    /// Whether there is room for a stopped job in the queue, and for its provisional work.
    [[nodiscard]] BURSAR_HD bool has_room_for(const Attempt& attempt,
                                              const Progress& progress) const {
        if constexpr (Queue::has.put_back || Queue::has.give_back) {
            if (queue_.full())
                return false;
        }
        return !may_be_taken_back(plan_, attempt) ||
               state_.provisional.has_room(progress.provisional, place_of_work(attempt));
    }

    BURSAR_HD void finish(AttemptId slot) {
        const Attempt attempt = state_.attempts[slot];
        bill_ended_attempt(state_.ledger, plan_, attempt, state_.now_ms);
        if (attempt.is_later) [[unlikely]]
            forget_progress(attempt);
        const bool are_kept = are_shared(attempt);
        if constexpr (Pass::has.gone)
            pass_.gone(*this, attempt, slot);
        release(attempt, are_kept);
        if constexpr (Queue::has.released)
            queue_.released(attempt.tenant, attempt.shape);
        state_.attempts.erase(slot);
        ++state_.num_finished;
        state_.finish_hashes +=
            finish_hash(attempt.job, attempt.pool, attempt.start_ms, state_.now_ms);
        recorder_.finished(attempt.job, state_.now_ms);
        if constexpr (Queue::has.come_back) {
            if (plan_.moves) [[unlikely]]
                note_end(attempt, slot);
        }
    }

    [[gnu::noinline, gnu::cold]] BURSAR_HD void note_end(const Attempt& attempt, AttemptId slot) {
        if (plan_.staging.is_on())
            state_.staged.released(attempt, slot, true, state_.now_ms);
        if (plan_.has_dependencies())
            end_for_dependents(attempt.job);
    }
    BURSAR_HD void end_for_dependents(JobId job) {
        state_.dependents.ended(job, state_.now_ms, state_.next_arrival, [&](std::int64_t time_ms) {
            return inside_horizon(time_ms);
        });
    }

    /// The part of a job's start-up that it has staged on the GPUs that it has just taken.
    [[nodiscard, gnu::noinline, gnu::cold]] BURSAR_HD std::int64_t take_staged(JobId job,
                                                                               PoolId pool) {
        return state_.staged.started(job, pool, state_.now_ms, recorder_);
    }

    /// Drops the progress of a job that was stopped before and has ended.
    BURSAR_HD void forget_progress(const Attempt& last) {
        const std::uint32_t provisional = state_.carried.of(last.job).provisional;
        if (provisional != ProvisionalWork::none)
            take_back(state_.ledger, state_.provisional, plan_, provisional, last);
        state_.carried.drop(last.job);
    }

    BURSAR_HD void admit_arrivals() {
        while (state_.next_arrival < plan_.num_jobs &&
               plan_.submit_ms[state_.next_arrival] == state_.now_ms) {
            const JobId job{state_.next_arrival++};
            ++state_.num_events;
            if constexpr (Queue::has.come_back) {
                if (state_.dependents.waits_at_submit(job)) [[unlikely]] {
                    unsettle();
                    recorder_.waits_for_others(job, state_.now_ms);
                    continue;
                }
            }
            admit(job);
        }
    }

    /// A job waits for GPUs from now on.
    [[gnu::always_inline]] BURSAR_HD void admit(JobId job) {
        state_.queue_slots += plan_.current_shapes[plan_.shape[job]].slots();
        if constexpr (Queue::has.come_back)
            state_.waits(plan_, job);
        queue_.arrive(job);
    }

    /// Other jobs wait than those submitted, in their order: the pass concludes nothing from how
    /// many were submitted since it ran.
    BURSAR_HD void unsettle() {
        if constexpr (Pass::has.unsettle)
            pass_.unsettle();
    }

    /// Ends the run: books free capacity and running attempts up to its end, and what is billed
    /// beyond.
    BURSAR_HD void close() {
        if (plan_.has_until)
            advance_to(plan_.until_ms);
        state_.num_running_at_end = events_.size();
        events_.for_each([&](EventKey event) {
            const Attempt& attempt = state_.attempts[event.attempt()];
            if (attempt.is_stopped()) [[unlikely]] {
                const StoppedWork work = stopped_work(plan_, attempt);
                bill_stopped_attempt(state_.ledger, plan_, attempt, work, state_.now_ms);
                record_stop(
                    recorder_, plan_, attempt, work, state_.now_ms, state_.unfinished_recovery);
            } else
                bill_running_attempt(state_.ledger, plan_, attempt, state_.now_ms);
            state_.finish_hashes +=
                finish_hash(attempt.job, attempt.pool, attempt.start_ms, still_running);
        });
        if constexpr (Queue::has.come_back) {
            if (plan_.staging.is_on()) [[unlikely]]
                state_.staged.close(state_.now_ms, recorder_);
        }
        // In a static world without `until` no job may be left: each fits some empty pool.
        assert(plan_.has_until || plan_.moves || queue_.num_jobs() == 0);
        if (plan_.moves) [[unlikely]]
            state_.fleet.close(state_.ledger, recorder_, state_.now_ms);
        else
            bill_unlaunched(state_.ledger, plan_, state_.now_ms);
    }

    static constexpr std::int64_t still_running = -1; ///< in place of a finish, in fingerprints

    RunPlan plan_;
    RunState& state_;
    Pass& pass_;
    Queue& queue_;
    Capacity& capacity_;
    EventTree& events_;
    Team team_;
    Recorder& recorder_;
};

}} // namespace bursar::sim
