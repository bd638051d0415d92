#pragma once

#include <cstdint>

#include "sim/engine/backfill/estimated_hold.hpp"
#include "sim/engine/backfill/release_calendar.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// EASY backfilling (Lifka 1995; Feitelson & Weil 1998): while the job whose turn it is does not
/// fit, it holds one reservation, at the earliest instant at which running jobs, ending when
/// believed, leave room for it. A job behind it may start now if it ends by then or stays clear of
/// what is reserved; jobs are tried in the queue's order.
///
/// The reservation is made anew when another job comes to the head, when an attempt ends at another
/// instant than believed, and while one runs on past its estimate; else it stands, because nothing
/// that starts under its rule moves it. A head that would not fit even if everybody had gone is
/// protected from nobody: those behind it start if they fit.
///
/// Reservation: CountReservation or NodeReservation. Cost per pass: a look at the heads and at the
/// shortest pending job of each shape, and O(log) for each job that starts; a job that arrives
/// behind a blocked head is looked at alone.
template <class Reservation>
class EasyPass {
  public:
    static constexpr PassMembers has{.began = true, .gone = true};

    EasyPass() = default;
    BURSAR_HD
    EasyPass(ArenaCarver& carver, const PlanView& plan, std::uint32_t max_live, const RunOptions&)
        : calendar_{carver, plan, max_live}, reservation_{carver, plan} {}

    BURSAR_HD void clear() {
        calendar_.clear();
        blocked_ = reserved_for_ = Candidate::no_job();
        num_seen_ = 0;
        is_settled_ = false;
    }

    /// All lanes call it; what it decides is done by one.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        const std::uint32_t num_before = num_seen_;
        const bool was_settled = is_settled_;
        engine.team().once([&] {
            num_seen_ = engine.state().next_arrival;
            is_settled_ = true;
        });
        if (was_settled && num_seen_ == num_before + 1 && stands_for(engine, JobId{num_before}))
            engine.team().once([&] { backfill_arrival(engine, JobId{num_before}); });
        else
            decide_for_all(engine);
    }

    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot) {
        const std::int64_t release_ms = believed_release_ms(engine.plan(), attempt);
        const std::int64_t slots = engine.plan().shapes[attempt.shape].slots();
        calendar_.add(PoolId{attempt.pool}, slot, release_ms, slots);
        if (has_reservation() && release_ms > reservation_.at_ms())
            reservation_.outlived_by(PoolId{attempt.pool}, slots);
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        if (calendar_.remove(PoolId{attempt.pool}, slot) != engine.state().now_ms)
            reserved_for_ = Candidate::no_job();
        is_settled_ = false;
    }

    /// What is reserved and stays free is held for the head; the rest by demand.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        if (engine.queue().num_jobs() == 0) {
            state.idle.charge_no_demand(state.ledger, capacity, begin_ms, end_ms);
            return;
        }
        Holds holds;
        if (has_reservation())
            holds = {reservation_.pool(), reservation_.held_slots(capacity)};
        state.idle.charge_by_demand(
            state.ledger, capacity, engine.queue(), begin_ms, end_ms, holds);
    }

  private:
    /// What is reserved of one pool; the job it waits for still asks for the rest of its gang.
    struct Holds {
        static constexpr Leaf leaf = Leaf::idle_gang;
        PoolId pool{0xffffffffU};
        std::int64_t held{};
        [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId of) const {
            return of == pool ? held : 0;
        }
        [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId /*shape*/) const { return 0; }
    };

    template <class Engine>
    [[nodiscard]] BURSAR_HD static bool failed(Engine& engine) {
        return engine.state().status != RunStatus::ok;
    }

    template <class Engine>
    BURSAR_HD void decide_for_all(Engine& engine) {
        const Candidate head = start_heads(engine);
        engine.team().once([&] { note_blocked(engine, head.job); });
        if (head.job == Candidate::no_job() || engine.capacity().is_full() || failed(engine))
            return;
        engine.team().once([&] { reserve_for(engine, head); });
        while ((has_reservation() ? backfill_one(engine) : start_one(engine)) && !failed(engine)) {
        }
    }

    /// Whether all that changed since the last pass is that a job has come behind the blocked head.
    /// Whoever could not start then cannot now: what is free and what is reserved are the same, and
    /// there is less time left.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool stands_for(Engine& engine, JobId job) const {
        return blocked_ != Candidate::no_job() && engine.queue().is_before(blocked_, job) &&
               (engine.capacity().is_full() ||
                (has_reservation() && reservation_.at_ms() > engine.state().now_ms));
    }
    template <class Engine>
    BURSAR_HD void backfill_arrival(Engine& engine, JobId job) {
        auto& capacity = engine.capacity();
        if (capacity.is_full())
            return;
        const PlanView& plan = engine.plan();
        const Candidate candidate{job, plan.shape_of(job)};
        const JobShape& shape = plan.shapes[candidate.shape];
        const PoolId pool = reservation_.pool();
        const bool in_time =
            capacity.fits_on(pool, shape) &&
            longest_hold_ms(plan, job, pool) <= reservation_.at_ms() - engine.state().now_ms;
        if (!in_time)
            reservation_.hide(capacity);
        if (in_time || capacity.fits(shape))
            engine.start(candidate);
        if (!in_time)
            reservation_.show(capacity);
    }

    /// Starts jobs in order for as long as they fit; the first that does not, or no_job().
    template <class Engine>
    [[nodiscard]] BURSAR_HD Candidate start_heads(Engine& engine) {
        while (engine.queue().num_jobs() > 0 && !failed(engine)) {
            const Candidate head = engine.queue().head(engine.team());
            if (!engine.capacity().fits(engine.plan().shapes[head.shape]))
                return head;
            engine.team().once([&] {
                reserved_for_ = Candidate::no_job(); // a head may start past another's reservation
                engine.start(head);
            });
        }
        return {};
    }

    template <class Engine>
    BURSAR_HD void note_blocked(Engine& engine, JobId job) {
        if (job != Candidate::no_job() && job != blocked_)
            ++engine.state().num_reservations;
        blocked_ = job;
    }

    template <class Engine>
    BURSAR_HD void reserve_for(Engine& engine, const Candidate& head) {
        if (reserved_for_ == head.job && reservation_.at_ms() > engine.state().now_ms)
            return;
        reserved_for_ = Candidate::no_job();
        if (!reservation_.make(engine, calendar_, head.shape))
            return;
        reserved_for_ = head.job;
        engine.reserved(head.job, reservation_.at_ms());
    }

    /// Starts the first job in order that may; false if there is none.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool backfill_one(Engine& engine) {
        auto& capacity = engine.capacity();
        const auto& queue = engine.queue();
        const JobShape* shapes = engine.plan().shapes;
        const PoolId pool = reservation_.pool();
        const std::int64_t time_left = reservation_.at_ms() - engine.state().now_ms;
        const RankedQueue::Head in_time =
            queue.first_picked(engine.team(), [&](ShapeId shape, JobId) {
                return capacity.fits_on(pool, shapes[shape])
                           ? queue.first_within(shape, pool, time_left)
                           : Candidate::no_job();
            });
        engine.team().once([&] { reservation_.hide(capacity); });
        const RankedQueue::Head beside =
            capacity.is_full()
                ? RankedQueue::Head{}
                : queue.first_picked(engine.team(), [&](ShapeId shape, JobId head) {
                      return capacity.fits(shapes[shape]) ? head : Candidate::no_job();
                  });
        // Where the first job could do either it may as well use what is reserved.
        const bool stays_clear = beside < in_time;
        if (stays_clear)
            engine.team().once([&] { engine.start({beside.job, beside.shape}); });
        engine.team().once([&] { reservation_.show(capacity); });
        if (!stays_clear && in_time.job != Candidate::no_job())
            engine.team().once([&] { engine.start({in_time.job, in_time.shape}); });
        return stays_clear || in_time.job != Candidate::no_job();
    }

    /// Where nothing is reserved: starts the first job in order that fits; false if there is none.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool start_one(Engine& engine) {
        const Candidate next = engine.queue().first_where(engine.team(), [&](ShapeId shape) {
            return engine.capacity().fits(engine.plan().shapes[shape]);
        });
        if (next.job != Candidate::no_job())
            engine.team().once([&] { engine.start(next); });
        return next.job != Candidate::no_job();
    }

    /// Whether the head, blocked since the last pass, has a reservation.
    [[nodiscard]] BURSAR_HD bool has_reservation() const {
        return reserved_for_ != Candidate::no_job() && reserved_for_ == blocked_;
    }

    ReleaseCalendar calendar_;
    Reservation reservation_;
    JobId blocked_{Candidate::no_job()};      ///< the head, as the last pass left it
    JobId reserved_for_{Candidate::no_job()}; ///< whose reservation is kept
    std::uint32_t num_seen_{};                ///< arrivals, up to the last pass
    bool is_settled_{};                       ///< nobody has gone since the last pass
};

} // namespace bursar::inline sim
