#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/preemption/held_jobs.hpp"
#include "sim/engine/preemption/pool_turns.hpp"
#include "sim/engine/preemption/standings.hpp"
#include "sim/engine/queues/live_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Preemption `order`: at every pass GPUs are handed out again in the queue's order, running and
/// waiting jobs together, skipping what does not fit. This is decided by count, pool by pool; then
/// running attempts that have no GPUs any more stop, and jobs that now have some start. One that
/// cannot be placed takes the first other pool, in the broker's order, where it can be and where as
/// many GPUs are free; where there is none it keeps what it has for this pass, so that no job
/// else gets it, and is tried again with the next one.
///
/// Cost per pass: one look at the heads, and for each job that starts or stops O(log n); see
/// pool_turns.hpp for why it need not grow with the queue or with the pool.
template <class Policy>
class PreemptivePass {
  public:
    static constexpr PassMembers has{.stops = true,
                                     .standing = true,
                                     .stopping = true,
                                     .gone = true,
                                     .capacity_changed = true,
                                     .moves_with_time = true,
                                     .show_all_waiting = true};

    PreemptivePass() = default;
    BURSAR_HD PreemptivePass(ArenaCarver& carver,
                             const RunPlan& plan,
                             std::uint32_t max_live,
                             const RunOptions&)
        : plan_{plan}, max_live_{max_live}, standings_{carver, plan, max_live},
          held_{carver, plan, max_live}, chosen_{carver.take<ChosenJob>(max_live)},
          leavers_{carver, max_live} {}

    BURSAR_HD void clear() {
        standings_.clear();
        held_.clear();
        leavers_.clear();
        num_chosen_ = first_new_ = num_new_ = 0;
    }

    /// All lanes call it; what it decides is done by one.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        const bool has_changes = standings_.has_changes(engine.queue().policy());
        if (!has_changes && !may_change_without_keys(engine)) {
            engine.team().once([&] { first_new_ = engine.state().next_arrival; });
            return;
        }
        if (!has_changes && engine.queue().num_jobs() == 0) {
            engine.team().once([&] { standings_.settle_for_nobody(engine); });
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
    /// What the pass takes from an attempt is given to others already.
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t /*release_ms*/) {
        if (standings_.stop(engine, slot))
            goes_on_ = true;
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        if (attempt.is_stopped())
            standings_.has_left(slot);
        else
            standings_.end(engine, slot);
    }

    /// Nodes went or came: free GPUs that are up are to be handed out.
    template <class Engine>
    BURSAR_HD void capacity_changed(Engine&, PoolId pool, std::int64_t slots) {
        standings_.add_slots(pool, slots);
    }

    /// Where keys are read as time goes, and not when they change. Else running jobs only gain on
    /// those that wait.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool moves_with_time(Engine& engine) const {
        return standings_.tests_at_events(engine.queue().policy());
    }

    /// Why what is free over [begin, end) was not used, as the last pass left it.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        held_.charge_idle(engine.state(), engine.capacity(), engine.queue(), begin_ms, end_ms);
    }

    /// Gives the jobs that something is held for back to the queue, for a look at all that
    /// wait between two passes. By one lane.
    template <class Engine>
    BURSAR_HD void show_all_waiting(Engine& engine) {
        if (!held_.holds_any())
            return;
        held_.return_all([&](const WaitingJob& job) { wait_again(engine, job); });
        standings_.unsettle();
    }

  private:
    /// The rank of a waiting job as of running ones.
    template <class Engine>
    [[nodiscard]] BURSAR_HD static Rank rank_now(Engine& engine, const Rank& waiting) {
        return rank_if_running(
            traits_of(engine.queue().policy()).motion, waiting, engine.state().now_ms);
    }

    /// Whether a pass may change anything though no key has changed. Often all there is is
    /// one arrival, and not the first of its shape.
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

    /// Whether a job that waits may have GPUs in a pass that begins now.
    template <class Engine, class Pick>
    [[nodiscard]] BURSAR_HD bool may_have_gpus(Engine& engine, const Pick& pick) const {
        const Rank rank = rank_now(engine, pick.rank);
        return first_pool(plan_, ShapeId{pick.shape}, [&](PoolId pool) {
                   const std::int64_t held = held_.slots_before(pick.rank, pool);
                   return standings_.pool(pool).may_give(rank, pick.slots, held);
               }) < plan_.num_pools;
    }
    /// Whether it may have some in the pass in progress, where it is at `rank` now.
    template <class Pick>
    [[nodiscard]] BURSAR_HD bool may_be_served(const Pick& pick, const Rank& rank) const {
        const bool is_new = pick.job >= first_new_;
        return first_pool(plan_, ShapeId{pick.shape}, [&](PoolId pool) {
                   return (is_new || !standings_.is_settled(pool)) &&
                          standings_.pool(pool).may_serve(rank, pick.slots);
               }) < plan_.num_pools;
    }
    /// Gives attempts whose key has changed their new place; what was held is to be given anew.
    template <class Engine>
    BURSAR_HD void prepare(Engine& engine) {
        num_chosen_ = 0;
        num_new_ = engine.state().next_arrival - first_new_;
        if (held_.holds_any())
            standings_.unsettle(); // waiting jobs may get what a running one loses
        held_.begin_pass();
        if (plan_.moves) [[unlikely]]
            standings_.count_left(engine);
        standings_.move(engine, held_.has_next_before({1, 0}) || engine.queue().has_before({1, 0}));
    }

    /// Hands GPUs out to waiting jobs, the first in order that can have some first. Who cannot
    /// have any will not in this pass, nor will those of its shape behind it: what there is for
    /// them only gets less.
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
            // Where all others are settled, the one that is new is all there is to ask.
            const bool only_new = is_settled && engine.state().next_arrival - first_new_ == 1;
            const auto& pick = only_new ? queue.head_where(plan_.shape_of(JobId{first_new_}), test)
                                        : queue.first_where(engine.team(), test);
            if (held_.has_next_before(pick.rank)) {
                const Rank next = pick.rank; // the queue's first may be another one in between
                engine.team().once([&] { choose_again(engine, next); });
            } else if (!pick.is_none()) {
                engine.team().once([&] { choose(engine, pick); });
            } else {
                return;
            }
        }
    }

    /// Gives a job of the queue its GPUs, if a closer look finds them.
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

    /// Gives those before `rank` that something was held for their GPUs again, or lets them wait.
    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void choose_again(Engine& engine, const Rank& rank) {
        while (true) {
            if (plan_.one_pool_for_all) { // in most passes all have theirs again
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

    /// The pool that has GPUs for a job by count, given to it; num_pools if there is none.
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

    /// Starts jobs that have GPUs and can be placed, in order; what the others have is held.
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
    /// The same for those before `rank` that something was held for.
    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void place_held(Engine& engine, const Rank& rank) {
        while (engine.state().status == RunStatus::ok) {
            std::int64_t slots = 0; // of jobs that are refused with the last one
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

    /// Whether a chosen job can start, in the pool whose GPUs it was given or else in another one,
    /// which is its own from then on.
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
        goes_on_ = true; // another job may get what it releases
        return true;
    }

    template <class Engine>
    [[gnu::always_inline]] BURSAR_HD void start(Engine& engine, const ChosenJob& chosen) {
        const WaitingJob& job = chosen.job;
        const Grant grant =
            engine.capacity().take_on(chosen.pool, plan_.current_shapes[job.shape], job.job);
        const BegunAttempt begun = engine.begin(job.job, job.shape, grant);
        if (engine.state().status == RunStatus::ok)
            standings_.begin(engine, job, begun);
    }

    /// A job that has GPUs by count but cannot be placed: they are kept for it until the next pass.
    BURSAR_HD void hold(PoolId pool, std::int64_t slots) {
        held_.hold(pool, slots);
        // For the next pass to give, to the same job or to a better one.
        standings_.pool(pool).left += slots;
    }

    /// A job that was apart joins the queue.
    template <class Engine>
    BURSAR_HD void wait_again(Engine& engine, const WaitingJob& job) {
        engine.queue().count_apart(-1);
        if (engine.queue().full())
            engine.state().status = RunStatus::arena_full;
        else
            engine.queue().put_back(job);
    }

    /// Preempts an attempt, which is among the victims no more.
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
    HeldJobs held_;
    ChosenJob* chosen_{}; ///< in order
    Leavers leavers_;
    std::uint32_t num_chosen_{};
    RefusedPlace refused_{};    ///< in the pass in progress
    bool goes_on_{};            ///< what the pass did calls for another one at this instant
    std::uint32_t first_new_{}; ///< of the jobs that the last pass has not seen
    std::uint32_t num_new_{};   ///< of these, that the pass in progress has not chosen
};

}} // namespace bursar::sim
