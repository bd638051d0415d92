#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/arena/arena.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/preemption/stoppable_attempts.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Starts jobs in the queue's order. For one that does not fit, running attempts may be stopped
/// (RunOptions::victims). If that does not help, either no job behind it starts, or the next one
/// that fits does (RunOptions::head). With RunOptions::reserves_for_head it gets a reservation and
/// jobs behind it backfill.
///
/// If victims take time to stop (a grace period, a save), the gang gets a claim on their GPUs.
/// Until it has started no job behind it starts, on any pool: free GPUs are kept for it. If a job
/// may stop jobs that rank before it, its claim outlasts the pass; otherwise its victims would take
/// their GPUs back.
///
/// Backfill: which jobs start behind a blocked head (backfill/easy_backfill.hpp). Victims: which
/// attempts a job may stop, and in which order (preemption/any_victims.hpp). Cost per pass: one
/// check of the heads, one more for each job that starts, and the choice of victims and the
/// reservation.
template <class Backfill, class Victims>
class AdmissionPass {
  public:
    static constexpr PassMembers has{.stops = true,
                                     .standing = true,
                                     .began = true,
                                     .stopping = true,
                                     .gone = true,
                                     .capacity_changed = true,
                                     .unsettle = true,
                                     .withdraw = true,
                                     .has_claims = true,
                                     .for_each_claim = true,
                                     .moves_with_time = true};

    AdmissionPass() = default;
    BURSAR_HD AdmissionPass(ArenaCarver& carver,
                            const RunPlan& plan,
                            std::uint32_t max_live,
                            const RunOptions& options)
        : plan_{plan}, head_rule_{options.head}, reserves_{options.reserves_for_head},
          max_live_{max_live}, attempts_{carver, plan, max_live, options},
          behind_{carver, plan, reserves_ ? max_live : 0, options},
          claims_{carver.take<Claim>(max_live)}, is_barred_{carver.take<bool>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        attempts_.clear();
        behind_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            is_barred_[shape] = false;
        num_claims_ = first_new_ = 0;
        is_settled_ = goes_on_ = is_over_ = has_claims_ = has_barred_ = false;
    }

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        do {
            engine.team().once([&] { begin_pass(engine); });
            if (!reserves_ || !attempts_.victims().is_empty() || !behind_.stands(engine))
                serve_in_order(engine);
            if (is_ok(engine) && reserves_)
                start_behind(engine);
            if (!is_ok(engine))
                return;
            engine.team().once([&] { end_pass(engine); });
        } while (goes_on_ && is_ok(engine));
    }

    template <class Engine>
    BURSAR_HD void standing(Engine& engine, AttemptId slot) {
        is_settled_ = false;
        attempts_.change_standing(engine, slot);
    }
    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot) {
        if (reserves_)
            behind_.began(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t release_ms) {
        is_settled_ = false;
        attempts_.stopping(engine, slot, release_ms);
        if (reserves_)
            behind_.stopping(engine, slot, release_ms);
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        is_settled_ = false;
        attempts_.gone(attempt, slot);
        if (reserves_)
            behind_.gone(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void capacity_changed(Engine&, PoolId, std::int64_t /*slots*/) {
        is_settled_ = false;
        if (reserves_)
            behind_.capacity_changed();
    }

    BURSAR_HD void unsettle() {
        is_settled_ = false;
        behind_.unsettle();
    }

    /// A waiting job leaves the queue. One with a claim goes back to it before. Claims that do not
    /// outlast a pass are made again by the next one.
    template <class Engine>
    BURSAR_HD void withdraw(Engine& engine, const Candidate& job) {
        is_settled_ = false;
        behind_.withdraw(job.job);
        std::uint32_t at = 0;
        while (at < num_claims_ && claims_[at].job.job != job.job)
            ++at;
        if (at < num_claims_) {
            engine.queue().count_apart(-1);
            attempts_.unclaimed(job);
            give_back(engine, job);
            for (--num_claims_; at < num_claims_; ++at)
                claims_[at] = claims_[at + 1];
        }
        has_claims_ = num_claims_ > 0;
    }

    /// Whether free GPUs are kept for a job that waits for its victims to stop.
    [[nodiscard]] BURSAR_HD bool has_claims() const { return has_claims_; }

    /// Calls `act(job, pool)` for the claims that outlast the pass.
    template <class Act>
    BURSAR_HD void for_each_claim(const Act& act) const {
        for (std::uint32_t i = 0; i < num_claims_; ++i)
            act(claims_[i].job, PoolId{claims_[i].grant.pool});
    }

    /// Whether the choice of victims changes with time, because it depends on the cost of a stop.
    template <class Engine>
    [[nodiscard]] BURSAR_HD bool moves_with_time(Engine&) const {
        return attempts_.victims().moves_with_time();
    }

    /// Books why capacity was free over [begin, end), by the state after the last pass.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        const auto& queue = engine.queue();
        if (queue.num_jobs() == 0)
            state.idle.charge_no_demand(state.ledger, capacity, begin_ms, end_ms);
        else if (has_claims_ || (head_rule_ == HeadRule::block && !reserves_))
            state.idle.charge_held_for_head(state.ledger, capacity, begin_ms, end_ms);
        else if (reserves_)
            state.idle.charge_by_demand(
                state.ledger, capacity, queue, begin_ms, end_ms, behind_.holds(capacity));
        else
            state.idle.charge_by_demand(state.ledger, capacity, queue, begin_ms, end_ms);
    }

  private:
    /// A job that waits for its victims to stop, and the capacity that it will get.
    struct Claim {
        Candidate job{};
        Grant grant{};
    };

    template <class Engine>
    [[nodiscard]] BURSAR_HD static bool is_ok(Engine& engine) {
        return engine.state().status == RunStatus::ok;
    }

    template <class Engine>
    BURSAR_HD void begin_pass(Engine& engine) {
        goes_on_ = is_over_ = has_claims_ = false;
        blocked_ = {};
        if (has_barred_) {
            for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
                is_barred_[shape] = false;
            has_barred_ = false;
        }
        settle_claims(engine);
    }

    /// Serves jobs with claims first.
    template <class Engine>
    BURSAR_HD void settle_claims(Engine& engine) {
        const std::uint32_t num = num_claims_;
        num_claims_ = 0;
        for (std::uint32_t i = 0; i < num && is_ok(engine); ++i) {
            const Candidate job = claims_[i].job;
            const JobShape& shape = plan_.current_shapes[job.shape];
            engine.queue().count_apart(-1);
            attempts_.unclaimed(job);
            if (!attempts_.is_ahead() && engine.capacity().fits(shape)) {
                attempts_.start(engine, job);
                continue;
            }
            if (!attempts_.is_ahead())
                attempts_.go_ahead(engine);
            if (engine.capacity().fits(shape))
                claim(engine, job);
            else // a job before it got other nodes than expected
                give_back(engine, job);
        }
        come_back_if_unclaimed(engine);
    }

    /// Returns a job that was taken out to the queue.
    template <class Engine>
    BURSAR_HD void give_back(Engine& engine, const Candidate& job) {
        const Progress progress = engine.state().carried.of(job.job);
        if (progress.num_stopped > 0 && engine.queue().full())
            engine.state().status = RunStatus::arena_full;
        else
            engine.queue().give_back(job, progress);
    }

    /// If there is no claim, shows the real capacity again, so that jobs that fit now may start.
    template <class Engine>
    BURSAR_HD void come_back_if_unclaimed(Engine& engine) {
        if (attempts_.is_ahead() && num_claims_ == 0)
            attempts_.come_back(engine);
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD Candidate next_to_serve(Engine& engine) const {
        if (head_rule_ == HeadRule::block)
            return engine.queue().head(engine.team());
        const auto first =
            engine.queue().first_picked(engine.team(), [&](ShapeId shape, JobId job) {
                const bool may = (!is_settled_ || job >= first_new_) && !is_barred_[shape] &&
                                 may_start(engine, engine.queue().level_of(job), shape);
                return may ? job : Candidate::no_job();
            });
        return {first.job, first.shape};
    }

    template <class Engine>
    [[nodiscard]] BURSAR_HD bool
    may_start(Engine& engine, std::uint64_t level, ShapeId shape_index) const {
        const auto& capacity = engine.capacity();
        const JobShape& shape = plan_.current_shapes[shape_index];
        if (!capacity.is_full() && capacity.fits(shape))
            return true;
        if (attempts_.num_leaving() > 0)
            return true; // serve() checks whether it fits on what they leave
        const Victims& victims = attempts_.victims();
        return first_pool(plan_, shape, [&](PoolId pool) {
                   return victims.may_make_room(
                       level, pool, shape.slots(), capacity.free_slots(pool));
               }) < plan_.num_pools;
    }

    template <class Engine>
    BURSAR_HD void serve_in_order(Engine& engine) {
        while (is_ok(engine) && !is_over_ && engine.queue().num_jobs() > num_claims_) {
            // Saves the check of the heads; a reservation would need it.
            if (!reserves_ && attempts_.victims().is_empty() && engine.capacity().is_full())
                return;
            const Candidate next = next_to_serve(engine);
            if (next.job == Candidate::no_job())
                break;
            engine.team().once([&] { serve(engine, next); });
        }
        if (reserves_ && is_ok(engine)) {
            engine.team().once(
                [&] { behind_.head_blocked(engine, has_claims_ ? Candidate{} : blocked_); });
        }
    }

    /// Starts the job, makes room for it, or skips it.
    template <class Engine>
    BURSAR_HD void serve(Engine& engine, const Candidate& next) {
        const JobShape& shape = plan_.current_shapes[next.shape];
        bool fits = engine.capacity().fits(shape);
        if (!fits && !attempts_.is_ahead() && attempts_.num_leaving() > 0 &&
            !attempts_.victims().is_empty()) {
            attempts_.go_ahead(engine);
            fits = engine.capacity().fits(shape);
        }
        if (fits || make_room(engine, next)) {
            if (!is_ok(engine))
                return;
            if (reserves_)
                behind_.forget(); // a head may start past another's reservation
            engine.queue().start(next);
            if (attempts_.is_ahead())
                claim(engine, next);
            else
                attempts_.start(engine, next);
            return;
        }
        is_over_ = head_rule_ == HeadRule::block;
        if (is_over_)
            blocked_ = next;
        is_barred_[next.shape] = has_barred_ = true;
        come_back_if_unclaimed(engine);
    }

    template <class Engine>
    BURSAR_HD bool make_room(Engine& engine, const Candidate& job) {
        const bool was_ahead = attempts_.is_ahead();
        if (!attempts_.make_room(engine, job))
            return false;
        is_settled_ = false; // victims may release more than this job takes
        goes_on_ = goes_on_ || (was_ahead && attempts_.has_left()); // GPUs are free already
        return true;
    }

    template <class Engine>
    BURSAR_HD void claim(Engine& engine, const Candidate& job) {
        if (num_claims_ == max_live_) {
            engine.state().status = RunStatus::arena_full;
            return;
        }
        claims_[num_claims_++] = {job, take_for(engine.capacity(), plan_, job)};
        has_claims_ = true;
        attempts_.claimed(job);
        engine.queue().count_apart(1);
        is_over_ = head_rule_ == HeadRule::block;
    }

    /// Starts jobs behind a blocked head that do not delay it.
    template <class Engine>
    BURSAR_HD void start_behind(Engine& engine) {
        while (is_ok(engine)) {
            const auto next = behind_.next_behind(engine);
            if (next.is_none())
                return;
            engine.team().once([&] {
                behind_.start(engine, next, [&] {
                    engine.queue().start(next.job);
                    attempts_.start(engine, next.job);
                });
            });
        }
    }

    /// Ends the pass: shows the real capacity again, and drops claims that need not outlast it.
    template <class Engine>
    BURSAR_HD void end_pass(Engine& engine) {
        first_new_ = engine.state().next_arrival;
        const bool by_order = attempts_.victims().goes_by_order();
        is_settled_ = by_order && head_rule_ == HeadRule::skip && !has_claims_ && !goes_on_;
        if (!attempts_.is_ahead())
            return;
        for (std::uint32_t i = num_claims_; i-- > 0;) {
            const Claim& claim = claims_[i];
            engine.capacity().release(claim.grant, plan_.current_shapes[claim.job.shape]);
            if (by_order) {
                engine.queue().count_apart(-1);
                attempts_.unclaimed(claim.job);
                give_back(engine, claim.job);
                --num_claims_;
            }
        }
        attempts_.come_back(engine);
    }

    RunPlan plan_;
    HeadRule head_rule_{HeadRule::block};
    bool reserves_{};
    std::uint32_t max_live_{};
    StoppableAttempts<Victims> attempts_;
    Backfill behind_;
    Claim* claims_{};     ///< in order, kept apart from the queue
    bool* is_barred_{};   ///< shapes whose first job can neither start nor make room in this pass
    Candidate blocked_{}; ///< the head that could not start in this pass
    std::uint32_t num_claims_{};
    std::uint32_t first_new_{}; ///< first job that arrived since the last pass
    bool is_settled_{};         ///< no job before first_new_ can start
    bool goes_on_{};            ///< another pass is needed at this instant
    bool is_over_{};            ///< no further job may start in this pass
    bool has_claims_{};         ///< a job waits for GPUs that others release
    bool has_barred_{};
};

}} // namespace bursar::sim
