#include "tests/engine_runs/instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(count, OneLane, test::AttemptLog);

} // namespace bursar
