#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/preemption/held_jobs.hpp"
#include "sim/engine/preemption/standings.hpp"
#include "sim/engine/queues/live_queue.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// Preemption `order`: at every pass GPUs are handed out again in the queue's order, running and
/// waiting jobs together, skipping what does not fit. This is decided by count, pool by pool; then
/// running attempts that have no GPUs any more stop, and jobs that now have some start. One that
/// cannot be placed takes the first other pool, in the broker's order, where it can be and where as
/// many GPUs are nobody's; where there is none it keeps what it has for this pass, so that nobody
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
                             const PlanView& plan,
                             std::uint32_t max_live,
                             const RunOptions& options)
        : plan_{plan}, options_{options}, max_live_{max_live}, standings_{carver, plan, max_live},
          held_{carver, plan, max_live}, chosen_{carver.take<ChosenJob>(max_live)},
          leavers_{carver.take<AttemptId>(max_live)} {}

    BURSAR_HD void clear() {
        standings_.clear();
        held_.clear();
        num_chosen_ = num_leavers_ = first_new_ = num_new_ = 0;
    }

    /// All lanes call it; what it decides is done by one.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        const bool has_changes = standings_.has_changes(engine.queue().policy());
        if (!has_changes && !has_news(engine)) {
            engine.team().once([&] { first_new_ = engine.state().next_arrival; });
            return;
        }
        if (!has_changes && engine.queue().num_jobs() == 0) {
            engine.team().once([&] { standings_.set_settled(); }); // nobody waits
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
        const Attempt& attempt = engine.state().attempts[slot];
        if (attempt.cause != StopCause::preempted)
            standings_.add_slots(PoolId{attempt.pool}, plan_.shapes[attempt.shape].slots());
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        if (attempt.is_stopped())
            standings_.unsettle();
        else
            standings_.end(engine, slot);
    }

    /// Nodes went or came: what is up, and nobody has, is to be handed out.
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
        RunState& state = engine.state();
        const auto& queue = engine.queue();
        if (queue.num_jobs() == 0) {
            state.idle.charge_no_demand(state.ledger, engine.capacity(), begin_ms, end_ms);
        } else if (held_.holds_any()) {
            state.idle.charge_by_demand(
                state.ledger, engine.capacity(), queue, begin_ms, end_ms, held_);
        } else {
            state.idle.charge_by_demand(state.ledger, engine.capacity(), queue, begin_ms, end_ms);
        }
    }

    /// Gives the jobs that something is held for back to the queue, for whoever looks at all that
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

    /// Whether a pass may change anything though nobody's key has changed. Often all there is is
    /// one arrival, and not the first of its shape.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool has_news(Engine& engine) const {
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
        return in_some_pool(pick, [&](const PoolTurns& turns, PoolId pool) {
            return turns.may_give(rank, pick.slots, held_.slots_before(pick.rank, pool));
        });
    }
    /// Whether it may have some in the pass in progress.
    template <class Engine, class Pick>
    [[nodiscard]] BURSAR_HD bool may_be_served(Engine& engine, const Pick& pick) const {
        const Rank rank = rank_now(engine, pick.rank);
        const bool is_new = pick.job >= first_new_;
        return in_some_pool(pick, [&](const PoolTurns& turns, PoolId pool) {
            return (is_new || !standings_.is_settled(pool)) && turns.may_serve(rank, pick.slots);
        });
    }
    /// Whether `test(turns, pool)` is true of a pool that a job may use.
    template <class Pick, class Test>
    [[nodiscard]] BURSAR_HD bool in_some_pool(const Pick& pick, const Test& test) const {
        if (plan_.num_pools == 1) // which every shape may use
            return test(standings_.pool(PoolId{0}), PoolId{0});
        return first_pool(plan_, plan_.shapes[pick.shape], [&](PoolId pool) {
                   return test(standings_.pool(pool), pool);
               }) < plan_.num_pools;
    }

    /// Gives attempts whose key has changed their new place; what was held is to be given anew.
    template <class Engine>
    BURSAR_HD void prepare(Engine& engine) {
        num_chosen_ = 0;
        num_new_ = engine.state().next_arrival - first_new_;
        if (held_.holds_any())
            standings_.unsettle(); // who waits may get what somebody loses
        held_.begin_pass();
        if (plan_.moves) [[unlikely]]
            standings_.count_left(engine);
        standings_.move(engine);
    }

    /// Hands GPUs out to those who wait, the first in order that can have some first. Who cannot
    /// have any will not in this pass, nor will those of its shape behind it: what there is for
    /// them only gets less.
    template <class Engine>
    BURSAR_HD void decide(Engine& engine) {
        const auto& queue = engine.queue();
        const auto test = [&](const auto& pick) { return may_be_served(engine, pick); };
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
                engine.team().once([&] {
                    do {
                        choose_again(engine, held_.take_next().job);
                    } while (held_.has_next_before(next));
                });
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
        if (num_chosen_ == max_live_) {
            engine.state().status = RunStatus::arena_full;
            return;
        }
        const PoolId pool = give(engine, pick.rank, pick.shape);
        if (pool == plan_.num_pools)
            return;
        num_new_ -= pick.job >= first_new_ ? 1 : 0;
        chosen_[num_chosen_++] = {engine.queue().take(pick), pool};
    }

    /// Gives a job that something was held for its GPUs again, or lets it wait.
    template <class Engine>
    BURSAR_HD void choose_again(Engine& engine, const WaitingJob& job) {
        if (num_chosen_ == max_live_) {
            engine.state().status = RunStatus::arena_full;
            return;
        }
        const PoolId pool = give(engine, job.rank, job.shape);
        if (pool == plan_.num_pools) {
            wait_again(engine, job);
            return;
        }
        engine.queue().count_apart(-1);
        chosen_[num_chosen_++] = {job, pool};
    }

    /// The pool that has GPUs for a job by count, given to it; num_pools if there is none.
    template <class Engine>
    BURSAR_HD PoolId give(Engine& engine, const Rank& waiting, ShapeId of_shape) {
        const JobShape& shape = plan_.shapes[of_shape];
        const Rank rank = rank_now(engine, waiting);
        const auto gives = [&](PoolId pool) {
            return standings_.pool(pool).give(rank, shape.slots());
        };
        if (plan_.num_pools == 1) // which every shape may use
            return PoolId{gives(PoolId{0}) ? 0U : 1U};
        return first_pool(plan_, shape, gives);
    }

    template <class Engine>
    BURSAR_HD void commit(Engine& engine) {
        goes_on_ = false;
        first_new_ = engine.state().next_arrival;
        find_leavers(engine.state().attempts);
        for (std::uint32_t i = 0; i < num_leavers_ && engine.state().status == RunStatus::ok; ++i)
            stop(engine, leavers_[i]);
        if (num_leavers_ > 0 && plan_.num_pools > 1)
            goes_on_ = true; // another pool may have room for them
        refused_ = {};
        for (std::uint32_t i = 0; i < num_chosen_ && engine.state().status == RunStatus::ok; ++i) {
            if (place(engine, chosen_[i]))
                start(engine, chosen_[i]);
            else
                hold(engine, chosen_[i]);
        }
        if (goes_on_)
            standings_.unsettle();
        else
            standings_.set_settled();
        standings_.settle(engine);
    }

    /// Takes those who give way out of the victims; the last in order first, so that each may wait
    /// in front of those before it.
    BURSAR_HD void find_leavers(const LiveAttempts& attempts) {
        num_leavers_ = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            PoolTurns& turns = standings_.pool(pool);
            turns.victims.trim(turns.num_decided);
            turns.refused = PoolTurns::nobody_refused;
            if (turns.num_decided == 0) [[likely]]
                continue;
            const std::uint32_t before = num_leavers_;
            turns.victims.take_leavers(turns.num_decided, [&](const Victim& victim) {
                std::uint32_t place = num_leavers_++;
                for (; before > 0 && place > 0 && attempts[leavers_[place - 1]].rank < victim.rank;
                     --place)
                    leavers_[place] = leavers_[place - 1]; // of another pool
                leavers_[place] = victim.attempt;
            });
            turns.num_decided = 0;
        }
    }

    /// Whether a chosen job can start, in the pool whose GPUs it was given or else in another one,
    /// which is its own from then on.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool place(Engine& engine, ChosenJob& chosen) {
        const Refused asked{chosen.job.shape, chosen.pool};
        if (asked == refused_)
            return false;
        const JobShape& shape = plan_.shapes[chosen.job.shape];
        if (engine.capacity().fits_on(chosen.pool, shape)) [[likely]]
            return true;
        const PoolId other = first_pool(plan_, shape, [&](PoolId pool) {
            return pool != chosen.pool &&
                   standings_.pool(pool).left - held_.slots(pool) >= shape.slots() &&
                   engine.capacity().fits_on(pool, shape);
        });
        if (other == plan_.num_pools) {
            refused_ = asked;
            return false;
        }
        refused_ = {};
        standings_.pool(chosen.pool).left += shape.slots();
        standings_.pool(other).left -= shape.slots();
        chosen.pool = other;
        goes_on_ = true; // somebody else may have what it leaves
        return true;
    }

    template <class Engine>
    BURSAR_HD void start(Engine& engine, const ChosenJob& chosen) {
        const WaitingJob& job = chosen.job;
        const Grant grant =
            engine.capacity().take_on(chosen.pool, plan_.shapes[job.shape], job.job);
        const BegunAttempt begun = engine.begin(job.job, job.shape, grant);
        if (engine.state().status == RunStatus::ok)
            standings_.begin(engine, job, begun);
    }

    /// A job that has GPUs by count but cannot be placed: they are kept for it until the next pass.
    template <class Engine>
    BURSAR_HD void hold(Engine& engine, const ChosenJob& chosen) {
        held_.hold(chosen);
        engine.queue().count_apart(1);
        // For the next pass to give, to the same job or to a better one.
        standings_.pool(chosen.pool).left += plan_.shapes[chosen.job.shape].slots();
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

    /// A shape that had no place in a pool, nor in another one: since then places have only been
    /// taken.
    struct Refused {
        ShapeId shape{0xffffffffU};
        PoolId pool{};
        friend BURSAR_HD bool operator==(const Refused& a, const Refused& b) {
            return a.shape == b.shape && a.pool == b.pool;
        }
    };

    PlanView plan_;
    RunOptions options_;
    std::uint32_t max_live_{};
    Standings<Policy> standings_;
    HeldJobs held_;
    ChosenJob* chosen_{};  ///< in order
    AttemptId* leavers_{}; ///< the last in order first
    std::uint32_t num_chosen_{};
    std::uint32_t num_leavers_{};
    Refused refused_{};         ///< in the pass in progress
    bool goes_on_{};            ///< what the pass did calls for another one at this instant
    std::uint32_t first_new_{}; ///< of the jobs that the last pass has not seen
    std::uint32_t num_new_{};   ///< of these, that the pass in progress has not chosen
};

} // namespace bursar::inline sim
