#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/catalog/profiles.hpp"

namespace bursar { inline namespace scenarios {

/// Submit times of `num_jobs` jobs in whole seconds, ascending: the first at 0, a profile's
/// midnight, the last at `span_s`.
///
/// Gaps are exponential with the mean of the state they begin in, burst or calm; the state changes
/// after a job with the probability that makes runs of each state geometric. The jobs are then laid
/// over the span so that each hour of the day gets its share (time change of a Poisson process by
/// the integral of its rate).
///
/// num_jobs: >= 1; a single job is at 0. span_s: >= 0. Equal bytes for equal seeds on any machine.
[[nodiscard]] std::vector<std::int64_t> arrival_times_s(const SyntheticProfile& profile,
                                                        std::size_t num_jobs,
                                                        std::int64_t span_s,
                                                        std::uint64_t seed);

}} // namespace bursar::scenarios
