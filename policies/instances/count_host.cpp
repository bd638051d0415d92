#include "policies/runs/engine_instances.hpp"

namespace bursar { inline namespace policies {

BURSAR_ENGINE_INSTANCE(count, RunRecorder);

}} // namespace bursar::policies
