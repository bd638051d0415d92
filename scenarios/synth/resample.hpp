#pragma once

#include <cstdint>

#include "models/units/units.hpp"

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Fewer blocks say little of how blocks differ.
inline constexpr std::uint64_t least_blocks = 5;

/// A trace of as many blocks, which are drawn from those of `trace` with replacement: a
/// block bootstrap. Block b holds the rows submitted in [b L, (b + 1) L), where L is
/// options.resample, > 0, counted from the trace's zero. If the trace ends within the last one, it
/// goes on with the rows of the first one, and the result ends when the trace does. A row keeps its
/// place in its block, and all else. Rows are in the order of their blocks, then as before.
///
/// Block k of the result is drawn per (seed, k). Throws ScenarioError for fewer than least_blocks
/// blocks, and where they are too short for the trace.
///
/// Source: Carlstein 1986, "The use of subseries values for estimating the variance of a general
/// statistic from a stationary sequence", Annals of Statistics 14(3).
[[nodiscard]] Trace resampled(const Trace& trace, const TraceOptions& options, std::uint64_t seed);

}} // namespace bursar::scenarios
