#pragma once

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// A workload drawn from the published statistics of a cluster: rows in submit order, dated, in
/// whole seconds, unnamed, with tenants, and with end states where the original publishes them.
///
/// The span from the first to the last submission follows from the load:
///   offered GPU time / (gpus x span) = load, to the rounding of the span to a second.
/// A gang that `gpus` cannot hold is drawn again, so small clusters have smaller jobs than the
/// original. Gang sizes, run times, states and tenants depend on (like, seed, job number, what
/// `gpus` holds) alone: the same jobs come closer together under a higher load.
///
/// Equal specs give equal bytes on any machine: integer tables, counter-based draws, and functions
/// made of IEEE 754's exact operations (models/random).
/// Throws ScenarioError for an unknown `like`, a count below 1, a load that is not above 0, or a
/// load so low that the span passes 2^40 ms (34.8 years).
[[nodiscard]] Trace synthesise(const SyntheticSpec& spec);

}} // namespace bursar::scenarios
