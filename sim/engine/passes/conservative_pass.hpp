#pragma once

#include <cstdint>

#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/backfill/gpu_forecast.hpp"
#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Conservative backfilling (Mu'alem & Feitelson 2001): at its arrival every job is promised the
/// first start that delays no earlier promise, and starts then. Jobs that arrive together are
/// served in the queue's order.
///
/// A job of zero length needs its GPUs for one instant only. It runs after jobs that were promised
/// the same start before, and before all others, which may start once it has ended; no other
/// promise may span its instant. Jobs of zero length at one instant run one after the other.
///
/// When an attempt ends before its estimate, every promise moves up as far as the others permit, in
/// the order of promised starts; none moves back. Each start is then an instant at which something
/// else is believed to end, so that no timer is needed without rounds. When an attempt outlives its
/// estimate and a promise cannot be kept, all promises are made again in the queue's order.
/// Attempts past their estimates are then assumed to end in the next millisecond. The same happens
/// when an attempt is stopped, its job comes back, a job is dropped, or capacity changes. A job
/// that fits no node that is up gets no promise until capacity changes again.
///
/// With rounds, a promised start is a round, and the pass wakes for it.
///
/// Forecast: CountForecast or NodeForecast. Cost: O(log) per promise, plus a check of the few
/// stretches that seem to have a gap long enough. Moving or remaking promises takes one search for
/// each promised job; `depth` limits their number.
template <class Forecast>
class ConservativePass {
  public:
    static constexpr PassMembers has{.began = true,
                                     .stopping = true,
                                     .gone = true,
                                     .capacity_changed = true,
                                     .withdraw = true,
                                     .wake_ms = true};

    ConservativePass() = default;
    BURSAR_HD ConservativePass(ArenaCarver& carver,
                               const RunPlan& plan,
                               std::uint32_t max_live,
                               const RunOptions& options)
        : plan_{plan}, forecast_{carver, plan, max_live, options},
          promise_of_{carver.take<Promise>(plan.num_jobs)},
          believed_end_{carver.take<std::int64_t>(max_live)}, starts_{carver, plan.num_jobs},
          quantum_ms_{options.quantum_ms}, depth_{options.backfill_depth} {}

    BURSAR_HD void clear() {
        starts_.clear();
        ended_early_ = is_changed_ = false;
        wake_ms_ = horizon_ms;
        forecast_.clear();
    }

    /// The next round at which the pass must run; horizon_ms: none.
    [[nodiscard]] BURSAR_HD std::int64_t wake_ms() const { return wake_ms_; }

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        const std::int64_t now_ms = engine.state().now_ms;
        engine.team().once([&] { forecast_.advance(now_ms); });
        if (round_from(now_ms, quantum_ms_) == now_ms)
            decide(engine);
        if (quantum_ms_ > 0)
            engine.team().once([&] { wake_ms_ = next_round(engine); });
    }

    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot) {
        const Promise& promise = promise_of_[attempt.job];
        believed_end_[slot] =
            believed_release_ms(plan_, attempt, engine.state().carried.of(attempt.job));
        ended_early_ = ended_early_ || believed_end_[slot] < promise.end_ms();
        forecast_.begin(engine, promise, attempt, believed_end_[slot]);
    }
    /// Promises are made again at the next pass, also when a stopped job comes back; until then the
    /// forecast may be wrong.
    template <class Engine>
    BURSAR_HD void stopping(Engine&, AttemptId slot, std::int64_t release_ms) {
        believed_end_[slot] = release_ms < horizon_ms ? release_ms : horizon_ms - 1;
        is_changed_ = true;
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        is_changed_ = is_changed_ || attempt.is_stopped();
        forecast_.gone(engine, attempt, believed_end_[slot]);
        ended_early_ = ended_early_ || believed_end_[slot] > engine.state().now_ms;
    }

    template <class Engine>
    BURSAR_HD void capacity_changed(Engine& engine, PoolId, std::int64_t /*slots*/) {
        is_changed_ = true;
        engine.queue().take_back_all();
    }

    /// A waiting job leaves the queue: promises are made again without it.
    template <class Engine>
    BURSAR_HD void withdraw(Engine&, const Candidate&) {
        is_changed_ = true;
        starts_.clear();
    }

    /// Promised free slots are booked as held for those jobs, the others by demand. Promises that
    /// must be made again hold nothing.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        if (engine.queue().num_jobs() == 0) {
            state.idle.charge_no_demand(state.ledger, capacity, begin_ms, end_ms);
            return;
        }
        using Capacity = std::remove_reference_t<decltype(capacity)>;
        state.idle.charge_by_demand(state.ledger,
                                    capacity,
                                    engine.queue(),
                                    begin_ms,
                                    end_ms,
                                    Holds<Capacity>{forecast_, capacity, !is_changed_});
    }

  private:
    /// Promised free slots of each pool. The demand of promised jobs still counts in full.
    template <class Capacity>
    struct Holds {
        static constexpr Leaf leaf = Leaf::idle_gang;
        Forecast& forecast;
        const Capacity& capacity;
        bool are_kept{}; ///< promises are valid
        [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId pool) const {
            return are_kept ? forecast.held_slots(capacity, pool) : 0;
        }
        [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId /*shape*/) const { return 0; }
    };

    template <class Engine>
    BURSAR_HD void decide(Engine& engine) {
        engine.team().once([&] {
            const bool is_late =
                !starts_.empty() && starts_.top().tick < tick_of_instant(engine.state().now_ms);
            if (is_late || is_changed_)
                make_promises_anew(engine);
            else if (ended_early_)
                move_promises_up(engine);
        });
        do {
            make_promises(engine);
            engine.team().once([&] { start_due(engine); });
        } while (engine.state().status == RunStatus::ok && may_promise(engine));
    }

    /// The next round, if promises may change there or a start is due. A later start follows an end
    /// that is believed to come before it and wakes the pass.
    template <class Engine>
    [[nodiscard]] BURSAR_HD std::int64_t next_round(Engine& engine) const {
        const std::int64_t now_ms = engine.state().now_ms;
        const std::int64_t next_ms = round_from(now_ms + 1, quantum_ms_);
        const bool may_change =
            engine.queue().num_jobs() > 0 && (is_changed_ || ended_early_ || may_promise(engine));
        const bool is_due = round_from(now_ms, quantum_ms_) != now_ms && !starts_.empty() &&
                            instant_of(starts_.top().tick) <= next_ms;
        return (may_change || is_due) && next_ms < horizon_ms ? next_ms : horizon_ms;
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD bool may_promise(Engine& engine) const {
        return engine.queue().num_waiting() > 0 && engine.queue().num_promised() < depth_;
    }

    template <class Engine>
    BURSAR_HD void make_promises(Engine& engine) {
        while (may_promise(engine)) {
            const Candidate next = engine.queue().first_waiting(engine.team());
            engine.team().once([&] {
                if (!promise_start(engine, next.job)) {
                    engine.queue().set_aside(next);
                    return;
                }
                starts_.push({promise_of_[next.job].begin_tick(), next.job});
                engine.queue().promise(next);
                ++engine.state().num_reservations;
                engine.reserved(next.job, promise_of_[next.job].start_ms);
            });
        }
    }

    /// Promises a start. Returns false if the job fits no node that is up.
    template <class Engine>
    BURSAR_HD bool promise_start(Engine& engine, JobId job) {
        Promise promise = first_start(engine, job);
        if (promise.start_ms == GpuForecast::never)
            return false;
        forecast_.keep(engine, job, plan_.current_shapes[plan_.shape[job]], promise);
        promise_of_[job] = promise;
        return true;
    }

    /// The earliest start of a job over all pools, ties in the broker's order; never if there is
    /// none.
    template <class Engine>
    [[nodiscard]] BURSAR_HD Promise first_start(Engine& engine, JobId job) {
        const JobShape& shape = plan_.current_shapes[plan_.shape[job]];
        Promise best;
        best.start_ms = GpuForecast::never;
        for (std::uint32_t i = 0; i < plan_.num_pools; ++i) {
            const PoolId pool{plan_.current_order[order_of(plan_, shape, job) + i]};
            if ((shape.permitted_pools >> pool & 1U) == 0 ||
                plan_.pools[pool].num_gpus() * slots_per_gpu < shape.slots())
                continue;
            const std::int64_t hold =
                longest_hold_ms(plan_, job, engine.state().carried.of(job), pool);
            const std::int64_t start =
                forecast_.first_fit(engine, pool, shape, engine.state().now_ms, hold);
            if (start < best.start_ms)
                best = {start, hold, pool, 0};
        }
        return best;
    }

    /// Starts every job whose promised start is due. If its capacity is not free because jobs of
    /// zero length must end first, it starts later at this instant. Otherwise promises are made
    /// again, and the next try succeeds.
    template <class Engine>
    BURSAR_HD void start_due(Engine& engine) {
        const std::int64_t now_ms = engine.state().now_ms;
        while (!starts_.empty() && starts_.top().tick <= tick_after(now_ms)) {
            const JobId job = starts_.top().job;
            const ShapeId shape = plan_.shape_of(job);
            const Promise promise = promise_of_[job];
            if (!forecast_.is_free(engine.capacity(), plan_.current_shapes[shape], promise)) {
                const auto& events = engine.events();
                if (!events.empty() && events.top().time_ms() == now_ms)
                    return;
                make_promises_anew(engine);
                continue;
            }
            starts_.pop();
            forecast_.with_room_for(engine.capacity(), plan_.current_shapes[shape], promise, [&] {
                engine.start_on({job, shape}, promise.pool);
            });
            if (engine.state().status != RunStatus::ok)
                return;
        }
    }

    template <class Engine>
    BURSAR_HD void move_promises_up(Engine& engine) {
        ended_early_ = false;
        starts_.renew_in_order([&](PromisedStart& start) {
            move_up(engine, start.job);
            start.tick = promise_of_[start.job].begin_tick();
        });
    }

    /// A job of zero length keeps its instant unless it finds an earlier one: others may be
    /// promised a start after it at that instant.
    template <class Engine>
    BURSAR_HD void move_up(Engine& engine, JobId job) {
        const JobShape& shape = plan_.current_shapes[plan_.shape[job]];
        const Promise& promise = promise_of_[job];
        if (!promise.has_length() && first_start(engine, job).start_ms >= promise.start_ms)
            return;
        forecast_.drop(shape, promise);
        promise_start(engine, job);
    }

    template <class Engine>
    BURSAR_HD void make_promises_anew(Engine& engine) {
        RunState& state = engine.state();
        ended_early_ = is_changed_ = false;
        starts_.clear();
        forecast_.start_over_from(engine.capacity());
        engine.events().for_each([&](EventKey event) {
            const AttemptId slot = event.attempt();
            if (believed_end_[slot] <= state.now_ms)
                believed_end_[slot] = state.now_ms + 1;
            forecast_.running(engine, state.attempts[slot], believed_end_[slot]);
        });
        engine.queue().for_each_promised([&](JobId job) {
            if (promise_start(engine, job))
                starts_.push({promise_of_[job].begin_tick(), job});
            else
                engine.queue().set_aside_promised(job);
        });
    }

    RunPlan plan_;
    Forecast forecast_;
    Promise* promise_of_{};        ///< by job, while it holds one
    std::int64_t* believed_end_{}; ///< of running attempts, by slot
    StartHeap starts_;
    std::int64_t quantum_ms_{};
    std::int64_t wake_ms_{horizon_ms};
    std::uint32_t depth_{}; ///< jobs that hold a promise, at most
    bool ended_early_{};    ///< GPUs became free before promises assumed
    bool is_changed_{};     ///< promises must be made again
};

}} // namespace bursar::sim
