#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings about jobs, as far as problems are known before the run: jobs that never get their
/// nodes, deadlines that cannot be met, and classes that do not save on a notice that is long
/// enough. compiled: with its jobs, its world and its end.
[[nodiscard]] std::vector<std::string> static_checks(const Scenario& scenario,
                                                     const Compiled& compiled);

/// The warning about a run that begins in the middle of its trace, with an empty cluster, and
/// measures from its begin; empty for others.
[[nodiscard]] std::vector<std::string> cold_start(const Scenario& scenario, const Trace& trace);

}} // namespace bursar::scenarios
