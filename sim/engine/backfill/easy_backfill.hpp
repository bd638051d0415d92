#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/backfill/release_calendar.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// EASY's rules for jobs behind a head that does not fit: keeps one reservation for the head, and
/// finds the jobs that may start without delaying it.
///
/// A pass owns one. It forwards the hooks `began`, `stopping`, `gone` and `capacity_changed`, calls
/// `forget` when a head starts, and in `schedule`:
///
///     if (!easy.stands(engine)) {
///         ... start heads until one does not fit ...
///         once: easy.head_blocked(engine, head);      // no job: none is blocked
///     }
///     while (!(next = easy.next_behind(engine)).is_none())
///         once: easy.start(engine, next, [&] { engine.start(next.job); });
///
/// With rounds (RunOptions::quantum_ms), the reserved instant is a round.
///
/// The reservation is made again when another job becomes the head, when capacity changes, and when
/// the end of an attempt (or of its stop) differs from the believed one. While an attempt runs past
/// its estimate, every pass makes it again. Otherwise it stands, because jobs that start by its
/// rule do not move it. A head that would not fit empty pools has no reservation: jobs behind it
/// start if they fit.
///
/// Reservation: CountReservation or NodeReservation. Cost per pass: a check of the shortest pending
/// job of each shape, and O(log) for each job that starts. If only one job has arrived behind a
/// blocked head, only that job is checked.
template <class Reservation>
class EasyBackfill {
  public:
    /// A job that may start behind the head. stays_clear: it must start while the reservation is
    /// hidden.
    struct Behind {
        Candidate job{};
        bool stays_clear{};
        [[nodiscard]] BURSAR_HD bool is_none() const { return job.job == Candidate::no_job(); }
    };
    /// The reserved slots of one pool. The demand of the head still counts in full.
    struct Holds {
        static constexpr Leaf leaf = Leaf::idle_gang;
        PoolId pool{0xffffffffU};
        std::int64_t held{};
        [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId of) const {
            return of == pool ? held : 0;
        }
        [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId /*shape*/) const { return 0; }
    };

    EasyBackfill() = default;
    BURSAR_HD EasyBackfill(ArenaCarver& carver,
                           const RunPlan& plan,
                           std::uint32_t max_live,
                           const RunOptions& options)
        : calendar_{carver, plan, max_live}, reservation_{carver, plan},
          quantum_ms_{options.quantum_ms} {}

    BURSAR_HD void clear() {
        calendar_.clear();
        blocked_ = reserved_for_ = arrival_ = Candidate::no_job();
        num_seen_ = 0;
        is_settled_ = looks_at_one_ = false;
    }

    /// Whether the only change since the last pass is one arrival behind the blocked head. Then
    /// only that job is checked: the others could not start before, and now less time is left. All
    /// lanes call it.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool stands(Engine& engine) {
        const std::uint32_t num_arrived = engine.state().next_arrival;
        const bool stands = is_settled_ && num_arrived == num_seen_ + 1 &&
                            comes_behind(engine, JobId{num_arrived - 1}) &&
                            (engine.capacity().is_full() || is_kept(engine));
        engine.team().once([&] {
            num_seen_ = num_arrived;
            is_settled_ = true;
            looks_at_one_ = stands;
            arrival_ = stands ? JobId{num_arrived - 1} : Candidate::no_job();
        });
        return stands;
    }

    /// Sets the head that does not fit; no_job(): none is blocked.
    template <class Engine>
    BURSAR_HD void head_blocked(Engine& engine, const Candidate& head) {
        if (head.job != Candidate::no_job() && head.job != blocked_)
            ++engine.state().num_reservations;
        blocked_ = head.job;
        if (head.job != Candidate::no_job() && head.job != reserved_for_)
            forget(); // another job is the head
        if (head.job == Candidate::no_job() || engine.capacity().is_full() || is_kept(engine))
            return;
        forget();
        if (!reservation_.make(engine, calendar_, head, quantum_ms_))
            return;
        reserved_for_ = head.job;
        engine.reserved(head.job, reservation_.at_ms());
    }
    /// Drops the reservation.
    BURSAR_HD void forget() { reserved_for_ = Candidate::no_job(); }

    /// The first job in order that may start behind the head, if any. By all lanes.
    template <class Engine>
    [[nodiscard]] BURSAR_HD Behind next_behind(Engine& engine) {
        if (blocked_ == Candidate::no_job() || engine.capacity().is_full())
            return {};
        if (!looks_at_one_)
            return has_reservation() ? first_behind(engine) : first_that_fits(engine);
        const JobId job = arrival_;
        engine.team().once([&] { arrival_ = Candidate::no_job(); });
        return job == Candidate::no_job() ? Behind{} : alone(engine, job);
    }
    /// Calls `start()` while the capacity shows only what such a job may take.
    template <class Engine, class Start>
    BURSAR_HD void start(Engine& engine, const Behind& next, const Start& start) {
        if (next.stays_clear)
            reservation_.hide(engine.capacity());
        start();
        if (next.stays_clear)
            reservation_.show(engine.capacity());
    }

    // Hooks.
    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot) {
        const PoolId pool{attempt.pool};
        const std::int64_t release_ms =
            believed_release_ms(engine.plan(), attempt, engine.state().carried.of(attempt.job));
        const std::int64_t slots = engine.plan().current_shapes[attempt.shape].slots();
        calendar_.add(pool, slot, release_ms, slots);
        if (has_reservation() && release_ms > reservation_.at_ms())
            reservation_.outlived_by(pool, slots);
    }
    /// The release of an attempt that was stopped is known.
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t release_ms) {
        const PoolId pool{engine.state().attempts[slot].pool};
        const std::int64_t known_ms = release_ms < horizon_ms ? release_ms : horizon_ms - 1;
        is_settled_ = false;
        if (calendar_.change(pool, slot, known_ms) != known_ms)
            forget();
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        const std::int64_t believed_ms = calendar_.remove(PoolId{attempt.pool}, slot);
        is_settled_ = false;
        if (believed_ms != engine.state().now_ms || attempt.is_stopped())
            forget();
    }
    BURSAR_HD void capacity_changed() {
        is_settled_ = false;
        forget();
    }

    BURSAR_HD void unsettle() { is_settled_ = false; }
    /// A waiting job leaves the queue.
    BURSAR_HD void withdraw(JobId job) {
        unsettle();
        if (blocked_ == job) {
            blocked_ = Candidate::no_job();
            forget();
        }
    }

    /// The free slots that are held for the head.
    template <class Capacity>
    [[nodiscard]] BURSAR_HD Holds holds(const Capacity& capacity) const {
        if (!has_reservation())
            return {};
        return {reservation_.pool(), reservation_.held_slots(capacity)};
    }

  private:
    /// Whether the head, blocked since the last pass, has a reservation.
    [[nodiscard]] BURSAR_HD bool has_reservation() const {
        return reserved_for_ != Candidate::no_job() && reserved_for_ == blocked_;
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool is_kept(Engine& engine) const {
        return has_reservation() && reservation_.at_ms() > engine.state().now_ms;
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool comes_behind(Engine& engine, JobId job) const {
        using Queue = std::remove_reference_t<decltype(engine.queue())>;
        if constexpr (Queue::has.released) // the order may change though no attempt has ended
            return false;
        else
            return blocked_ != Candidate::no_job() && engine.queue().is_before(blocked_, job);
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD Behind alone(Engine& engine, JobId job) {
        const RunPlan& plan = engine.plan();
        auto& capacity = engine.capacity();
        const Candidate candidate{job, plan.shape_of(job)};
        const JobShape& shape = plan.current_shapes[candidate.shape];
        const PoolId pool = reservation_.pool();
        const std::int64_t time_left = reservation_.at_ms() - engine.state().now_ms;
        if (capacity.fits_on(pool, shape) &&
            longest_hold_ms(plan, job, progress_at_arrival(plan, job), pool) <= time_left)
            return {candidate, false};
        engine.team().once([&] { reservation_.hide(capacity); });
        const bool fits = capacity.fits(shape);
        engine.team().once([&] { reservation_.show(capacity); });
        return fits ? Behind{candidate, true} : Behind{};
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD Behind first_behind(Engine& engine) {
        auto& capacity = engine.capacity();
        const auto& queue = engine.queue();
        const JobShape* shapes = engine.plan().current_shapes;
        const PoolId pool = reservation_.pool();
        const std::int64_t time_left = reservation_.at_ms() - engine.state().now_ms;
        const auto in_time = queue.first_picked(engine.team(), [&](ShapeId shape, JobId) {
            return capacity.fits_on(pool, shapes[shape])
                       ? queue.first_within(shape, pool, time_left, engine.state().carried)
                       : Candidate::no_job();
        });
        engine.team().once([&] { reservation_.hide(capacity); });
        auto first = in_time;
        if (!capacity.is_full()) {
            const auto beside = queue.first_picked(engine.team(), [&](ShapeId shape, JobId head) {
                return capacity.fits(shapes[shape]) ? head : Candidate::no_job();
            });
            // A job that ends in time and would also fit beside the reservation may use reserved
            // slots.
            first = beside < in_time ? beside : in_time;
        }
        engine.team().once([&] { reservation_.show(capacity); });
        return {{first.job, first.shape}, first < in_time};
    }

    /// Without a reservation.
    template <class Engine>
    [[nodiscard]] BURSAR_HD Behind first_that_fits(Engine& engine) {
        const auto first =
            engine.queue().first_picked(engine.team(), [&](ShapeId shape, JobId job) {
                return engine.capacity().fits(engine.plan().current_shapes[shape])
                           ? job
                           : Candidate::no_job();
            });
        return {{first.job, first.shape}, false};
    }

    ReleaseCalendar calendar_;
    Reservation reservation_;
    std::int64_t quantum_ms_{};
    JobId blocked_{Candidate::no_job()};      ///< the blocked head of the last pass
    JobId reserved_for_{Candidate::no_job()}; ///< whose reservation is kept
    JobId arrival_{Candidate::no_job()};      ///< the only job to check
    std::uint32_t num_seen_{};                ///< arrivals, up to the last pass
    bool is_settled_{};                       ///< nothing but arrivals since the last pass
    bool looks_at_one_{};                     ///< only `arrival_` is checked
};

}} // namespace bursar::sim
