#pragma once

#include <vector>

#include "policies/runs/simulate.hpp"

#include "tests/policies/properties/attempt_log.hpp"

namespace bursar::test {

struct LoggedRun {
    Outcome outcome;
    AttemptLog log;
    std::vector<StagedAhead> staged{};
};

/// A run with a log of its events.
LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice);

/// Whether run_on_lanes has an engine for runs of a plan under the choice: on counts for every
/// choice, on nodes for keys that do not move (tests/engine_runs/instances.hpp has the reason).
bool lanes_serve(const Plan& plan, const PolicyChoice& choice);
bool lanes_serve(const PolicyChoice& choice); ///< for static worlds

/// A run on a device whose warps are lanes on one thread (tests/engine_runs/lane_device.hpp),
/// without records. On nodes it always uses nodes in full, even if numbers of free GPUs would do.
/// Precondition: lanes_serve(plan, choice).
Outcome run_on_lanes(const Plan& plan, const JobOrder& order, const PolicyChoice& choice);
Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice); ///< in order_for's order

} // namespace bursar::test
