#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Running attempts that may be stopped for other jobs: when they may be, which are chosen, and how
/// they stop.
///
/// Victims are added in the order of Victims until the gang fits in their place. Then unneeded ones
/// are dropped, the last first (as in kube-scheduler), so that each remaining one is needed. They
/// run for their grace, save, and release their GPUs.
///
/// Victims: which attempts a job may stop, and in which order (any_victims.hpp).
template <class Victims>
class StoppableAttempts {
  public:
    StoppableAttempts() = default;
    BURSAR_HD StoppableAttempts(ArenaCarver& carver,
                                const RunPlan& plan,
                                std::uint32_t max_live,
                                const RunOptions& options)
        : plan_{plan}, options_{options}, victims_{carver, plan, max_live, options},
          running_{carver.take<Running>(max_live)}, chosen_{carver.take<AttemptId>(max_live)},
          leaving_{carver.take<AttemptId>(max_live)} {}

    BURSAR_HD void clear() {
        victims_.clear();
        num_leaving_ = num_chosen_ = 0;
        is_ahead_ = has_left_ = false;
    }

    [[nodiscard]] BURSAR_HD const Victims& victims() const { return victims_; }
    /// A waiting job gets a claim, or loses it.
    BURSAR_HD void claimed(const Candidate& job) { victims_.hold(job.job, job.shape); }
    BURSAR_HD void unclaimed(const Candidate& job) { victims_.let_go(job.job, job.shape); }
    /// Attempts that run for their grace, or save before they release their GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t num_leaving() const { return num_leaving_; }
    /// Whether the capacity looks as if they had released their GPUs.
    [[nodiscard]] BURSAR_HD bool is_ahead() const { return is_ahead_; }
    /// Whether an attempt stopped by make_room released its GPUs at once.
    [[nodiscard]] BURSAR_HD bool has_left() const { return has_left_; }

    /// Starts a job that was taken out of the queue and fits.
    template <class Engine>
    BURSAR_HD void start(Engine& engine, const Candidate& job) {
        const BegunAttempt begun =
            engine.begin(job.job, job.shape, take_for(engine.capacity(), plan_, job));
        if (engine.state().status != RunStatus::ok)
            return;
        const Attempt& attempt = engine.state().attempts[begun.slot];
        const std::int64_t work_end_ms = span_of(plan_, attempt).work_end_ms;
        const std::int64_t stoppable_ms = attempt.start_ms + options_.limits.min_run_ms;
        Running& running = running_[begun.slot];
        running = {Standing::stays, true, 0};
        victims_.hold(job.job, job.shape);
        if (!victims_.is_empty() && stoppable_ms < work_end_ms &&
            engine.state().carried.of(job.job).num_preempted < options_.limits.max_per_job)
            running.standing = Standing::fresh;
        if (running.standing == Standing::fresh && options_.limits.min_run_ms > 0)
            engine.events().push({stoppable_ms, EventKind::standing, begun.slot});
        else
            join_line(engine, begun.slot, begun.release_ms);
    }

    /// Stops attempts so that `job` fits, on the first of its pools where that is possible. Returns
    /// false if there is none. If some victims take time to stop, the capacity is ahead afterwards.
    /// Sets arena_full if the queue has no room for a victim.
    template <class Engine>
    BURSAR_HD bool make_room(Engine& engine, const Candidate& job) {
        const JobShape& shape = plan_.current_shapes[job.shape];
        const std::uint64_t level = engine.queue().level_of(job.job);
        const std::uint32_t order = order_of(plan_, shape, job.job);
        const std::uint32_t found = first_pool(plan_, shape, order, [&](PoolId pool) {
            return victims_.may_make_room(
                       level, pool, shape.slots(), engine.capacity().free_slots(pool)) &&
                   choose(engine, job, pool);
        });
        has_left_ = false;
        if (found == plan_.num_pools)
            return false;
        for (std::uint32_t i = 0; i < num_chosen_ && engine.state().status == RunStatus::ok; ++i)
            give_notice(engine, chosen_[i]);
        victims_.close();
        if (num_leaving_ > 0 && !is_ahead_)
            go_ahead(engine);
        return true;
    }

    /// Makes the capacity look as if leaving attempts had released their GPUs.
    template <class Engine>
    BURSAR_HD void go_ahead(Engine& engine) {
        is_ahead_ = true;
        for (std::uint32_t i = 0; i < num_leaving_; ++i)
            lend(engine, leaving_[i]);
    }
    /// Undoes go_ahead(). Precondition: the GPUs lent by it are free.
    template <class Engine>
    BURSAR_HD void come_back(Engine& engine) {
        for (std::uint32_t i = num_leaving_; i-- > 0;)
            reclaim(engine, leaving_[i]);
        is_ahead_ = false;
    }
    /// An attempt has run for its least time, or its work or its grace has ended.
    template <class Engine>
    BURSAR_HD void change_standing(Engine& engine, AttemptId slot) {
        const Attempt& attempt = engine.state().attempts[slot];
        Running& running = running_[slot];
        if (running.standing == Standing::leaving) {
            stop(engine, slot);
            return;
        }
        if (running.standing == Standing::stoppable) {
            victims_.erase(attempt, slot);
            running.standing = Standing::stays;
        }
        join_line(engine, slot, engine.inside_horizon(span_of(plan_, attempt).release_ms));
    }

    /// An attempt is stopped, by this rule or by the world.
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t release_ms) {
        if (running_[slot].standing == Standing::stoppable)
            victims_.erase(engine.state().attempts[slot], slot);
        let_go(engine.state().attempts[slot], slot);
        if (release_ms == engine.state().now_ms) {
            has_left_ = true;
            if (running_[slot].standing != Standing::leaving)
                running_[slot].standing = Standing::stays;
        } else if (running_[slot].standing != Standing::leaving) {
            join_leaving(engine, slot);
        }
    }
    /// An attempt releases its GPUs.
    BURSAR_HD void gone(const Attempt& attempt, AttemptId slot) {
        let_go(attempt, slot);
        if (running_[slot].standing == Standing::stoppable)
            victims_.erase(attempt, slot);
        else if (running_[slot].standing == Standing::leaving)
            leave(slot);
    }

  private:
    enum class Standing : std::uint8_t {
        stays,     ///< not stopped: its work is done, or it reached max_per_job
        fresh,     ///< it has not yet held its GPUs for min_run_ms
        stoppable, ///< it is among the victims
        leaving,   ///< it runs for its grace, or saves
    };
    /// By slot.
    struct Running {
        Standing standing{};
        bool holds{};          ///< what it runs on is part of its tenant's share
        std::uint32_t place{}; ///< in leaving_
    };
    [[nodiscard]] BURSAR_HD const JobShape& shape_of(const Attempt& attempt) const {
        return plan_.current_shapes[attempt.shape];
    }
    [[nodiscard]] BURSAR_HD static Grant grant_of(const Attempt& attempt) {
        return {attempt.pool, attempt.level, attempt.first_piece};
    }

    BURSAR_HD void let_go(const Attempt& attempt, AttemptId slot) {
        if (running_[slot].holds)
            victims_.let_go(JobId{attempt.job}, ShapeId{attempt.shape});
        running_[slot].holds = false;
    }

    template <class Engine>
    BURSAR_HD void lend(Engine& engine, AttemptId slot) {
        const Attempt& attempt = engine.state().attempts[slot];
        engine.capacity().lend(grant_of(attempt), shape_of(attempt));
    }
    template <class Engine>
    BURSAR_HD void reclaim(Engine& engine, AttemptId slot) {
        const Attempt& attempt = engine.state().attempts[slot];
        engine.capacity().reclaim(grant_of(attempt), shape_of(attempt));
    }

    /// Chooses victims on `pool` into chosen_. Returns false if stops do not help, or are not worth
    /// their cost.
    template <class Engine>
    BURSAR_HD bool choose(Engine& engine, const Candidate& job, PoolId pool) {
        const JobShape& shape = plan_.current_shapes[job.shape];
        auto& capacity = engine.capacity();
        victims_.open(engine, job.job, engine.queue().level_of(job.job), pool);
        std::uint32_t num = 0;
        bool fits = false;
        while (!fits) {
            const AttemptId slot = victims_.next();
            if (slot == LiveAttempts::none())
                break;
            lend(engine, slot);
            chosen_[num++] = slot;
            fits = capacity.fits_on(pool, shape);
        }
        num_chosen_ = 0;
        if (fits) {
            for (std::uint32_t i = num; i-- > 0;)
                let_off_if_spare(engine, shape, pool, chosen_[i]);
            for (std::uint32_t i = 0; i < num; ++i) {
                if (chosen_[i] != LiveAttempts::none())
                    chosen_[num_chosen_++] = chosen_[i];
            }
            num = num_chosen_;
        }
        for (std::uint32_t i = num; i-- > 0;)
            reclaim(engine, chosen_[i]);
        if (fits && victims_.pays(chosen_, num_chosen_))
            return true;
        victims_.close();
        return false;
    }

    template <class Engine>
    BURSAR_HD void
    let_off_if_spare(Engine& engine, const JobShape& shape, PoolId pool, AttemptId& slot) {
        reclaim(engine, slot);
        if (engine.capacity().fits_on(pool, shape))
            slot = LiveAttempts::none();
        else
            lend(engine, slot);
    }

    /// Preempts an attempt: at once, or after its grace.
    template <class Engine>
    BURSAR_HD void give_notice(Engine& engine, AttemptId slot) {
        const Attempt& attempt = engine.state().attempts[slot];
        victims_.erase(attempt, slot);
        let_go(attempt, slot);
        const std::int64_t stop_ms = engine.state().now_ms + options_.limits.grace_ms;
        const AttemptSpan span = span_of(plan_, attempt);
        running_[slot].standing = Standing::stays; // it is not among the victims
        if (options_.limits.grace_ms == 0) {
            stop(engine, slot);
            return;
        }
        engine.events().erase(slot);
        if (span.work_end_ms > stop_ms) {
            engine.events().push({stop_ms, EventKind::standing, slot});
            join_leaving(engine, slot);
        } else { // its work ends before
            engine.events().push(
                {engine.inside_horizon(span.release_ms), EventKind::release, slot});
            join_leaving(engine, slot);
        }
    }

    template <class Engine>
    BURSAR_HD void join_leaving(Engine& engine, AttemptId slot) {
        running_[slot] = {Standing::leaving, false, num_leaving_};
        leaving_[num_leaving_++] = slot;
        if (is_ahead_)
            lend(engine, slot);
    }
    /// Removes an attempt from leaving_.
    BURSAR_HD void leave(AttemptId slot) {
        const AttemptId last = leaving_[--num_leaving_];
        leaving_[running_[slot].place] = last;
        running_[last].place = running_[slot].place;
    }

    /// Stops an attempt that was removed from the victims.
    template <class Engine>
    BURSAR_HD void stop(Engine& engine, AttemptId slot) {
        const RunState& state = engine.state();
        engine.stop(slot,
                    stop_now(plan_, state.attempts[slot], StopCause::preempted, state.now_ms));
    }

    /// Adds an attempt to the victims, unless it stays. Pushes its next event.
    template <class Engine>
    BURSAR_HD void join_line(Engine& engine, AttemptId slot, std::int64_t release_ms) {
        const Attempt& attempt = engine.state().attempts[slot];
        Running& running = running_[slot];
        if (running.standing == Standing::fresh) {
            running.standing = Standing::stoppable;
            victims_.insert(attempt, slot, engine.queue().level_of(attempt.job));
            const std::int64_t work_end_ms = span_of(plan_, attempt).work_end_ms;
            if (work_end_ms < release_ms) {
                engine.events().push({work_end_ms, EventKind::standing, slot});
                return;
            }
        }
        engine.events().push({release_ms, EventKind::release, slot});
    }

    RunPlan plan_;
    RunOptions options_;
    Victims victims_;
    Running* running_{};
    AttemptId* chosen_{};  ///< slots of the victims of the job being served
    AttemptId* leaving_{}; ///< slots
    std::uint32_t num_chosen_{};
    std::uint32_t num_leaving_{};
    bool is_ahead_{};
    bool has_left_{};
};

}} // namespace bursar::sim
