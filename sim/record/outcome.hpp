#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/units/units.hpp"

#include "sim/ledger/held_time.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/record/place_wait.hpp"

namespace bursar { inline namespace sim {

/// Whether a run was done, or why it stopped before.
enum class RunStatus : std::uint8_t {
    ok,
    arena_full, ///< too many running attempts for the arena: the driver reruns with a larger one
    horizon_exceeded,     ///< an event past 2^40 ms (34.8 years)
    too_many_preemptions, ///< more than max_preemptions
};

/// Every preempted attempt takes 40 bytes: 2 GB in all.
inline constexpr std::uint64_t max_preemptions = 50'000'000;

/// Totals of the nodes of one pool, where they come and go.
struct PoolNodesUsed {
    Duration paid{};                     ///< of all nodes, minimum and steps included, over the run
    std::uint32_t least_launched{};      ///< at once
    std::uint32_t most_launched{};       ///< at once
    std::uint64_t num_launches{};        ///< since the run began
    std::uint64_t num_reclaimed{};       ///< taken back by the provider
    std::uint64_t num_failures{};        ///< of nodes in service, and of spares
    std::uint64_t num_failed_launches{}; ///< of nodes that did not come up
};

/// The answer of one run: exact integers only.
struct Outcome {
    RunStatus status{RunStatus::ok};
    Duration end{}; ///< `until`, or the last finish
    /// Until then attempts held GPUs, or a job was to arrive or to be dropped; `end` in a static
    /// world.
    Duration busy_until{};
    Duration window_begin{}; ///< the ledger covers [window_begin, window_end)
    Duration window_end{};

    /// Slot-milliseconds by pool, tenant and leaf. Tenant index `num_tenants` holds what belongs to
    /// no tenant (unavailable and idle time).
    std::uint32_t num_pools{};
    std::uint32_t num_tenants{};
    std::vector<SlotTime> cells; ///< [(pool * (num_tenants + 1) + tenant) * num_leaves + leaf]
    /// Cost of each cell; empty if the price of every pool is constant (then rate x time).
    std::vector<Money> money;
    /// Time of each cell weighted by the intensity of the pool's grid; zero in pools whose grid is
    /// constant, empty if all are.
    std::vector<GridTime> grid;

    std::vector<PoolNodesUsed> nodes; ///< by pool; empty in a static world

    std::uint64_t events{}; ///< arrivals and heap events processed
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_dropped{};   ///< waiting jobs that had to miss their deadline
    std::uint64_t num_preempted{}; ///< attempts stopped before their work ended
    std::uint64_t num_preempted_without_progress{}; ///< of these: no work of theirs was kept
    std::uint64_t num_running_at_end{};
    std::uint64_t num_queued_at_end{};
    std::uint64_t num_reservations{}; ///< reservations of waiting jobs (backfill)
    std::uint64_t fingerprint{};      ///< equal runs have equal fingerprints

    [[nodiscard]] std::size_t index(std::size_t pool, std::size_t tenant, Leaf leaf) const {
        return (pool * (num_tenants + 1) + tenant) * num_leaves + static_cast<std::size_t>(leaf);
    }
    [[nodiscard]] SlotTime cell(std::size_t pool, std::size_t tenant, Leaf leaf) const {
        return cells[index(pool, tenant, leaf)];
    }
};

/// How far a job got by the end of the run.
enum class JobPhase : std::uint8_t {
    queued, ///< waits for GPUs, and never started
    running,
    finished,
    not_submitted,
    preempted, ///< started, stopped, and waiting again
    dependent, ///< waits for other jobs to end
    dropped    ///< left the queue, as it had to miss its deadline; it may have started
};

/// An attempt that was stopped before its work ended.
struct StoppedAttempt {
    std::int64_t start_ms{};
    std::int64_t stop_ms{}; ///< when its GPUs were released
    std::int64_t kept_ms{}; ///< time at work that was kept
    std::int64_t lost_ms{}; ///< time at work that must be done again
    std::uint32_t job{};
    std::uint16_t pool{};
    std::uint8_t level{}; ///< locality level of its nodes
    StopCause cause{StopCause::preempted};
    /// What it left of its recovery, for the next attempt to do (UnfinishedRecovery::owed).
    std::int64_t owed_ms{};

    friend bool operator==(const StoppedAttempt&, const StoppedAttempt&) = default;
};

/// An image and data that a waiting job staged ahead of its start (PlanStaging).
struct StagedAhead {
    std::uint32_t job{};
    bool is_used{}; ///< its job started there, and did not wait for `staged_ms`; false: for nothing
    std::int64_t staged_ms{}; ///< time that staging took
    /// After that, until its job started, it was of no use any more, or the run ended.
    std::int64_t kept_ms{};

    friend bool operator==(const StagedAhead&, const StagedAhead&) = default;
};

/// Time at each length of the queue, inside the plan's measurement window.
struct QueueTimes {
    std::vector<std::int64_t> ms_at_length; ///< [jobs in the queue]
    int128 gpu_ms{};                        ///< requested GPUs, summed over time
    std::uint64_t max_gpus{};               ///< most GPUs requested at once

    friend bool operator==(const QueueTimes&, const QueueTimes&) = default;
};

/// One row per job, in plan order (structure of arrays), and totals over jobs.
struct JobRows {
    std::vector<JobPhase> phase;
    std::vector<std::uint16_t> pool;    ///< of the last attempt; valid once started
    std::vector<std::uint8_t> level;    ///< likewise; empty where the plan has one level
    std::vector<std::int64_t> start_ms; ///< first start; valid once started
    /// When its GPUs were released; valid once finished. Of a dropped job: when it was dropped.
    std::vector<std::int64_t> finish_ms;
    /// Start of the last attempt where it is not the first, else -1; empty where nothing was
    /// preempted.
    std::vector<std::int64_t> last_start_ms;
    /// Since when a job waits for GPUs; never_eligible: it waits for others. Empty where no job
    /// waits for others: since its submit.
    std::vector<std::int64_t> eligible_ms;
    static constexpr std::int64_t never_eligible = -1;
    std::vector<StoppedAttempt> stopped; ///< every stopped attempt, by stop_ms
    /// Forms of the last attempt, by job, and of each of `stopped`; both empty where all jobs run
    /// as they ask to: alone, on as many GPUs.
    std::vector<PlanForm> form{};
    std::vector<PlanForm> stopped_form{};
    std::vector<StagedAhead> staged{}; ///< as it ended; empty where nothing was staged ahead
    QueueTimes queue;
    std::optional<PlaceWait> place_wait{}; ///< absent: not watched, as capacity was counted
    /// Time in the queue, of all its waits, by job; empty where reasons were not kept.
    std::vector<WaitTimes> waits{};

    /// Since when a job waits for GPUs, or never_eligible.
    [[nodiscard]] std::int64_t eligible(const Plan& plan, std::size_t job) const {
        return eligible_ms.empty() ? plan.submit_ms[job] : eligible_ms[job];
    }
    /// By job, the part of its start-up that it did not wait for; empty where nothing was staged.
    [[nodiscard]] std::vector<std::int64_t> saved_startup_ms() const {
        std::vector<std::int64_t> saved(staged.empty() ? 0 : phase.size());
        for (const StagedAhead& one : staged)
            saved[one.job] = one.is_used ? one.staged_ms : saved[one.job];
        return saved;
    }
    /// The form of the last attempt of a job.
    [[nodiscard]] PlanForm last_form(const Plan& plan, std::size_t job) const {
        return form.empty() ? PlanForm{plan.shape[job], plan.job_class[job]} : form[job];
    }
    /// The form of stopped[at].
    [[nodiscard]] PlanForm form_of_stopped(const Plan& plan, std::size_t at) const {
        const std::uint32_t job = stopped[at].job;
        return form.empty() ? PlanForm{plan.shape[job], plan.job_class[job]} : stopped_form[at];
    }
    /// Start of the last attempt of a job that has started.
    [[nodiscard]] std::int64_t last_start(std::size_t job) const {
        return last_start_ms.empty() ? start_ms[job] : std::max(start_ms[job], last_start_ms[job]);
    }

    friend bool operator==(const JobRows&, const JobRows&) = default;
};

/// Nodes of a pool that are paid for from their launch to their end, minimum and steps included.
struct PaidNodes {
    std::uint32_t pool{};
    std::int64_t nodes{}; ///< >= 1
    std::int64_t begin_ms{};
    std::int64_t end_ms{};

    friend bool operator==(const PaidNodes&, const PaidNodes&) = default;
};

/// The state of one pool, and of the queue, after an instant at which one of them changed.
struct TimelineRow {
    std::int64_t time_ms{};
    std::uint32_t pool{};
    std::int64_t allocated_slots{};
    std::uint32_t queue_jobs{}; ///< over all pools
    std::int64_t queue_slots{}; ///< requested by them
    std::int64_t down_slots{};  ///< paid for, but not usable
    std::int64_t off_slots{};   ///< of nodes that are not there
};

/// Whether a run could change if its world, drawn until `drawn_to`, were drawn further: it ended
/// later, or jobs still waited when no more events came. closes: the run ends even if jobs wait.
[[nodiscard]] inline bool
needs_more_world(const Outcome& outcome, Duration drawn_to, bool closes = false) {
    return outcome.end >= drawn_to || (outcome.num_queued_at_end > 0 && !closes) ||
           outcome.status == RunStatus::horizon_exceeded;
}

/// Whether jobs of a run without `until`, whose world was drawn as far as it may matter, could
/// never start: they waited while events of the world went on, which billed capacity that no job
/// could use.
[[nodiscard]] inline bool waits_for_good(const Outcome& outcome) {
    return outcome.status == RunStatus::ok && outcome.num_queued_at_end > 0 &&
           outcome.busy_until < outcome.end;
}

}} // namespace bursar::sim
