#pragma once

#include "policies/runs/simulate.hpp"

#include "tests/policies/properties/attempt_log.hpp"

namespace bursar::test {

struct LoggedRun {
    Outcome outcome;
    AttemptLog log;
};

/// One run, with every start and end told.
LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice);

/// Whether run_on_lanes has an engine for runs of a plan under the choice: every one on counts, and
/// on nodes those whose keys do not move (tests/engine_runs/instances.hpp says why those will do).
bool lanes_serve(const Plan& plan, const PolicyChoice& choice);
bool lanes_serve(const PolicyChoice& choice); ///< of plans whose world stands still

/// One run by a device whose warps are lanes on one thread (tests/engine_runs/lane_device.hpp),
/// which records nothing. On nodes it always knows them in full, even where numbers of free GPUs
/// would do. Precondition: lanes_serve(plan, choice).
Outcome run_on_lanes(const Plan& plan, const JobOrder& order, const PolicyChoice& choice);
Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice); ///< in order_for's order

} // namespace bursar::test
