#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/job_views.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/order/turn_counters.hpp"
#include "sim/engine/preemption/moved_attempts.hpp"
#include "sim/engine/preemption/pool_turns.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The places of running jobs in the order of Policy, and their changes. Each has one event: the
/// next change of its standing, or its release if that comes first.
template <class Policy>
class Standings {
  public:
    Standings() = default;
    BURSAR_HD Standings(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : plan_{plan}, may_give_way_{carver.take<bool>(max_live)}, moved_{carver, max_live},
          leaving_{carver, plan.moves ? max_live : 0},
          pools_{carver.take<PoolTurns>(plan.num_pools)} {
        const PlaceOfSlot places{carver, max_live};
        bool* in_front = carver.take<bool>(max_live);
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const std::int64_t slots = plan.pools[pool].num_gpus() * slots_per_gpu;
            const std::uint32_t max_victims =
                slots < max_live ? static_cast<std::uint32_t>(slots) : max_live;
            const VictimOrder victims{carver, max_victims, places, in_front};
            if (pools_ != nullptr)
                pools_[pool].victims = victims;
        }
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            pools_[pool].victims.clear();
            pools_[pool].left = plan_.pools[pool].num_gpus() * slots_per_gpu;
            pools_[pool].num_decided = 0;
            pools_[pool].settled_left = 0;
            pools_[pool].refused = PoolTurns::none_refused;
        }
        moved_.clear();
        leaving_.clear();
        turns_.clear();
        turn_ms_ = -1;
        settled_ = false;
    }

    [[nodiscard]] BURSAR_HD PoolTurns& pool(PoolId pool) { return pools_[pool]; }
    [[nodiscard]] BURSAR_HD const PoolTurns& pool(PoolId pool) const { return pools_[pool]; }

    /// Whether no job that waited after the last pass can get GPUs.
    [[nodiscard]] BURSAR_HD bool is_settled() const {
        PoolId pool{0};
        bool settled = settled_ & pools_[pool].is_settled();
        while (settled && ++pool < plan_.num_pools)
            settled = pools_[pool].is_settled();
        return settled;
    }
    [[nodiscard]] BURSAR_HD bool is_settled(PoolId pool) const {
        return settled_ & pools_[pool].is_settled();
    }
    /// Call after a pass.
    BURSAR_HD void set_settled() {
        settled_ = true;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            pools_[pool].settled_left = pools_[pool].left;
    }
    /// Call in place of a pass if no job waits. If a node has gone, what is left must be counted:
    /// only attempts that clean up may hold its GPUs.
    template <class Engine>
    BURSAR_HD void settle_without_jobs(Engine& engine) {
        if (plan_.moves && !settled_) [[unlikely]]
            count_left(engine);
        set_settled();
    }
    /// Waiting jobs may get GPUs: they are new, or have gained on running ones.
    BURSAR_HD void unsettle() { settled_ = false; }

    /// Whether keys are read at events only.
    [[nodiscard]] BURSAR_HD static bool tests_at_events(const Policy& policy) {
        if constexpr (Policy::traits.tests_at_events)
            return policy.tests_at_events();
        else
            return false;
    }

    /// A waiting job starts.
    template <class Engine>
    BURSAR_HD void begin(Engine& engine, const WaitingJob& job, const BegunAttempt& begun) {
        const std::int64_t now_ms = engine.state().now_ms;
        Rank& rank = rank_of(engine, begun.slot);
        rank = rank_if_running(traits(engine).motion, job.rank, now_ms);
        if (traits(engine).ties == Ties::turn)
            rank.tie = turns_.next_running();
        may_give_way_[begun.slot] =
            plan_.current_shapes[job.shape].slots() > 0 && // otherwise it has no GPUs to release
            begun.work_end_ms > now_ms;
        if (may_give_way_[begun.slot])
            victims_of(engine, begun.slot).insert(victim_of(engine, begun.slot));
        announce(engine, begun);
    }

    /// An attempt ends.
    template <class Engine>
    BURSAR_HD void end(Engine& engine, AttemptId slot) {
        const Attempt& attempt = engine.state().attempts[slot];
        leave_victims(engine, slot);
        const std::int64_t slots = plan_.current_shapes[attempt.shape].slots();
        pools_[attempt.pool].left += slots;
        if (slots == 0) // other jobs may wait for its CPU and memory
            unsettle();
    }

    /// An attempt that the pass has taken out of the victims is about to be stopped.
    BURSAR_HD void is_taken_out(AttemptId slot) { may_give_way_[slot] = false; }

    /// An attempt is stopped, by the pass or by the world, and gets its rank as a waiting job.
    /// Returns whether another pass is needed at this instant, for one of two reasons. It now ranks
    /// earlier, because it did more work on a fast pool than time has passed; or it releases less
    /// than the pass gave to others, because one of its nodes takes no more work.
    template <class Engine>
    BURSAR_HD bool stop(Engine& engine, AttemptId slot) {
        leave_victims(engine, slot);
        const Attempt& attempt = engine.state().attempts[slot];
        const std::int64_t slots = plan_.current_shapes[attempt.shape].slots();
        const bool is_for_others = attempt.cause == StopCause::preempted;
        if (!is_for_others)
            add_slots(PoolId{attempt.pool}, slots);
        bool leaves_less = false;
        if (plan_.moves) [[unlikely]]
            leaves_less = begins_to_leave(engine, slot) && is_for_others;
        return comes_earlier(engine, slot) || leaves_less;
    }

    /// The slots of a pool have changed.
    BURSAR_HD void add_slots(PoolId pool, std::int64_t slots) {
        pools_[pool].left += slots;
        unsettle();
    }

    /// Call before a pass where nodes come and go. Counts as left: free slots, and slots that
    /// stopped attempts still hold on nodes that are up.
    template <class Engine>
    [[gnu::noinline, gnu::cold]] BURSAR_HD void count_left(Engine& engine) {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            pools_[pool].left = free_or_owed(engine.capacity(), pool);
        for (std::uint32_t i = 0; i < leaving_.size(); ++i) {
            const Attempt& attempt = engine.state().attempts[leaving_[i]];
            pools_[attempt.pool].left += slots_on_nodes_up(engine.capacity(), plan_, attempt);
        }
    }
    /// A stopped attempt has released its GPUs.
    BURSAR_HD void has_left(AttemptId slot) {
        if (plan_.moves) [[unlikely]]
            leaving_.erase(slot);
        unsettle();
    }

    /// The rank of a waiting job with this progress behind all jobs of the same key.
    template <class Engine>
    [[nodiscard]] BURSAR_HD Rank rank_at_end(Engine& engine, JobId job, const Progress& progress) {
        Rank rank{0, job};
        if constexpr (moves)
            rank.key = engine.queue().policy().key(view_of_waiting(plan_, job, progress));
        if (traits(engine).ties == Ties::turn)
            rank.tie = turns_.next_behind(engine.state().next_arrival);
        return rank;
    }

    /// An attempt's work has ended, so that it is no victim any more, or its key has changed.
    template <class Engine>
    BURSAR_HD void change(Engine& engine, AttemptId slot) {
        const AttemptSpan span = span_of(plan_, engine.state().attempts[slot]);
        if (span.work_end_ms <= engine.state().now_ms) {
            leave_victims(engine, slot); // also from moved_
        } else if constexpr (moves) {
            if (traits(engine).motion == KeyMotion::steps &&
                !tests_at_events(engine.queue().policy()))
                moved_.insert(slot, engine.queue().policy().key(served(engine, slot)));
        }
        announce(engine, {slot, span.work_end_ms, engine.inside_horizon(span.release_ms)});
    }

    /// Whether keys have changed, or must be read.
    [[nodiscard]] BURSAR_HD bool has_changes(const Policy& policy) const {
        return moves && (moved_.size() > 0 || tests_at_events(policy));
    }

    /// Call before a pass: attempts whose key has changed go behind waiting jobs with that key.
    /// zero_waits: a job with key 0 waits.
    template <class Engine>
    BURSAR_HD void move([[maybe_unused]] Engine& engine, [[maybe_unused]] bool zero_waits) {
        if constexpr (moves) {
            if (traits(engine).motion == KeyMotion::flows && engine.queue().num_jobs() > 0)
                read_keys(engine); // otherwise the order is not read
            if (traits(engine).motion == KeyMotion::falls && zero_waits) [[unlikely]]
                stop_falling(engine);
            if (tests_at_events(engine.queue().policy()))
                find_moved(engine);
            if (moved_.size() > 0)
                move_all(engine);
        }
    }

    /// Whether all attempts whose key has changed come before every waiting job.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool stay_in_front([[maybe_unused]] Engine& engine) const {
        if constexpr (moves) {
            std::uint64_t last = 0;
            for (std::uint32_t i = 0; i < moved_.size(); ++i) {
                const std::uint64_t key = moved_.key_of(moved_[i]);
                last = key > last ? key : last;
            }
            return !engine.queue().has_before({last, ~std::uint64_t{0}});
        }
        return false;
    }

    /// Call in place of a pass then: they become the last running ones with their key.
    template <class Engine>
    BURSAR_HD void move_quietly([[maybe_unused]] Engine& engine) {
        if constexpr (moves) {
            moved_.sort(engine.state().attempts);
            moved_.settle([&](AttemptId slot) {
                const bool turns = traits(engine).ties == Ties::turn;
                put_at(engine,
                       slot,
                       {moved_.key_of(slot),
                        turns ? turns_.next_running() : rank_of(engine, slot).tie});
            });
        }
    }

    /// Call after a pass: attempts that moved and still run become the last running ones with their
    /// key.
    template <class Engine>
    BURSAR_HD void settle([[maybe_unused]] Engine& engine) {
        if constexpr (moves) {
            moved_.settle([&](AttemptId slot) {
                if (traits(engine).ties == Ties::turn)
                    put_at(engine, slot, {rank_of(engine, slot).key, turns_.next_running()});
            });
            if (tests_at_events(engine.queue().policy()))
                announce_all(engine);
        }
    }

  private:
    /// Records a stopped attempt that still holds its GPUs, where nodes come and go. Returns
    /// whether some are on nodes that take no more work.
    template <class Engine>
    [[gnu::noinline, gnu::cold]] BURSAR_HD bool begins_to_leave(Engine& engine, AttemptId slot) {
        leaving_.insert(slot);
        const Attempt& attempt = engine.state().attempts[slot];
        return slots_on_nodes_up(engine.capacity(), plan_, attempt) <
               plan_.current_shapes[attempt.shape].slots();
    }
    /// Gives a stopped attempt its rank as a waiting job. Returns whether that is before its old
    /// one.
    template <class Engine>
    BURSAR_HD bool comes_earlier(Engine& engine, AttemptId slot) {
        [[maybe_unused]] Rank& rank = rank_of(engine, slot);
        if (traits(engine).ties == Ties::turn && rank.tie < TurnCounters::first_waiting)
            rank.tie = turns_.next_in_front();
        const KeyMotion motion = traits(engine).motion;
        // A pass has read stepping keys; the world may stop an attempt before that.
        const bool is_read = engine.state().attempts[slot].cause == StopCause::preempted;
        if (motion == KeyMotion::fixed || (motion == KeyMotion::steps && is_read))
            return false;
        if constexpr (moves) {
            const std::uint64_t before = rank.key;
            const JobId job = engine.state().attempts[slot].job;
            rank.key = engine.queue().policy().key(
                view_of_waiting(plan_, job, engine.state().carried.record_of(job)));
            return rank_if_running(motion, rank, engine.state().now_ms).key < before;
        }
        return false;
    }
    static constexpr bool moves = Policy::traits.motion != KeyMotion::fixed;

    template <class Engine>
    [[nodiscard]] BURSAR_HD static OrderTraits traits(Engine& engine) {
        return traits_of(engine.queue().policy());
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD static Rank& rank_of(Engine& engine, AttemptId slot) {
        return engine.state().attempts.at(slot).rank;
    }
    /// Removes an attempt from the victims.
    template <class Engine>
    BURSAR_HD void leave_victims(Engine& engine, AttemptId slot) {
        if (may_give_way_[slot])
            victims_of(engine, slot).erase(slot);
        may_give_way_[slot] = false;
        if constexpr (moves)
            moved_.erase(slot);
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD VictimOrder& victims_of(Engine& engine, AttemptId slot) {
        return pools_[engine.state().attempts[slot].pool].victims;
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD Victim victim_of(Engine& engine, AttemptId slot) const {
        const JobShape& shape = plan_.current_shapes[engine.state().attempts[slot].shape];
        return {engine.state().attempts[slot].rank, slot, static_cast<std::int32_t>(shape.slots())};
    }
    template <class Engine>
    [[nodiscard]] BURSAR_HD JobView view_of(Engine& engine, AttemptId slot) const {
        const RunState& state = engine.state();
        const Attempt& attempt = state.attempts[slot];
        return view_of_running(plan_, attempt, state.carried.of(attempt.job), state.now_ms);
    }

    /// What keys read that change in steps: a running attempt's GPUs and service.
    template <class Engine>
    [[nodiscard, gnu::always_inline]] BURSAR_HD JobView served(Engine& engine,
                                                               AttemptId slot) const {
        const RunState& state = engine.state();
        const Attempt& attempt = state.attempts[slot];
        const std::int64_t before_ms =
            attempt.is_later ? state.carried.of(attempt.job).attained_ms : 0;
        JobView view;
        view.gpus = plan_.shapes[attempt.shape].gpus;
        view.gpu_slots = plan_.shapes[attempt.shape].gpu_slots;
        view.attained = Duration{before_ms + state.now_ms - attempt.start_ms};
        return view;
    }

    template <class Engine>
    BURSAR_HD void read_keys(Engine& engine) {
        engine.events().for_each([&](EventKey event) {
            const AttemptId slot = event.attempt();
            if (!may_give_way_[slot])
                return;
            const std::uint64_t key = engine.queue().policy().key(view_of(engine, slot));
            put_at(engine, slot, {key, rank_of(engine, slot).tie});
        });
    }

    /// A falling key is stored as the instant at which it reaches 0. It stays 0 after that instant,
    /// so that time must be raised to now. This matters only if a job waits with key 0.
    template <class Engine>
    [[gnu::noinline, gnu::cold]] BURSAR_HD void stop_falling(Engine& engine) {
        const auto zero_now = static_cast<std::uint64_t>(engine.state().now_ms);
        engine.events().for_each([&](EventKey event) {
            const AttemptId slot = event.attempt();
            if (may_give_way_[slot] && rank_of(engine, slot).key < zero_now)
                put_at(engine, slot, {zero_now, rank_of(engine, slot).tie});
        });
    }

    template <class Engine>
    BURSAR_HD void move_all(Engine& engine) {
        moved_.sort(engine.state().attempts);
        for (std::uint32_t i = 0; i < moved_.size(); ++i) {
            Rank rank = rank_of(engine, moved_[i]);
            rank.key = moved_.key_of(moved_[i]);
            if (traits(engine).ties == Ties::turn)
                rank.tie = turns_.next_behind(engine.state().next_arrival);
            put_at(engine, moved_[i], rank);
        }
        unsettle();
    }

    template <class Engine>
    BURSAR_HD void put_at(Engine& engine, AttemptId slot, const Rank& rank) {
        rank_of(engine, slot) = rank;
        victims_of(engine, slot).move(victim_of(engine, slot));
    }

    /// Pushes the next event of an attempt: its release, or a change of its standing.
    template <class Engine>
    BURSAR_HD void announce(Engine& engine, const BegunAttempt& of) {
        std::int64_t standing_ms = of.release_ms;
        if (may_give_way_[of.slot]) {
            standing_ms = of.work_end_ms;
            if constexpr (moves) {
                if (traits(engine).motion == KeyMotion::steps) {
                    const Duration until =
                        engine.queue().policy().until_key_changes(served(engine, of.slot));
                    const std::int64_t change_ms = engine.state().now_ms + until.count();
                    standing_ms = change_ms < standing_ms ? change_ms : standing_ms;
                }
            }
        }
        if (standing_ms < of.release_ms)
            engine.events().push({standing_ms, EventKind::standing, of.slot});
        else
            engine.events().push({of.release_ms, EventKind::release, of.slot});
    }

    /// Whether an attempt goes to the end of the order at this pass. If running jobs take turns,
    /// each does so once per instant, but only after some of its work would survive a stop. So the
    /// first job always makes progress, and a finite workload ends.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool
    moves_now(Engine& engine, AttemptId slot, std::uint64_t key_now) const {
        if (traits(engine).moves_at_every_pass)
            return kept_work_ms(plan_,
                                engine.state().attempts[slot],
                                StopCause::preempted,
                                engine.state().now_ms) > 0;
        return key_now != rank_of(engine, slot).key;
    }

    /// Checks every running attempt, for policies that test keys at events only.
    template <class Engine>
    BURSAR_HD void find_moved(Engine& engine) {
        if (traits(engine).moves_at_every_pass) {
            if (turn_ms_ == engine.state().now_ms)
                return;
            turn_ms_ = engine.state().now_ms;
        }
        engine.events().for_each([&](EventKey event) {
            const AttemptId slot = event.attempt();
            if (!may_give_way_[slot])
                return;
            const std::uint64_t key = engine.queue().policy().key(served(engine, slot));
            if (moves_now(engine, slot, key))
                moved_.insert(slot, key);
        });
    }

    /// Pushes every running attempt's next event again after this pass, for policies that test keys
    /// at events only.
    template <class Engine>
    BURSAR_HD void announce_all(Engine& engine) {
        engine.events().for_each([&](EventKey event) {
            const AttemptId slot = event.attempt();
            if (!may_give_way_[slot])
                return;
            engine.events().erase(slot);
            const AttemptSpan span = span_of(plan_, engine.state().attempts[slot]);
            announce(engine, {slot, span.work_end_ms, engine.inside_horizon(span.release_ms)});
        });
    }

    RunPlan plan_;
    bool* may_give_way_{}; ///< by slot: whether it is among the victims
    MovedAttempts moved_;
    MovedAttempts leaving_; ///< stopped attempts that still hold GPUs, in a dynamic world
    TurnCounters turns_;
    PoolTurns* pools_{};
    std::int64_t turn_ms_{-1}; ///< when running jobs moved last
    bool settled_{};           ///< unless more is left than then
};

}} // namespace bursar::sim
