#include "policies/engine_instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(full_nodes, OneLane, NullRecorder);

} // namespace bursar
