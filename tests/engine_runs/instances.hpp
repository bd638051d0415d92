#pragma once

#include "policies/engine_instances.hpp"

#include "tests/policies/properties/attempt_log.hpp"
#include "tests/sim/team/strided_lanes.hpp"

/// The engine's instances for the tests' own recorder and team, each kind in a source of its own.
namespace bursar {

extern BURSAR_ENGINE_INSTANCE(count, OneLane, test::AttemptLog);
extern BURSAR_ENGINE_INSTANCE(count, test::StridedLanes, NullRecorder);
extern BURSAR_ENGINE_INSTANCE(plain_nodes, OneLane, test::AttemptLog);
extern BURSAR_ENGINE_INSTANCE(plain_nodes, test::StridedLanes, NullRecorder);
extern BURSAR_ENGINE_INSTANCE(full_nodes, OneLane, test::AttemptLog);
extern BURSAR_ENGINE_INSTANCE(full_nodes, test::StridedLanes, NullRecorder);

} // namespace bursar
