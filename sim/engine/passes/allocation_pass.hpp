#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/passes/allocator.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/leaving_node.hpp"
#include "sim/engine/world/migrations.hpp"
#include "sim/ledger/idle_split.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// An allocator decides for all jobs at once (RunOptions::allocator); the pass checks its decisions
/// and follows them. Jobs that change their pool stop, and start again where their GPUs are free in
/// the same instant; where GPUs are still held for a save, or nodes have no place for a gang, the
/// job waits, and the allocator decides again. Elastic jobs that change their GPUs go on in the
/// same instant on the same pool, those that shrink first; one that has no place to grow stays as
/// it is. A job that begins to share its GPUs, or no longer shares them, goes on on them in another
/// form.
///
/// Host only: it allocates memory. Cost per pass: one step per job present, and the allocator.
class AllocationPass {
  public:
    static constexpr PassMembers has{.stops = true,
                                     .resizes = true,
                                     .moves_running = true,
                                     .leaves_fitting = true,
                                     .began = true,
                                     .gone = true,
                                     .withdraw = true,
                                     .wake_ms = true,
                                     .moves_with_time = true,
                                     .is_refused = true,
                                     .are_shared = true};

    AllocationPass() = default;
    AllocationPass(ArenaCarver&,
                   const RunPlan& plan,
                   std::uint32_t /*max_live*/,
                   const RunOptions& options)
        : plan_{plan}, round_ms_{options.quantum_ms}, run_{options.allocator} {
        assert(run_ != nullptr);
    }

    void clear() {
        first_new_ = 0;
        run_->present.clear();
        run_->not_eligible.clear();
        run_->allocator.begin();
    }

    template <class Engine>
    void schedule(Engine& engine) {
        note_submitted(engine);
        admit_eligible(engine);
        look(engine);
        run_->num_refused.assign(plan_.num_shapes, 0);
        if (run_->jobs.empty())
            return;
        run_->rows.clear();
        run_->allocator.allocate({plan_,
                                  engine.state().now_ms,
                                  round_ms_,
                                  run_->jobs,
                                  run_->pools,
                                  run_->pools_of_shape},
                                 run_->rows);
        check();
        for (const JobId job : run_->allocator.refused())
            ++run_->num_refused[plan_.shape_of(job)];
        each_row(engine, [&](const AllocationRow& row, const AllocationJob& job) {
            if (job.pool != plan_.num_pools && job.pool != row.pool)
                stop(engine, job.job, StopCause::preempted);
        });
        for (const bool grows : {false, true})
            each_row(engine, [&](const AllocationRow& row, const AllocationJob& job) {
                if (job.pool != plan_.num_pools && job.pool == row.pool && row.gpus != 0 &&
                    row.gpus != job.gpus && (row.gpus > job.gpus) == grows)
                    resize(engine, job, row.gpus);
            });
        each_row(engine, [&](const AllocationRow& row, const AllocationJob& job) {
            if (row.pool != plan_.num_pools && row.partner == no_partner && waits(job.job))
                start(engine, row.pool, job, row.gpus);
        });
        if (plan_.pairs == nullptr)
            return;
        each_row(engine, [&](const AllocationRow& row, const AllocationJob& job) {
            if (row.partner != no_partner)
                join(engine, job.job, row.partner);
        });
        go_on_alone(engine);
    }

    template <class Engine>
    void began(Engine&, const Attempt& attempt, AttemptId slot) {
        present(attempt.job)->slot = slot;
    }
    template <class Engine>
    void gone(Engine&, const Attempt& attempt, AttemptId) {
        const auto at = present(attempt.job);
        if (attempt.cause != StopCause::shared && at->partner != no_partner) {
            present(at->partner)->partner = no_partner;
            at->partner = no_partner;
        }
        if (attempt.is_stopped())
            at->slot = LiveAttempts::none();
        else
            run_->present.erase(at);
    }

    [[nodiscard]] bool are_shared(const Attempt& attempt) const {
        return present(attempt.job)->partner != no_partner;
    }

    template <class Engine>
    void withdraw(Engine& engine, const Candidate& leaving) {
        note_submitted(engine);
        std::erase(run_->not_eligible, leaving.job);
        std::erase_if(run_->present,
                      [&](const AllocatorRun::Present& each) { return each.job == leaving.job; });
        if (!run_->num_refused.empty() && is_refused(leaving.job))
            --run_->num_refused[leaving.shape];
    }

    template <class Engine>
    [[nodiscard]] bool moves_with_time(Engine&) const {
        return run_->allocator.moves_with_time();
    }

    [[nodiscard]] std::int64_t wake_ms() const {
        return run_->jobs.empty() ? horizon_ms : run_->allocator.wake_ms();
    }

    /// Books why capacity was free over [begin, end), by the state after the last pass.
    template <class Engine>
    void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        if (engine.queue().num_jobs() == 0)
            state.idle.charge_no_demand(state.ledger, engine.capacity(), begin_ms, end_ms);
        else
            state.idle.charge_by_demand(
                state.ledger, engine.capacity(), engine.queue(), begin_ms, end_ms, Refused{*this});
    }

    [[nodiscard]] bool is_refused(JobId job) const {
        return std::ranges::binary_search(run_->allocator.refused(), job);
    }
    [[nodiscard]] std::int64_t refused(ShapeId shape) const {
        return run_->num_refused.empty() ? 0 : run_->num_refused[shape];
    }

  private:
    /// For the split of idle time.
    struct Refused : NoHolds {
        explicit Refused(const AllocationPass& of) : pass{of} {}
        [[nodiscard]] std::int64_t refused(ShapeId shape) const { return pass.refused(shape); }
        const AllocationPass& pass;
    };

    template <class Engine>
    void note_submitted(Engine& engine) {
        for (; first_new_ < engine.state().next_arrival; ++first_new_)
            run_->not_eligible.push_back(JobId{first_new_});
    }

    /// Jobs are present once they are eligible. Cost: one step for each that is not yet.
    template <class Engine>
    void admit_eligible(Engine& engine) {
        std::erase_if(run_->not_eligible, [&](JobId job) {
            const bool is_eligible = engine.plan().since_ms[job] <= engine.state().now_ms;
            if (is_eligible)
                run_->present.insert(present(job), {job});
            return is_eligible;
        });
    }

    /// Calls `follow(row, job)` for each row of the allocator, while the run is well.
    template <class Engine, class Follow>
    void each_row(Engine& engine, const Follow& follow) {
        for (const AllocationRow& row : run_->rows) {
            if (engine.state().status != RunStatus::ok)
                return;
            follow(row, run_->jobs[place_of(row.job)]);
        }
    }

    template <class Engine>
    void start(Engine& engine, PoolId pool, const AllocationJob& job, std::uint32_t gpus) {
        const ShapeId shape = shape_with(job, gpus);
        if (!engine.capacity().fits_on(pool, plan_.current_shapes[shape]))
            return;
        const auto guest = std::ranges::find(run_->rows, job.job, &AllocationRow::partner);
        if (guest == run_->rows.end())
            engine.start_on({job.job, shape}, pool);
        else
            engine.start_in(plan_.pair_of(job.job, guest->job)->form(), {job.job, shape}, pool);
    }
    /// A waiting job shares the GPUs of its partner, unless that had no place.
    template <class Engine>
    void join(Engine& engine, JobId job, JobId partner) {
        if (waits(partner))
            return;
        go_on(engine, partner, plan_.pair_of(partner, job)->form());
        if (engine.state().status != RunStatus::ok)
            return;
        engine.start_beside(present(partner)->slot, plan_.pair_of(job, partner)->form(), job);
        present(job)->partner = partner;
        present(partner)->partner = job;
    }
    /// Jobs whose partner has ended have their GPUs for themselves.
    template <class Engine>
    void go_on_alone(Engine& engine) {
        for (const AllocatorRun::Present& each : run_->present)
            if (each.slot != LiveAttempts::none() && each.partner == no_partner &&
                has_half(engine.state().attempts[each.slot]) &&
                engine.state().status == RunStatus::ok)
                go_on(engine, each.job, {plan_.shape[each.job], plan_.job_class[each.job]});
    }
    /// Whether an attempt began with half of each of its GPUs.
    [[nodiscard]] bool has_half(const Attempt& attempt) const {
        return plan_.pairs != nullptr && plan_.shape_of(attempt.job) != attempt.shape &&
               plan_.classes[plan_.job_class[attempt.job]].num_forms == 0;
    }
    template <class Engine>
    void go_on(Engine& engine, JobId job, const PlanForm& form) {
        const AttemptId slot = present(job)->slot;
        const Attempt& attempt = engine.state().attempts[slot];
        if (form != PlanForm{static_cast<std::uint16_t>(attempt.shape), attempt.job_class})
            engine.go_on_in(form, slot);
    }
    template <class Engine>
    void stop(Engine& engine, JobId job, StopCause cause) {
        const RunState& state = engine.state();
        const AttemptId slot = present(job)->slot;
        engine.stop(slot, stop_now(plan_, state.attempts[slot], cause, state.now_ms));
    }
    /// The job goes on with other GPUs of its pool; as it is, if they have no place for it.
    template <class Engine>
    void resize(Engine& engine, const AllocationJob& job, std::uint32_t gpus) {
        const RunState& state = engine.state();
        const AttemptId slot = present(job.job)->slot;
        const Attempt attempt = state.attempts[slot];
        const Grant held{attempt.pool, attempt.level, attempt.first_piece};
        const JobShape& before = plan_.current_shapes[attempt.shape];
        engine.capacity().lend(held, before);
        const bool fits =
            engine.capacity().fits_on(job.pool, plan_.current_shapes[shape_with(job, gpus)]);
        engine.capacity().reclaim(held, before);
        if (!fits)
            return;
        engine.stop(slot, {StopCause::resized, state.now_ms, state.now_ms});
        if (state.status == RunStatus::ok)
            start(engine, job.pool, job, gpus);
    }

    /// The shape of a job with that many GPUs, or with those that it holds or asks for if `gpus` is
    /// 0. num_shapes: the job has no form with that number.
    [[nodiscard]] ShapeId shape_with(const AllocationJob& job, std::uint32_t gpus) const {
        const ShapeId asked = plan_.shape_of(job.job);
        gpus = gpus == 0 ? job.gpus : gpus;
        if (gpus != job.gpus && job.forms.empty())
            return ShapeId{plan_.num_shapes};
        for (const PlanForm& form : forms_of(job.job))
            if (plan_.shapes[form.shape].gpus == gpus)
                return ShapeId{form.shape};
        return gpus == plan_.shapes[asked].gpus ? asked : ShapeId{plan_.num_shapes};
    }
    [[nodiscard]] std::span<const PlanForm> forms_of(JobId job) const {
        const PlanClass& own = plan_.classes[plan_.job_class[job]];
        return {plan_.forms + own.form_begin, own.num_forms};
    }

    /// Shows the jobs that wait or work, and the slots that they may hold.
    template <class Engine>
    void look(Engine& engine) {
        const RunState& state = engine.state();
        run_->jobs.clear();
        run_->attempts.clear();
        run_->pools.assign(plan_.num_pools, {});
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            run_->pools[pool] = {
                engine.capacity().free_slots(pool), 0, believed_rate(plan_, pool, state.now_ms)};
        find_pools_of_shapes(engine);
        find_leaving(engine);
        for (const AllocatorRun::Present& each : run_->present) {
            const Progress began = state.carried.of(each.job);
            AllocationJob job;
            job.job = each.job;
            job.pools = run_->pools_of_shape[plan_.shape_of(each.job)];
            job.pool = PoolId{plan_.num_pools};
            job.slots = plan_.shapes[plan_.shape_of(each.job)].slots();
            job.gpus = plan_.gpus(each.job);
            job.job_class = plan_.job_class[each.job];
            job.permitted = plan_.current_shapes[plan_.shape_of(each.job)].permitted_pools;
            job.forms = forms_of(each.job);
            job.work_left_ms = believed_left_ms(plan_, each.job, began);
            job.attained_ms = began.attained_ms;
            if (each.slot != LiveAttempts::none()) {
                const Attempt& attempt = state.attempts[each.slot];
                AllocationPool& pool = run_->pools[attempt.pool];
                job.partner = each.partner;
                if (!has_half(attempt)) {
                    job.slots = plan_.shapes[attempt.shape].slots();
                    job.gpus = plan_.shapes[attempt.shape].gpus;
                    job.job_class = attempt.job_class;
                    job.pools = run_->pools_of_shape[attempt.shape];
                } else if (each.partner != no_partner) { // otherwise it goes on alone
                    job.slots = plan_.shapes[attempt.shape].slots();
                    job.job_class = attempt.job_class;
                }
                if (plan_.classes[plan_.job_class[each.job]].is_moldable)
                    job.forms = {};
                job.is_saving = attempt.is_stopped();
                const bool cleans_up =
                    !job.is_saving && span_of(plan_, attempt).work_end_ms <= state.now_ms;
                job.is_on_leaving = std::ranges::binary_search(run_->leaving, each.slot);
                pool.slots += job.is_on_leaving ? 0 : job.slots;
                if (job.is_saving || cleans_up)
                    pool.leaving_slots += job.slots;
                if (cleans_up)
                    continue;
                if (!job.is_saving) {
                    const std::int64_t done_ms =
                        work_done_ms(plan_, attempt, work_offset(attempt, state.now_ms));
                    job.pool = PoolId{attempt.pool};
                    job.work_left_ms = std::max<std::int64_t>(job.work_left_ms - done_ms, 0);
                    job.attained_ms += state.now_ms - attempt.start_ms;
                    job.start_ms = attempt.start_ms;
                    job.would_keep_work =
                        kept_work_ms(plan_, attempt, StopCause::preempted, state.now_ms) > 0;
                }
            }
            run_->jobs.push_back(job);
            run_->attempts.push_back(each.slot);
        }
    }

    /// The attempts at work that hold GPUs which end or close.
    template <class Engine>
    void find_leaving(Engine& engine) {
        using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
        run_->leaving.clear();
        if constexpr (Capacity::counts_only) {
            for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
                for_each_beyond(
                    engine, pool, [&](AttemptId slot) { run_->leaving.push_back(slot); });
        } else {
            engine.events().for_each([&](EventKey event) {
                const Attempt& attempt = engine.state().attempts[event.attempt()];
                bool is_leaving = false;
                engine.capacity().for_each_piece({attempt.pool, attempt.level, attempt.first_piece},
                                                 [&](std::uint32_t node, std::uint32_t) {
                                                     is_leaving |= engine.capacity().is_offline(
                                                         attempt.pool, node);
                                                 });
                if (is_leaving && is_at_work(engine, attempt))
                    run_->leaving.push_back(event.attempt());
            });
        }
        std::ranges::sort(run_->leaving);
    }

    /// Cost: a check of each pool for each shape that a job present has or may have.
    template <class Engine>
    void find_pools_of_shapes(Engine& engine) {
        constexpr std::uint64_t unknown = ~std::uint64_t{0};
        std::vector<std::uint64_t>& found = run_->pools_of_shape;
        found.assign(plan_.num_shapes, unknown);
        const auto find = [&](ShapeId number) {
            if (found[number] != unknown)
                return;
            const JobShape& shape = plan_.current_shapes[number];
            found[number] = 0;
            for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
                if ((shape.permitted_pools >> pool & 1U) != 0 && could_hold(engine, pool, shape))
                    found[number] |= std::uint64_t{1} << pool;
        };
        for (const AllocatorRun::Present& each : run_->present) {
            find(plan_.shape_of(each.job));
            for (const PlanForm& form : forms_of(each.job))
                find(ShapeId{form.shape});
        }
    }
    template <class Engine>
    [[nodiscard]] bool could_hold(Engine& engine, PoolId pool, const JobShape& shape) const {
        using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
        if constexpr (Capacity::has.close) {
            return engine.capacity().fits_when_empty_on(pool, shape);
        } else {
            const PlanPool& spec = plan_.pools[pool];
            const std::int64_t all =
                std::int64_t{spec.num_nodes} * spec.gpus_per_node * slots_per_gpu;
            return shape.slots() <= all - engine.capacity().offline_slots(pool);
        }
    }

    /// Refuses rows that can't be followed, with the reason.
    void check() const {
        std::vector<bool> is_named(run_->jobs.size());
        std::vector<PoolId> pool_of;
        std::vector<std::int64_t> slots_of;
        for (const AllocationJob& job : run_->jobs) {
            pool_of.push_back(job.pool);
            slots_of.push_back(job.slots);
        }
        for (const AllocationRow& row : run_->rows) {
            const std::size_t place = place_of(row.job);
            if (place == run_->jobs.size())
                throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                      " neither waits nor works now"};
            if (is_named[place])
                throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                      " is named twice"};
            is_named[place] = true;
            const AllocationJob& job = run_->jobs[place];
            const ShapeId shape = shape_with(job, row.gpus);
            if (shape == plan_.num_shapes)
                throw AllocationError{"allocator: job " + std::to_string(row.job) + " can't have " +
                                      std::to_string(row.gpus) + " GPUs"};
            slots_of[place] = plan_.shapes[shape].slots();
            const bool stays = row.pool == job.pool && slots_of[place] == job.slots;
            if (row.pool > plan_.num_pools ||
                (row.pool < plan_.num_pools && !stays &&
                 ((run_->pools_of_shape[shape] & job.permitted) >> row.pool & 1U) == 0))
                throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                      " may not use pool " + std::to_string(row.pool)};
            if (job.is_saving && row.pool < plan_.num_pools)
                throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                      " saves its state and can't start yet"};
            pool_of[place] = row.pool;
            if (job.partner != no_partner)
                throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                      " shares its GPUs and can't be moved"};
        }
        for (const AllocationRow& row : run_->rows)
            if (row.partner != no_partner)
                check_partner(row, pool_of, slots_of);
        std::vector<std::int64_t> left;
        for (const AllocationPool& pool : run_->pools)
            left.push_back(pool.usable_slots());
        for (std::size_t place = 0; place < pool_of.size(); ++place) {
            const AllocationJob& job = run_->jobs[place];
            if (pool_of[place] == plan_.num_pools ||
                (job.is_on_leaving && pool_of[place] == job.pool))
                continue;
            left[pool_of[place]] -= slots_of[place];
            if (left[pool_of[place]] < 0)
                throw AllocationError{"allocator: pool " + std::to_string(pool_of[place]) +
                                      " has too few GPUs for the jobs that it is given to"};
        }
    }

    /// A job that shares the GPUs of another one takes none. pool_of, slots_of: by place, after the
    /// decision.
    void check_partner(const AllocationRow& row,
                       const std::vector<PoolId>& pool_of,
                       std::vector<std::int64_t>& slots_of) const {
        const std::size_t place = place_of(row.job);
        const std::size_t other = place_of(row.partner);
        const auto num_guests =
            std::ranges::count(run_->rows, row.partner, &AllocationRow::partner);
        const auto as_guest = std::ranges::find_if(run_->rows, [&](const AllocationRow& each) {
            return each.job == row.partner && each.partner != no_partner;
        });
        const PlanPair* const pair = other < run_->jobs.size() && plan_.pairs != nullptr
                                         ? plan_.pair_of(row.job, row.partner)
                                         : nullptr;
        if (pair == nullptr || num_guests != 1 || as_guest != run_->rows.end() ||
            run_->jobs[place].pool != plan_.num_pools || row.pool == plan_.num_pools ||
            (pair->pools >> row.pool & 1U) == 0 || pool_of[other] != row.pool ||
            run_->jobs[other].partner != no_partner)
            throw AllocationError{"allocator: job " + std::to_string(row.job) +
                                  " can't share GPUs of pool " + std::to_string(row.pool) +
                                  " with job " + std::to_string(row.partner)};
        slots_of[place] = 0;
    }

    /// The place of a job in AllocatorRun::jobs; their number if it is not shown.
    [[nodiscard]] std::size_t place_of(JobId job) const {
        const auto at = std::ranges::lower_bound(run_->jobs, job, {}, &AllocationJob::job);
        const bool is_there = at != run_->jobs.end() && at->job == job;
        return is_there ? static_cast<std::size_t>(at - run_->jobs.begin()) : run_->jobs.size();
    }
    [[nodiscard]] std::vector<AllocatorRun::Present>::iterator present(JobId job) const {
        return std::ranges::lower_bound(run_->present, job, {}, &AllocatorRun::Present::job);
    }
    [[nodiscard]] bool waits(JobId job) const { return present(job)->slot == LiveAttempts::none(); }

    RunPlan plan_;
    std::int64_t round_ms_{};
    AllocatorRun* run_{};
    std::uint32_t first_new_{}; ///< first job that the pass has not seen
};

}} // namespace bursar::sim
