#pragma once

#include "policies/engine_instances.hpp"

#include "tests/sim/team/emulated_warp.hpp"

/// The engine's instances for the lanes of a warp on the host. What lanes share is in passes and
/// queues; capacities know of no team. So every rule runs on counts, and every pass on nodes, in
/// full where it can, under fixed keys.
namespace bursar {

extern BURSAR_ENGINE_INSTANCE(count, test::EmulatedWarp, NullRecorder);

namespace test {

/// Precondition: choice.rule is FixedOrder.
Outcome run_lanes_on_nodes(const Plan& plan,
                           const JobOrder& order,
                           const EngineChoice& choice,
                           Workspace& workspace,
                           const std::function<NullRecorder&()>& make_recorder);

} // namespace test
} // namespace bursar
