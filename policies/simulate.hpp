#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/run.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/place_clock.hpp"

#include "policies/option.hpp"

namespace bursar {

inline constexpr std::string_view head_block = "block";
inline constexpr std::string_view head_skip = "skip";
inline constexpr std::string_view capacity_nodes = "nodes";
inline constexpr std::string_view capacity_count = "count";
inline constexpr std::string_view backfill_none = "none";
inline constexpr std::string_view estimates_exact = "exact";
inline constexpr std::string_view preemption_none = "none";
inline constexpr std::string_view preemption_order = "order";
inline constexpr std::string_view broker_owned_first = "owned-first";
inline constexpr std::string_view broker_any = "any";

constexpr std::string_view name_of(HeadRule head) {
    return head == HeadRule::skip ? head_skip : head_block;
}

/// What a job that asks for a part of a GPU gets.
enum class Sharing : std::uint8_t {
    slots,    ///< that part; several jobs share a GPU
    exclusive ///< all of it
};

/// The policies of one run, by their names in the catalogue, with their options.
struct PolicyChoice {
    std::string queue{"fifo"};
    HeadRule head{HeadRule::block};
    std::string capacity{capacity_nodes};
    std::string placement{"consolidated"}; ///< ignored under `capacity: count`
    std::string backfill{backfill_none};
    std::string preemption{}; ///< empty: what the queue's order does by default
    std::string broker{broker_owned_first};
    Duration quantum{}; ///< jobs start (and stop) only at multiples of this; 0: at any event
    Sharing sharing{Sharing::slots};        ///< what plans are compiled with
    std::string estimates{estimates_exact}; ///< of run times; plans are compiled with them
    std::uint64_t seed{1};                  ///< of the run: for whatever draws at random
    PolicyOptions queue_options{};
    PolicyOptions placement_options{};
    PolicyOptions backfill_options{};
    PolicyOptions preemption_options{};
    PolicyOptions broker_options{};
    PolicyOptions estimates_options{};

    bool operator==(const PolicyChoice&) const = default;
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

/// What holds while a job does not fit whose turn it is: what the choice names, but for preemption
/// by order and by quantum, which hand GPUs out to whom they fit.
HeadRule head_of(const PolicyChoice& choice);

/// How the choice preempts: what it names, or what the queue's order does by default.
std::string_view preemption_of(const PolicyChoice& choice);

/// Whether jobs are served by turns: fifo under preemption by quantum.
bool takes_turns(const PolicyChoice& choice);

/// False for FIFO with a blocking head, no backfill, no preemption and no rounds, which the plan's
/// own order serves.
bool needs_order(const PolicyChoice& choice);

/// Which pending jobs of a run under this choice may be waiting for a place and not for GPUs.
PlaceWatch place_watch(const PolicyChoice& choice);

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
