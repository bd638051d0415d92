#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/failing_jobs.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/provisional_work.hpp"
#include "sim/engine/attempts/staged_jobs.hpp"
#include "sim/engine/broker/fallbacks.hpp"
#include "sim/engine/broker/run_pools.hpp"
#include "sim/engine/queues/dependents.hpp"
#include "sim/engine/queues/late_jobs.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/ledger/idle_split.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/record/outcome.hpp"
#include "sim/world/demand.hpp"
#include "sim/world/fleet.hpp"

namespace bursar { inline namespace sim {

/// State of migrations (PlanMigration); no arrays if they are off.
struct MigrationState {
    bool has_changed{};          ///< nodes, orders or admission, since the last check
    std::uint64_t num_gone{};    ///< attempts that had released their GPUs at the last check
    std::uint64_t num_stopped{}; ///< attempts stopped to migrate
    StoredPoolId* aim{};         ///< by slot of a stopped attempt: pool to migrate to
    std::int64_t* aimed_slots{}; ///< by pool: slots of migrating gangs that still hold others
};

/// The mutable state of one run, except events, pass, queue and capacity. Lives in the run's arena.
struct RunState {
    LiveAttempts attempts;
    CarriedJobs carried;
    Ledger ledger;
    ProvisionalWork provisional;
    IdleSplit idle;
    Fleet fleet;        ///< empty in a static world
    Demand demand;      ///< likewise
    bool nodes_ended{}; ///< after the last pass
    bool some_moved{};  ///< likewise
    JobId last_head{};  ///< blocking_head() when demand was measured last
    std::uint64_t num_head_changes{};
    PoolOrders pool_orders;
    RunShapes shapes;
    Fallbacks fallbacks;
    FailingJobs failing;
    SavedPlaces saved_places;
    Dependents dependents;
    LateJobs late;
    StagedJobs staged;
    MigrationState migrations;

    std::int64_t now_ms{};
    std::int64_t busy_until_ms{}; ///< as in Outcome; kept where the world moves
    std::uint32_t next_arrival{};
    std::uint32_t next_world_event{};
    UnfinishedRecovery unfinished_recovery{};
    bool head_blocks{};         ///< a head that does not fit blocks others, except backfill
    bool head_is_passed{};      ///< by jobs that backfill, if it blocks
    bool pass_stops{};          ///< the pass may stop attempts
    bool is_closing{};          ///< the run ends as soon as no attempt runs
    std::int64_t queue_slots{}; ///< requested by pending jobs
    RunStatus status{RunStatus::ok};

    std::uint64_t num_events{};
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_dropped{};
    std::uint64_t num_preempted{};
    std::uint64_t num_preempted_without_progress{}; ///< no work of the attempt survived
    std::uint64_t num_running_at_end{};
    std::uint64_t num_reservations{};
    std::uint64_t finish_hashes{};

    /// The current shapes (RunShapes::current).
    [[nodiscard]] BURSAR_HD const JobShape* shapes_of(const JobShape* planned) const {
        return shapes.current(planned);
    }

    /// A job begins to wait, for the first time or with this progress.
    BURSAR_HD void waits(const RunPlan& plan, JobId job) {
        if (!plan.moves) [[likely]]
            return;
        if (plan.fallbacks != nullptr)
            fallbacks.waits(job, carried.of(job), now_ms);
        if (plan.drops_late)
            late.waits(job, carried.of(job), now_ms);
    }
    /// An attempt has begun, with this progress of its job.
    BURSAR_HD void
    began(const RunPlan& plan, AttemptId slot, const Progress& progress, std::int64_t work_end_ms) {
        if (plan.saved_in != nullptr) [[unlikely]]
            saved_places.began(plan, JobId{attempts[slot].job});
        if (!plan.moves) [[likely]]
            return;
        if (plan.fallbacks != nullptr)
            fallbacks.began(attempts[slot], slot, progress, work_end_ms);
        if (plan.own_failures != nullptr)
            failing.began(plan, attempts[slot], slot, work_end_ms);
        if (plan.drops_late)
            late.started(JobId{attempts[slot].job});
    }
    /// An attempt is stopped before its work ends; keeps_some: some of its work survives.
    BURSAR_HD void stopped(const RunPlan& plan, AttemptId slot, bool keeps_some) {
        if (plan.saved_in != nullptr && keeps_some) [[unlikely]]
            saved_places.saved(plan, JobId{attempts[slot].job}, PoolId{attempts[slot].pool});
        if (plan.own_failures != nullptr) [[unlikely]]
            failing.stopped(plan, attempts[slot], slot, now_ms);
    }
    BURSAR_HD void waits(const RunPlan& plan, JobId job, const Progress& progress) {
        if (plan.fallbacks != nullptr) [[unlikely]]
            fallbacks.waits(job, progress, now_ms);
        if (plan.saved_in != nullptr) [[unlikely]]
            saved_places.waits(plan, job);
        if (plan.drops_late) [[unlikely]]
            late.waits(job, progress, now_ms);
    }
};

/// Lays out (or, with a measuring carver, measures) a run's mutable state. can_stop: whether
/// attempts can be stopped.
BURSAR_HD inline RunState
carve_run_state(ArenaCarver& carver, const RunPlan& plan, const ArenaSize& size, bool can_stop) {
    RunState state;
    state.attempts = LiveAttempts{carver, size.max_live};
    state.carried = CarriedJobs{carver, plan, can_stop ? size.max_carried(plan.num_jobs) : 0};
    state.ledger = Ledger{carver, plan};
    state.provisional = ProvisionalWork{carver, can_stop ? size.max_provisional : 0};
    state.idle = IdleSplit{carver, plan};
    state.fleet = Fleet{carver, plan};
    state.failing = FailingJobs{carver, plan, size.max_live};
    state.staged = StagedJobs{carver, plan, size.max_live};
    if (plan.migration.is_on) {
        state.migrations.aim = carver.take<StoredPoolId>(size.max_live);
        state.migrations.aimed_slots = carver.take<std::int64_t>(plan.num_pools);
    }
    return state;
}

/// The totals of a finished run that are not by pool, as in Outcome.
struct RunTotals {
    RunStatus status{};
    std::int64_t end_ms{};
    std::int64_t busy_until_ms{};
    std::uint64_t num_events{};
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_dropped{};
    std::uint64_t num_preempted{};
    std::uint64_t num_preempted_without_progress{};
    std::uint64_t num_running_at_end{};
    std::uint64_t num_queued_at_end{};
    std::uint64_t num_reservations{};
    std::uint64_t finish_hashes{};
};

[[nodiscard]] BURSAR_HD inline RunTotals totals_of(const RunState& state,
                                                   std::uint32_t num_queued) {
    return {state.status,
            state.now_ms,
            state.busy_until_ms,
            state.num_events,
            state.num_started,
            state.num_finished,
            state.num_dropped,
            state.num_preempted,
            state.num_preempted_without_progress,
            state.num_running_at_end,
            num_queued,
            state.num_reservations,
            state.finish_hashes};
}

}} // namespace bursar::sim
