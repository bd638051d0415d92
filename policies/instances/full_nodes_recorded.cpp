#include "policies/engine_instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(full_nodes, OneLane, TimelineRecorder);

} // namespace bursar
