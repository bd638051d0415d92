#pragma once

#include <cassert>
#include <cstdint>

#include "models/market/billing.hpp"

#include "sim/engine/attempt_bill.hpp"
#include "sim/engine/candidate.hpp"
#include "sim/engine/grant.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/record/fingerprint.hpp"

namespace bursar {

/// What the pass does when the job whose turn it is does not fit.
enum class HeadRule : std::uint8_t {
    block, ///< nothing behind it starts
    skip,  ///< the next one in order that fits starts
};

/// One run of one plan: the only place where simulated time moves.
///
/// Queue: arrive(job), head(team), first_where(team, fits), start(candidate), num_jobs().
/// Capacity: is_full(), fits(shape), take(shape) -> Grant, release(grant, shape), free_gpus(pool).
/// Team: who executes (team.hpp). Recorder: started, finished, settled (recorder.hpp).
///
/// An instant: ends, then arrivals, then passes until nothing more starts; what a pass ends at the
/// same instant (jobs of no length) is one more round of that instant.
template <class Queue, class Capacity, class Team, class Recorder>
class Loop {
  public:
    BURSAR_HD Loop(const PlanView& plan,
                   HeadRule head_rule,
                   RunState& state,
                   Queue& queue,
                   Capacity& capacity,
                   Team team,
                   Recorder& recorder)
        : plan_{plan}, head_rule_{head_rule}, state_{state}, queue_{queue}, capacity_{capacity},
          team_{team}, recorder_{recorder} {
        assert(Queue::counts_by_shape || head_rule == HeadRule::block);
    }

    BURSAR_HD void run() {
        while (more_to_come()) {
            const std::int64_t instant = next_instant();
            if (instant > plan_.until_ms)
                break;
            const bool last =
                instant == plan_.until_ms; // ends count, what would begin now does not
            team_.once([&] {
                advance_to(instant);
                release_due();
                if (!last)
                    admit_arrivals();
            });
            if (!last)
                schedule();
            if (state_.status != RunStatus::ok)
                return;
            team_.once([&] { recorder_.settled(state_, queue_, capacity_); });
            if (last)
                break;
        }
        team_.once([&] { close(); });
    }

  private:
    [[nodiscard]] BURSAR_HD bool more_to_come() const {
        return state_.next_arrival < plan_.num_jobs || !state_.events.empty();
    }

    [[nodiscard]] BURSAR_HD std::int64_t next_instant() const {
        const std::int64_t arrival = state_.next_arrival < plan_.num_jobs
                                         ? plan_.submit_ms[state_.next_arrival]
                                         : horizon_ms;
        if (state_.events.empty())
            return arrival;
        const std::int64_t event = state_.events.top().time_ms();
        return event < arrival ? event : arrival;
    }

    /// Books the free capacity of the stretch that ends now, as the last pass left it.
    BURSAR_HD void advance_to(std::int64_t instant) {
        const std::int64_t begin = state_.now_ms;
        state_.now_ms = instant;
        if (instant == begin)
            return;
        if (queue_.num_jobs() == 0) {
            state_.idle.charge_no_demand(state_.ledger, capacity_, begin, instant);
        } else if (head_rule_ == HeadRule::block) {
            state_.idle.charge_held_for_head(state_.ledger, capacity_, begin, instant);
        } else if constexpr (Queue::counts_by_shape) {
            state_.idle.charge_by_demand(state_.ledger, capacity_, queue_, begin, instant);
        }
    }

    BURSAR_HD void release_due() {
        while (!state_.events.empty() && state_.events.top().time_ms() == state_.now_ms) {
            const std::uint32_t slot = state_.events.top().slot();
            state_.events.pop();
            ++state_.num_events;
            const Attempt attempt = state_.attempts[slot];
            bill_attempt(state_.ledger, plan_, attempt, state_.now_ms);
            capacity_.release({attempt.pool, attempt.first_piece}, plan_.shapes[attempt.shape]);
            state_.attempts.erase(slot);
            ++state_.num_finished;
            state_.finish_hashes +=
                finish_hash(attempt.job, attempt.pool, attempt.start_ms, state_.now_ms);
            recorder_.finished(attempt.job, state_.now_ms);
        }
    }

    BURSAR_HD void admit_arrivals() {
        while (state_.next_arrival < plan_.num_jobs &&
               plan_.submit_ms[state_.next_arrival] == state_.now_ms) {
            const std::uint32_t job = state_.next_arrival++;
            ++state_.num_events;
            state_.queue_gpus += plan_.gpus(job);
            queue_.arrive(job);
        }
    }

    BURSAR_HD void schedule() {
        while (queue_.num_jobs() > 0) {
            const Candidate next = next_to_start();
            if (next.job == Candidate::no_job)
                return;
            team_.once([&] { start(next); });
            if (state_.status != RunStatus::ok)
                return;
        }
    }

    [[nodiscard]] BURSAR_HD Candidate next_to_start() const {
        if constexpr (Queue::counts_by_shape) {
            if (capacity_.is_full()) // spares the look at the heads
                return {};
            if (head_rule_ == HeadRule::skip) {
                return queue_.first_where(team_, [&](std::uint32_t shape) {
                    return capacity_.fits(plan_.shapes[shape]);
                });
            }
        }
        const Candidate head = queue_.head(team_);
        return capacity_.fits(plan_.shapes[head.shape]) ? head : Candidate{};
    }

    BURSAR_HD void start(const Candidate& next) {
        if (state_.attempts.full()) {
            state_.status = RunStatus::arena_full;
            return;
        }
        const JobShape& shape = plan_.shapes[next.shape];
        const Grant grant = capacity_.take(shape);
        const Attempt attempt{state_.now_ms,
                              work_on(plan_, next.job, grant.pool),
                              next.job,
                              grant.first_piece,
                              grant.pool,
                              static_cast<std::uint16_t>(next.shape),
                              plan_.job_class[next.job],
                              plan_.tenant[next.job],
                              plan_.end[next.job]};
        std::int64_t release_ms = span_of(plan_, attempt).release_ms;
        if (release_ms >= horizon_ms) {
            if (!plan_.has_until) {
                state_.status = RunStatus::horizon_exceeded;
                return;
            }
            release_ms = horizon_ms - 1; // past `until` in any case: never reached
        }
        queue_.start(next);
        state_.queue_gpus -= shape.gpus;
        const std::uint32_t slot = state_.attempts.insert(attempt);
        state_.events.push({release_ms, EventKind::release, slot});
        ++state_.num_started;
        recorder_.started(next.job, grant.pool, state_.now_ms);
    }

    /// The end of the run: what is free until then, what still runs, and what is billed beyond it.
    BURSAR_HD void close() {
        if (plan_.has_until)
            advance_to(plan_.until_ms);
        for (std::uint32_t i = 0; i < state_.events.size(); ++i) {
            const Attempt& attempt = state_.attempts[state_.events[i].slot()];
            bill_attempt(state_.ledger, plan_, attempt, state_.now_ms);
            state_.finish_hashes +=
                finish_hash(attempt.job, attempt.pool, attempt.start_ms, still_running);
        }
        assert(plan_.has_until || queue_.num_jobs() == 0); // every job fits some empty pool
        bill_unlaunched();
    }

    /// Capacity is billed in whole steps (an hour on demand, a term when reserved): what is billed
    /// past the end of the run was paid and never launched. A window with an end of its own does
    /// not reach there.
    BURSAR_HD void bill_unlaunched() {
        if (plan_.has_window_end || plan_.window_begin_ms > state_.now_ms)
            return;
        for (std::uint32_t pool = 0; pool < plan_.num_pools; ++pool) {
            const Duration paid = billed(Duration{state_.now_ms}, plan_.pools[pool].billing_step);
            state_.ledger.charge(pool,
                                 state_.ledger.nobody(),
                                 Leaf::unavail_reserved_unlaunched,
                                 plan_.pools[pool].num_gpus(),
                                 state_.now_ms,
                                 paid.count());
        }
    }

    static constexpr std::int64_t still_running = -1; ///< in place of a finish, in fingerprints

    PlanView plan_;
    HeadRule head_rule_;
    RunState& state_;
    Queue& queue_;
    Capacity& capacity_;
    Team team_;
    Recorder& recorder_;
};

} // namespace bursar
