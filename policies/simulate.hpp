#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/run.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

inline constexpr std::string_view head_block = "block";
inline constexpr std::string_view head_skip = "skip";
inline constexpr std::string_view capacity_nodes = "nodes";
inline constexpr std::string_view capacity_count = "count";
inline constexpr std::string_view broker_owned_first = "owned-first";

/// The policies of one run, by their names in the catalogue.
struct PolicyChoice {
    std::string queue{"fifo"};
    HeadRule head{HeadRule::block};
    std::string capacity{capacity_nodes};
    std::string placement{"consolidated"}; ///< ignored under `capacity: count`
};

/// How much of a run is kept beside its ledger.
enum class Record : std::uint8_t {
    ledger,  ///< totals only
    jobs,    ///< and a row per job
    timeline ///< and a row per change
};

/// What a run leaves behind.
struct Run {
    Outcome outcome;
    JobRows jobs;                      ///< empty unless recorded
    std::vector<TimelineRow> timeline; ///< empty unless recorded
};

/// False for FIFO with a blocking head, which the plan's own order serves.
bool needs_order(const PolicyChoice& choice);

/// The order in which the chosen queue policy serves the plan's jobs. Empty where
/// needs_order says none is needed.
/// Precondition: the names are in the catalogue (the scenario reader checks them).
JobOrder order_for(const Plan& plan, const PolicyChoice& choice);

/// Runs `plan` once under `choice`; `order` comes from order_for of the same plan and choice.
/// Equal arguments give equal results on every machine. finished_jobs, if not null, is raised as
/// jobs finish (where jobs are recorded), for a progress line on another thread.
Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record record,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs = nullptr);

} // namespace bursar
