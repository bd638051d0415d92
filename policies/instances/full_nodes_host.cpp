#include "policies/engine_instances.hpp"

namespace bursar::inline policies {

BURSAR_ENGINE_INSTANCE(full_nodes, RunRecorder);

} // namespace bursar::inline policies
