#pragma once

#include "models/reliability/checkpoint_interval.hpp"
#include "models/units/physics.hpp"

/// Costs of an announced interruption, and of one that an elastic job survives (FORMULAS 6.3).
namespace bursar { inline namespace models {

/// How often jobs are interrupted (FORMULAS 6.4).

/// Failures of a job = per_job + nodes · per_node: failures by users, schedulers and lemon nodes do
/// not depend on a job's size; those of machines grow with it.
struct FailureRates {
    double per_job_day{};  ///< >= 0
    double per_node_day{}; ///< >= 0
};

/// Mean time between failures of a job: 1 day / (per_job + nodes · per_node + preemptions).
///
/// nodes: > 0. preemptions_per_day: of the whole job, >= 0. Throws ModelError for values out of
/// range and when nothing ever fails.
[[nodiscard]] Seconds
mean_time_between_failures(const FailureRates& rates, double nodes, double preemptions_per_day = 0);

/// An interruption announced in advance, as of spot capacity.
struct NoticedInterruption {
    bool saved{};      ///< the notice is long enough for a last checkpoint
    Seconds lost_work; ///< expected; 0 when saved
    Seconds cost;      ///< expected time without progress: dump or lost work, and restart
};

/// notice >= δ + ℓ: the job saves and loses nothing, the cost is δ + R. A shorter notice, or a job
/// that cannot be signalled (notice 0), loses work uniform on [0, τ + δ), so (τ + δ) / 2, after
/// which the cost is that and R; with a background write ℓ more is lost.
///
/// interval: as in expected_shares. notice: >= 0. Throws ModelError for values out of range.
[[nodiscard]] NoticedInterruption
noticed_interruption(const CheckpointedRun& run, Seconds interval, Seconds notice);

/// An elastic job that can wait during an outage, or continue on fewer nodes.
struct Outage {
    Seconds until_replaced; ///< until the lost nodes are back, >= 0
    Seconds restart;        ///< of a job that waited for them, >= 0
    Seconds reshard;        ///< to continue with d' < d replicas, and again to return to d; >= 0
    Seconds full_step;      ///< step time with d replicas, > 0
    Seconds reduced_step;   ///< step time with d' replicas on the same global batch, >= full_step
};

/// Full-speed time lost to an outage, by strategy.
struct OutageCost {
    Seconds waiting;    ///< until_replaced + restart
    Seconds continuing; ///< two reshards, and the slower steps between them
};

/// continuing = 2 · reshard + max(0, until_replaced - reshard) · (1 - full_step / reduced_step).
/// Throws ModelError for values out of range.
[[nodiscard]] OutageCost outage_cost(const Outage& outage);

}} // namespace bursar::models
