#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Rounds: the inner pass decides only at multiples of the quantum (quantum 0: at all instants, so
/// that one instance of the engine serves both). Ends and arrivals happen at any time. A job that
/// could start then waits for the next round, and the capacity it will get is `idle.latency` until
/// then.
///
/// These jobs are found by starting them tentatively in order, until one does not fit under
/// HeadRule::block.
///
/// A round that started and stopped no job would repeat itself until something changes. Rounds are
/// skipped until then, unless the inner pass moves with time. Cost: at each instant between rounds
/// one check of the heads for each job that could start.
///
/// An inner pass that leaves jobs waiting which could start (PassMembers::leaves_fitting) has them
/// looked for after each of its decisions, with and without rounds.
template <class Inner>
class RoundPass {
  public:
    static constexpr PassMembers has{.stops = Inner::has.stops,
                                     .resizes = Inner::has.resizes,
                                     .standing = Inner::has.standing,
                                     .began = Inner::has.began,
                                     .stopping = Inner::has.stopping,
                                     .gone = Inner::has.gone,
                                     .capacity_changed = Inner::has.capacity_changed,
                                     .unsettle = Inner::has.unsettle,
                                     .withdraw = Inner::has.withdraw,
                                     .wake_ms = true,
                                     .for_each_claim = Inner::has.for_each_claim,
                                     .are_shared = Inner::has.are_shared};

    RoundPass() = default;
    BURSAR_HD RoundPass(ArenaCarver& carver,
                        const RunPlan& plan,
                        std::uint32_t max_live,
                        const RunOptions& options)
        : plan_{plan}, options_{options}, max_live_{max_live},
          inner_{carver, plan, max_live, options},
          aside_{carver.take<Aside>(looks_ahead(options) ? max_live : 0)},
          waiting_slots_{carver.take<std::int64_t>(plan.num_pools)},
          waiting_jobs_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        inner_.clear();
        wake_ms_ = horizon_ms;
        num_aside_ = num_waiting_ = 0;
        forget_waiting();
    }

    /// The next round at which the pass must run; horizon_ms: none.
    [[nodiscard]] BURSAR_HD std::int64_t wake_ms() const { return wake_ms_; }

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        if (options_.quantum_ms != 0)
            return schedule_rounds(engine);
        inner_.schedule(engine);
        if constexpr (Inner::has.wake_ms)
            wake_ms_ = inner_.wake_ms();
        if constexpr (Inner::has.leaves_fitting)
            look_at_rest(engine);
        if constexpr (Inner::has.show_all_waiting) {
            if (plan_.moves &&
                !engine.state().fleet.rests()) // provisioning must see all waiting jobs
                engine.team().once([&] { inner_.show_all_waiting(engine); });
        }
    }

    /// Books why capacity was free over [begin, end), by the state after the last pass.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        if (num_waiting_ > 0)
            return charge_latency(engine, begin_ms, end_ms);
        inner_.charge_idle(engine, begin_ms, end_ms);
    }

    // Hooks are forwarded to the inner pass.
    template <class Engine>
    BURSAR_HD void standing(Engine& engine, AttemptId slot)
        requires(Inner::has.standing)
    {
        inner_.standing(engine, slot);
    }
    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot)
        requires(Inner::has.began)
    {
        inner_.began(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t release_ms)
        requires(Inner::has.stopping)
    {
        inner_.stopping(engine, slot, release_ms);
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot)
        requires(Inner::has.gone)
    {
        inner_.gone(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void capacity_changed(Engine& engine, PoolId pool, std::int64_t slots)
        requires(Inner::has.capacity_changed)
    {
        inner_.capacity_changed(engine, pool, slots);
    }
    [[nodiscard]] BURSAR_HD bool are_shared(const Attempt& attempt) const
        requires(Inner::has.are_shared)
    {
        return inner_.are_shared(attempt);
    }
    BURSAR_HD void unsettle()
        requires(Inner::has.unsettle)
    {
        inner_.unsettle();
    }
    template <class Engine>
    BURSAR_HD void withdraw(Engine& engine, const Candidate& job)
        requires(Inner::has.withdraw)
    {
        inner_.withdraw(engine, job);
    }
    template <class Act>
    BURSAR_HD void for_each_claim(const Act& act) const
        requires(Inner::has.for_each_claim)
    {
        inner_.for_each_claim(act);
    }

  private:
    static constexpr bool preempts = Inner::has.stops;
    [[nodiscard]] BURSAR_HD static bool looks_ahead(const RunOptions& options) {
        return options.quantum_ms != 0 || Inner::has.leaves_fitting;
    }
    /// Whether jobs taken from the queue carry their ranks.
    template <class Engine>
    static constexpr bool takes_ranked =
        std::remove_reference_t<decltype(std::declval<Engine&>().queue())>::has.put_back;

    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void schedule_rounds(Engine& engine) {
        const std::int64_t now_ms = engine.state().now_ms;
        const bool is_round = now_ms % options_.quantum_ms == 0;
        engine.team().once([&] {
            forget_waiting();
            num_decided_ = num_decisions(engine);
        });
        if (is_round)
            inner_.schedule(engine);
        if (!is_round || Inner::has.leaves_fitting)
            look_ahead(engine);
        if constexpr (Inner::has.show_all_waiting)
            engine.team().once([&] { inner_.show_all_waiting(engine); });
        engine.team().once([&] {
            // With preemption or reservations, a job that does not fit now may start at a later
            // round.
            const bool passes_heads =
                (preempts && options_.stops_attempts) || options_.reserves_for_head;
            const bool may_move = Inner::has.moves_running && !engine.events().empty();
            const bool may_start =
                may_move || (passes_heads ? engine.queue().num_jobs() > 0 : num_waiting_ > 0);
            const bool changed_nothing = is_round && num_decided_ == num_decisions(engine);
            const bool has_work =
                may_start && !(changed_nothing && (engine.events().empty() || stands(engine)));
            const std::int64_t next_ms = (now_ms / options_.quantum_ms + 1) * options_.quantum_ms;
            wake_ms_ = has_work && next_ms < horizon_ms ? next_ms : horizon_ms;
        });
    }

    /// Books idle time while some jobs wait for the round.
    template <class Engine>
    [[gnu::noinline]] BURSAR_HD void
    charge_latency(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        const auto& queue = engine.queue();
        const Waiting waiting{*this};
        if (options_.head == HeadRule::skip || queue.num_jobs() == num_waiting_) {
            state.idle.charge_by_demand(
                state.ledger, engine.capacity(), queue, begin_ms, end_ms, waiting);
            return;
        }
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            const std::int64_t rest = engine.capacity().free_slots(pool) - waiting.slots(pool);
            const auto charge = [&](Leaf leaf, std::int64_t slots) {
                state.ledger.charge_slots(
                    pool, state.ledger.no_tenant(), leaf, slots, begin_ms, end_ms);
            };
            charge(Leaf::idle_latency, waiting.slots(pool));
            charge(Leaf::idle_gang, rest); // for the head, which does not fit
        }
    }

    /// Starts and preemptions so far.
    template <class Engine>
    [[nodiscard]] BURSAR_HD static std::uint64_t num_decisions(Engine& engine) {
        return engine.state().num_started + engine.state().num_preempted;
    }
    /// Whether the inner pass repeats its decisions until an event.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool stands(Engine& engine) const {
        if constexpr (Inner::has.moves_with_time)
            return !inner_.moves_with_time(engine);
        else
            return true;
    }

    /// A tentatively started job.
    struct Aside {
        WaitingJob job{};
        Grant grant{};
    };
    /// Jobs that wait for the round, for the split of idle time.
    struct Waiting {
        static constexpr Leaf leaf = Leaf::idle_latency;
        const RoundPass& pass;
        [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId pool) const {
            return pass.waiting_slots_[pool];
        }
        [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId shape) const {
            return pass.waiting_jobs_[shape];
        }
        [[nodiscard]] BURSAR_HD std::int64_t refused(ShapeId shape) const
            requires(Inner::has.is_refused)
        {
            return pass.inner_.refused(shape);
        }
    };

    BURSAR_HD void forget_waiting() {
        num_waiting_ = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            waiting_slots_[pool] = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            waiting_jobs_[shape] = 0;
    }

    /// Finds the jobs that could start, but that the inner pass has just decided to leave waiting.
    template <class Engine>
    BURSAR_HD void look_at_rest(Engine& engine) {
        engine.team().once([&] { forget_waiting(); });
        look_ahead(engine);
    }

    /// Finds the jobs that could start now, unless free capacity is claimed.
    template <class Engine>
    BURSAR_HD void look_ahead(Engine& engine) {
        if constexpr (Inner::has.has_claims) {
            if (inner_.has_claims())
                return;
        }
        find_waiting(engine);
    }

    /// Starts jobs tentatively while they fit, then undoes it.
    template <class Engine>
    BURSAR_HD void find_waiting(Engine& engine) {
        while (engine.queue().num_jobs() > 0) {
            const auto next = next_that_fits(engine);
            if (next.job == Candidate::no_job() || !fits(engine, next.shape))
                break;
            if (num_aside_ == max_live_) { // a larger arena would find more
                engine.team().once([&] { engine.state().status = RunStatus::arena_full; });
                break;
            }
            engine.team().once([&] { set_aside(engine, next); });
        }
        engine.team().once([&] {
            while (num_aside_ > 0)
                put_back(engine, aside_[--num_aside_]);
        });
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD bool fits(Engine& engine, ShapeId shape) const {
        return engine.capacity().fits(plan_.current_shapes[shape]);
    }

    [[nodiscard]] BURSAR_HD bool is_refused([[maybe_unused]] JobId job) const {
        if constexpr (Inner::has.is_refused)
            return inner_.is_refused(job);
        else
            return false;
    }

    /// The first job in order that fits, or the head whether it fits or not; no_job() if there is
    /// none.
    template <class Engine>
    [[nodiscard]] BURSAR_HD auto next_that_fits(Engine& engine) const {
        const bool any = options_.head == HeadRule::block;
        if constexpr (takes_ranked<Engine>) {
            return engine.queue().first_where(engine.team(), [&](const auto& pick) {
                return any || (fits(engine, pick.shape) && !is_refused(JobId{pick.job}));
            });
        } else {
            return engine.queue().first_picked(engine.team(), [&](ShapeId shape, JobId job) {
                return any || (fits(engine, shape) && !is_refused(job)) ? job : Candidate::no_job();
            });
        }
    }

    template <class Engine, class Next>
    BURSAR_HD void set_aside(Engine& engine, const Next& next) {
        Aside& aside = aside_[num_aside_++];
        if constexpr (takes_ranked<Engine>) {
            aside.job = engine.queue().take(next);
        } else {
            engine.queue().start(Candidate{next.job, next.shape});
            aside.job.job = next.job;
            aside.job.shape = next.shape;
        }
        const JobShape& shape = plan_.current_shapes[next.shape];
        aside.grant =
            take_for(engine.capacity(), plan_, {JobId{aside.job.job}, ShapeId{next.shape}});
        waiting_slots_[aside.grant.pool] += shape.slots();
        ++waiting_jobs_[next.shape];
        ++num_waiting_;
    }

    template <class Engine>
    BURSAR_HD void put_back(Engine& engine, const Aside& aside) {
        engine.capacity().release(aside.grant, plan_.current_shapes[aside.job.shape]);
        if constexpr (takes_ranked<Engine>) {
            engine.queue().put_back(aside.job);
        } else {
            const JobId job = aside.job.job;
            engine.queue().give_back(Candidate{job, aside.job.shape},
                                     engine.state().carried.of(job));
        }
    }

    RunPlan plan_;
    RunOptions options_;
    std::uint32_t max_live_{};
    Inner inner_;
    Aside* aside_{};
    std::int64_t* waiting_slots_{}; ///< by pool: slots of the jobs that could start
    std::uint32_t* waiting_jobs_{}; ///< by shape: jobs that could start
    std::uint32_t num_aside_{};
    std::uint32_t num_waiting_{};
    std::int64_t wake_ms_{horizon_ms};
    std::uint64_t num_decided_{}; ///< num_decisions before the pass in progress
};

}} // namespace bursar::sim
