#pragma once

#include "policies/simulate.hpp"

#include "tests/policies/properties/attempt_log.hpp"

namespace bursar::test {

struct LoggedRun {
    Outcome outcome;
    AttemptLog log;
};

/// One run by one lane, with every start and end told. Compiled once, in tests/engine_runs,
/// because it needs instances of every engine.
LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice);

/// One run by the lanes of a warp, one after the other (tests/sim/team/strided_lanes.hpp).
Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice);

} // namespace bursar::test
