#include "policies/engine_instances.hpp"

namespace bursar::inline policies {

BURSAR_ENGINE_INSTANCE(plain_nodes, RunRecorder);

} // namespace bursar::inline policies
