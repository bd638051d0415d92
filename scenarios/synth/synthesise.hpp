#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Submit times of `num_jobs` jobs in whole seconds, ascending. The first is 0, midnight of the
/// profile's day; the last is `span_s`.
///
/// Gaps are exponential with the mean of the state they begin in, burst or calm. The state changes
/// after a job with the probability that gives runs of each state a geometric length. The jobs are
/// then spread over the span so that each hour of the day gets its share (time change of a Poisson
/// process by the integral of its rate).
///
/// num_jobs: >= 1; a single job is at 0. span_s: >= 0. Equal bytes for equal seeds on any machine.
[[nodiscard]] std::vector<std::int64_t> arrival_times_s(const SyntheticProfile& profile,
                                                        std::size_t num_jobs,
                                                        std::int64_t span_s,
                                                        std::uint64_t seed);

/// A workload drawn from the published statistics of a cluster: rows in submit order, dated, in
/// whole seconds, unnamed, with tenants, and with end states if the original publishes them.
///
/// The span from the first to the last submission follows from the load:
///   offered GPU time / (gpus x span) = load, to the rounding of the span to a second.
/// A gang larger than `gpus` is drawn again, so small clusters have smaller jobs than the original.
/// Gang sizes, run times, states and tenants depend on (like, seed, job number, largest gang in
/// `gpus`) alone: a higher load only brings the same jobs closer together.
///
/// Equal specs give equal bytes on any machine: integer tables, counter-based draws, and functions
/// made of IEEE 754's exact operations (models/random).
/// Throws ScenarioError for an unknown `like`, a count below 1, a load that is not above 0, or a
/// load so low that the span passes 2^40 ms (34.8 years).
[[nodiscard]] Trace synthesise(const SyntheticSpec& spec);

}} // namespace bursar::scenarios
