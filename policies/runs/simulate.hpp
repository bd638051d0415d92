#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/workspace.hpp"
#include "sim/ledger/bucket_ledger.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/gang_places.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/run_watcher.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// How much of a run is kept besides its ledger; simulate_ledger keeps the ledger alone.
enum class Record : std::uint8_t {
    jobs,    ///< a row per job
    timeline ///< also a row per change, and the nodes of each gang
};

/// The work of a run's allocator.
struct AllocatorWork {
    std::chrono::nanoseconds time{}; ///< in its decisions
    std::string remark;              ///< Allocator::remark
};

/// The record of a run.
struct Run {
    Outcome outcome;
    JobRows jobs;
    std::vector<TimelineRow> timeline; ///< empty unless wanted
    GangPlaces places;                 ///< kept with the timeline; empty if capacity is counted
    std::vector<PaidNodes> paid;       ///< of every pool; empty in a static world
    DividedLedger by_time;             ///< the ledger; empty unless wanted
    AllocatorWork allocator{};         ///< nothing without one
};

/// The plan's jobs in the order of the chosen queue policy. Empty where that is the plan's own
/// order (PassKind::arrivals). Precondition: the names are in the catalogue (the scenario reader
/// checks them).
JobOrder order_for(const Plan& plan, const PolicyChoice& choice);

/// Runs `plan` once under `choice`; `order` comes from order_for of the same plan and choice.
/// Equal arguments give equal results on every machine. finished_jobs, if not null, is raised as
/// jobs finish, for a progress line on another thread. buckets: width of the ledger's buckets of
/// time, if wanted.
Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record record,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs = nullptr,
             const std::optional<BucketWidth>& buckets = {});

/// The same run with Record::jobs; `watcher` receives its events while it runs.
Run simulate_watched(const Plan& plan,
                     const JobOrder& order,
                     const PolicyChoice& choice,
                     Workspace& workspace,
                     RunWatcher& watcher);

/// The same run, keeping only totals, for benchmarks and many runs.
Outcome simulate_ledger(const Plan& plan,
                        const JobOrder& order,
                        const PolicyChoice& choice,
                        Workspace& workspace);

/// The most rounds that a run may process: over a minute of computing.
inline constexpr std::int64_t max_rounds = 1'000'000'000;

/// Why a run might need more rounds than that, as a sentence; absent: it cannot. Rounds in which
/// nothing changes are skipped, except where jobs take turns at every round or a preemption may pay
/// at a later one.
[[nodiscard]] std::optional<std::string> round_limit(const Plan& plan, const PolicyChoice& choice);

}} // namespace bursar::policies
