#include "policies/engine_instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(plain_nodes, OneLane, NullRecorder);

} // namespace bursar
