#include "policies/engine_instances.hpp"

namespace bursar::inline policies {

BURSAR_ENGINE_INSTANCE(count, RunRecorder);

} // namespace bursar::inline policies
