#include "policies/engine_instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(count, OneLane, NullRecorder);

} // namespace bursar
