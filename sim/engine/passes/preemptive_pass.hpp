#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/preemption/held_jobs.hpp"
#include "sim/engine/preemption/pool_turns.hpp"
#include "sim/engine/preemption/standings.hpp"
#include "sim/engine/preemption/starving_jobs.hpp"
#include "sim/engine/queues/live_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Preemption `order`: every pass distributes all GPUs again in the queue's order, running and
/// waiting jobs together, skipping jobs that do not fit. It decides by count, pool by pool; then
/// attempts without GPUs stop, and jobs that got GPUs start. A job that cannot be placed takes the
/// first other pool in the broker's order with enough free GPUs where it can be placed. If there is
/// none, its GPUs are held for it during this pass, and the next pass tries again.
///
/// By RunOptions::promotion, jobs that have waited long go to the end of the first queue before a
/// pass, and their service counts anew.
///
/// Cost per pass: one check of the heads, and O(log n) for each job that starts or stops;
/// pool_turns.hpp explains why it does not grow with the queue or the pool.
template <class Policy>
class PreemptivePass {
  public:
    static constexpr PassMembers has{.stops = true,
                                     .standing = true,
                                     .stopping = true,
                                     .gone = true,
                                     .capacity_changed = true,
                                     .unsettle = true,
                                     .withdraw = true,
                                     .wake_ms = true,
                                     .moves_with_time = true,
                                     .show_all_waiting = true};

    PreemptivePass() = default;
    BURSAR_HD PreemptivePass(ArenaCarver& carver,
                             const RunPlan& plan,
                             std::uint32_t max_live,
                             const RunOptions& options)
        : plan_{plan}, max_live_{max_live}, standings_{carver, plan, max_live},
          starving_{carver, plan, options.promotion}, held_{carver, plan, max_live},
          chosen_{carver.take<ChosenJob>(max_live)}, leavers_{carver, max_live} {}

    BURSAR_HD void clear() {
        standings_.clear();
        starving_.clear();
        held_.clear();
        leavers_.clear();
        num_chosen_ = first_new_ = num_new_ = 0;
    }

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        if (starving_.next_ms() <= engine.state().now_ms) [[unlikely]]
            engine.team().once([&] { promote_starving(engine); });
        if (standings_.has_changes(engine.queue().policy())) {
            if (move_quietly(engine))
                return;
        } else if (!may_change_without_keys(engine)) {
            engine.team().once([&] { first_new_ = engine.state().next_arrival; });
            return;
        } else if (engine.queue().num_jobs() == 0) {
            engine.team().once([&] { standings_.settle_without_jobs(engine); });
            return;
        }
        do {
            engine.team().once([&] { prepare(engine); });
            decide(engine);
            engine.team().once([&] { commit(engine); });
        } while (goes_on_ && engine.state().status == RunStatus::ok);
    }

    template <class Engine>
    BURSAR_HD void standing(Engine& engine, AttemptId slot) {
        standings_.change(engine, slot);
    }
    /// GPUs of an attempt that the pass stops have already been given to others.
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t /*release_ms*/) {
        if (standings_.stop(engine, slot))
            goes_on_ = true;
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        if (!attempt.is_stopped())
            return standings_.end(engine, slot);
        standings_.has_left(slot);
        if (starving_.are_on()) {
            const RunState& state = engine.state();
            starving_.waits(attempt.job, state.carried.of(attempt.job).attained_ms, state.now_ms);
        }
    }

    /// Nodes came or went: GPUs must be distributed again.
    template <class Engine>
    BURSAR_HD void capacity_changed(Engine&, PoolId pool, std::int64_t slots) {
        standings_.add_slots(pool, slots);
    }

    BURSAR_HD void unsettle() { standings_.unsettle(); }

    /// A waiting job leaves the queue. GPUs held for jobs that cannot be placed are free until the
    /// next pass.
    template <class Engine>
    BURSAR_HD void withdraw(Engine& engine, const Candidate& job) {
        release_held(engine);
        if (starving_.are_on())
            starving_.started(job.job, engine.state().now_ms);
    }

    /// When a job is to be promoted; horizon_ms: none is.
    [[nodiscard]] BURSAR_HD std::int64_t wake_ms() const { return starving_.next_ms(); }

    /// Whether keys are read at events only, or a job is to be promoted. Otherwise running jobs
    /// only gain on waiting ones.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool moves_with_time(Engine& engine) const {
        return standings_.tests_at_events(engine.queue().policy()) ||
               starving_.next_ms() < horizon_ms;
    }

    /// Books why capacity was free over [begin, end), by the state after the last pass.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        held_.charge_idle(engine.state(), engine.capacity(), engine.queue(), begin_ms, end_ms);
    }

    /// Returns jobs with held GPUs to the queue, so that all waiting jobs are visible between two
    /// passes. One lane calls it.
    template <class Engine>
    BURSAR_HD void show_all_waiting(Engine& engine) {
        if (!held_.holds_any())
            return;
        held_.return_all([&](const WaitingJob& job) { wait_again(engine, job); });
        standings_.unsettle();
    }

  private:
    /// Returns jobs with held GPUs to the queue, and holds nothing until the next pass.
    template <class Engine>
    BURSAR_HD void release_held(Engine& engine) {
        show_all_waiting(engine);
        held_.begin_pass();
        standings_.unsettle();
    }

    template <class Engine>
    [[gnu::noinline, gnu::cold]] BURSAR_HD void promote_starving(Engine& engine) {
        RunState& state = engine.state();
        release_held(engine);
        while (starving_.next_ms() <= state.now_ms && state.status == RunStatus::ok) {
            const JobId job = starving_.take_next(state.now_ms);
            const ShapeId shape = plan_.shape_of(job);
            engine.queue().take_out({job, shape});
            Progress& progress = state.carried.record_of(job);
            progress.attained_ms = 0;
            const Rank rank = standings_.rank_at_end(engine, job, progress);
            if (engine.queue().full())
                state.status = RunStatus::arena_full;
            else
                engine.queue().put_back({rank, job, shape, true});
        }
    }

    /// Moves running jobs whose keys have changed, if that decides nothing: they still come before
    /// all waiting ones, and there is no other news. Returns whether it does.
    template <class Engine>
    [[nodiscard, gnu::noinline]] BURSAR_HD bool move_quietly(Engine& engine) {
        if (plan_.moves || held_.holds_any() || standings_.tests_at_events(engine.queue().policy()))
            return false;
        const bool none_waits = engine.queue().num_jobs() == 0;
        if (!none_waits && (may_change_without_keys(engine) || !standings_.stay_in_front(engine)))
            return false;
        engine.team().once([&] {
            standings_.move_quietly(engine);
            if (none_waits)
                standings_.set_settled();
        });
        return true;
    }

    /// The rank of a waiting job, comparable to those of running ones.
    template <class Engine>
    [[nodiscard]] BURSAR_HD static Rank rank_now(Engine& engine, const Rank& waiting) {
        return rank_if_running(
            traits_of(engine.queue().policy()).motion, waiting, engine.state().now_ms);
    }

    /// Whether a pass may change anything if no key has changed. Often the only news is one arrival
    /// that is not the first of its shape.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool may_change_without_keys(Engine& engine) const {
        if (!standings_.is_settled())
            return true;
        const std::uint32_t num_new = engine.state().next_arrival - first_new_;
        if (num_new != 1)
            return num_new > 0;
        const auto& head = engine.queue().head_of(plan_.shape_of(JobId{first_new_}));
        return head.job == first_new_ && may_have_gpus(engine, head);
    }

    /// Whether a waiting job may get GPUs in a pass that begins now.
    template <class Engine, class Pick>
    [[nodiscard]] BURSAR_HD bool may_have_gpus(Engine& engine, const Pick& pick) const {
        const Rank rank = rank_now(engine, pick.rank);
        return first_pool(plan_, ShapeId{pick.shape}, [&](PoolId pool) {
                   const std::int64_t held = held_.slots_before(pick.rank, pool);
                   return standings_.pool(pool).may_give(rank, pick.slots, held);
               }) < plan_.num_pools;
    }
    /// Whether it may get GPUs in the pass in progress, at `rank`.
    template <class Pick>
    [[nodiscard]] BURSAR_HD bool may_be_served(const Pick& pick, const Rank& rank) const {
        const bool is_new = pick.job >= first_new_;
        return first_pool(plan_, ShapeId{pick.shape}, [&](PoolId pool) {
                   return (is_new || !standings_.is_settled(pool)) &&
                          standings_.pool(pool).may_serve(rank, pick.slots);
               }) < plan_.num_pools;
    }
    /// Moves attempts whose key has changed to their new places, and frees held GPUs for
    /// distribution.
    template <class Engine>
    BURSAR_HD void prepare(Engine& engine) {
        num_chosen_ = 0;
        num_new_ = engine.state().next_arrival - first_new_;
        if (held_.holds_any())
            standings_.unsettle(); // waiting jobs may get held GPUs
        held_.begin_pass();
        if (plan_.moves) [[unlikely]]
            standings_.count_left(engine);
        standings_.move(engine, held_.has_next_before({1, 0}) || engine.queue().has_before({1, 0}));
    }

    /// Gives GPUs to waiting jobs in order. A job that gets none will get none later in this pass,
    /// nor will later jobs of its shape, because their share only shrinks.
    template <class Engine>
    BURSAR_HD void decide(Engine& engine) {
        const auto& queue = engine.queue();
        const std::uint64_t gained = rank_now(engine, Rank{}).key;
        const auto test = [&](const auto& pick) {
            return may_be_served(pick, {pick.rank.key + gained, pick.rank.tie});
        };
        while (engine.state().status == RunStatus::ok) {
            const bool is_settled = standings_.is_settled();
            if (is_settled && num_new_ == 0)
                return;
            // If all other jobs are settled, only the new one is checked.
            const bool only_new = is_settled && engine.state().next_arrival - first_new_ == 1;
            const auto& pick = only_new ? queue.head_where(plan_.shape_of(JobId{first_new_}), test)
                                        : queue.first_where(engine.team(), test);
            if (held_.has_next_before(pick.rank)) {
                const Rank next = pick.rank; // copied: put_back may change the queue's first
                engine.team().once([&] { choose_again(engine, next); });
            } else if (!pick.is_none()) {
                engine.team().once([&] { choose(engine, pick); });
            } else {
                return;
            }
        }
    }

    /// Gives a job of the queue its GPUs, if the full check finds them.
    template <class Engine, class Pick>
    BURSAR_HD void choose(Engine& engine, const Pick& pick) {
        if (num_chosen_ + held_.num_kept() >= max_live_) {
            engine.state().status = RunStatus::arena_full;
            return;
        }
        const PoolId pool = give(engine, pick, pick.slots);
        if (pool == plan_.num_pools)
            return;
        num_new_ -= pick.job >= first_new_ ? 1 : 0;
        const std::int32_t slots = pick.slots;
        chosen_[num_chosen_++] = {engine.queue().take(pick), pool, slots};
    }

    /// Gives held jobs before `rank` their GPUs again, or returns them to the queue.
    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void choose_again(Engine& engine, const Rank& rank) {
        while (true) {
            if (plan_.one_pool_for_all) { // in most passes all get theirs again
                std::int64_t left = standings_.pool(PoolId{0}).left;
                held_.keep_while(rank, [&](const ChosenJob& held) {
                    const bool fits = held.slots <= left;
                    left -= fits ? held.slots : 0;
                    return fits;
                });
                standings_.pool(PoolId{0}).left = left;
            }
            if (!held_.has_next_before(rank))
                return;
            ChosenJob& held = held_.next();
            held.pool = give(engine, held.job, held.slots);
            if (held.pool < plan_.num_pools) {
                held_.keep_next();
            } else {
                wait_again(engine, held.job);
                held_.drop_next();
            }
        }
    }

    /// Gives a job GPUs of a pool, by count. Returns the pool; num_pools if there is none.
    template <class Engine, class Job>
    BURSAR_HD PoolId give(Engine& engine, const Job& job, std::int64_t slots) {
        const Rank rank = rank_now(engine, job.rank);
        return first_pool(plan_, ShapeId{job.shape}, JobId{job.job}, [&](PoolId pool) {
            return standings_.pool(pool).give(rank, slots);
        });
    }

    template <class Engine>
    [[gnu::always_inline]] BURSAR_HD void commit(Engine& engine) {
        goes_on_ = false;
        first_new_ = engine.state().next_arrival;
        leavers_.find(standings_, plan_.num_pools, engine.state().attempts);
        for (std::uint32_t i = 0; i < leavers_.size() && engine.state().status == RunStatus::ok;
             ++i)
            stop(engine, leavers_[i]);
        if (leavers_.size() > 0 && plan_.num_pools > 1)
            goes_on_ = true; // another pool may have room for them
        place_all(engine);
        if (goes_on_)
            standings_.unsettle();
        else
            standings_.set_settled();
        standings_.settle(engine);
    }

    /// Starts jobs that have GPUs and can be placed, in order; GPUs of the others are held for
    /// them.
    template <class Engine>
    [[gnu::always_inline]] BURSAR_HD void place_all(Engine& engine) {
        if (num_chosen_ + held_.num_kept() > max_live_) {
            engine.state().status = RunStatus::arena_full;
            return;
        }
        refused_ = {};
        held_.go_through();
        for (std::uint32_t i = 0; i < num_chosen_; ++i) {
            if (held_.has_next()) [[unlikely]]
                place_held(engine, chosen_[i].job.rank);
            if (engine.state().status != RunStatus::ok)
                return;
            if (place(engine, chosen_[i])) {
                start(engine, chosen_[i]);
            } else {
                engine.queue().count_apart(1);
                hold(chosen_[i].pool, chosen_[i].slots);
                held_.add(chosen_[i]);
            }
        }
        if (held_.has_next()) [[unlikely]]
            place_held(engine, Rank::last());
    }
    /// The same for held jobs before `rank`.
    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void place_held(Engine& engine, const Rank& rank) {
        while (engine.state().status == RunStatus::ok) {
            std::int64_t slots = 0; // of jobs with the shape and pool just refused
            held_.keep_while(rank, [&](const ChosenJob& held) {
                const bool refused = RefusedPlace{held.job.shape, held.pool} == refused_;
                slots += refused ? held.slots : 0;
                return refused;
            });
            if (slots > 0)
                hold(refused_.pool, slots);
            if (!held_.has_next_before(rank))
                return;
            ChosenJob& held = held_.next();
            if (place(engine, held)) {
                engine.queue().count_apart(-1);
                start(engine, held);
                held_.drop_next();
            } else {
                hold(held.pool, held.slots);
                held_.keep_next();
            }
        }
    }

    /// Whether a chosen job can start in the pool of its GPUs, or in another one, which then
    /// becomes its pool.
    template <class Engine>
    [[nodiscard, gnu::always_inline]] BURSAR_HD bool place(Engine& engine, ChosenJob& chosen) {
        const RefusedPlace asked{chosen.job.shape, chosen.pool};
        if (asked == refused_)
            return false;
        const JobShape& shape = plan_.current_shapes[chosen.job.shape];
        if (engine.capacity().fits_on(chosen.pool, shape)) [[likely]]
            return true;
        const std::uint32_t order = order_of(plan_, shape, JobId{chosen.job.job});
        const PoolId other = first_pool(plan_, shape, order, [&](PoolId pool) {
            return pool != chosen.pool &&
                   standings_.pool(pool).left - held_.slots(pool) >= chosen.slots &&
                   engine.capacity().fits_on(pool, shape);
        });
        if (other == plan_.num_pools) {
            refused_ = asked;
            return false;
        }
        refused_ = {};
        standings_.pool(chosen.pool).left += chosen.slots;
        standings_.pool(other).left -= chosen.slots;
        chosen.pool = other;
        goes_on_ = true; // another job may get the GPUs it gave up
        return true;
    }

    template <class Engine>
    [[gnu::always_inline]] BURSAR_HD void start(Engine& engine, const ChosenJob& chosen) {
        const WaitingJob& job = chosen.job;
        const Grant grant =
            engine.capacity().take_on(chosen.pool, plan_.current_shapes[job.shape], job.job);
        const BegunAttempt begun = engine.begin(job.job, job.shape, grant);
        if (engine.state().status != RunStatus::ok)
            return;
        standings_.begin(engine, job, begun);
        if (starving_.are_on())
            starving_.started(job.job, engine.state().now_ms);
    }

    /// Holds GPUs for a job that cannot be placed, until the next pass.
    BURSAR_HD void hold(PoolId pool, std::int64_t slots) {
        held_.hold(pool, slots);
        // The next pass may give them to the same job or to a better one.
        standings_.pool(pool).left += slots;
    }

    /// Returns a job that was kept apart to the queue.
    template <class Engine>
    BURSAR_HD void wait_again(Engine& engine, const WaitingJob& job) {
        engine.queue().count_apart(-1);
        if (engine.queue().full())
            engine.state().status = RunStatus::arena_full;
        else
            engine.queue().put_back(job);
    }

    /// Preempts an attempt that was removed from the victims.
    template <class Engine>
    BURSAR_HD void stop(Engine& engine, AttemptId slot) {
        const RunState& state = engine.state();
        standings_.is_taken_out(slot);
        engine.stop(slot,
                    stop_now(plan_, state.attempts[slot], StopCause::preempted, state.now_ms));
    }

    RunPlan plan_;
    std::uint32_t max_live_{};
    Standings<Policy> standings_;
    StarvingJobs starving_;
    HeldJobs held_;
    ChosenJob* chosen_{}; ///< in order
    Leavers leavers_;
    std::uint32_t num_chosen_{};
    RefusedPlace refused_{};    ///< in the pass in progress
    bool goes_on_{};            ///< another pass is needed at this instant
    std::uint32_t first_new_{}; ///< first job that the last pass has not seen
    std::uint32_t num_new_{};   ///< of these: not yet chosen in the pass in progress
};

}} // namespace bursar::sim
