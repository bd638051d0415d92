#include "policies/engine_instances.hpp"

namespace bursar::inline policies {

BURSAR_ENGINE_INSTANCE(plain_nodes, OneLane, RunRecorder);

} // namespace bursar::inline policies
