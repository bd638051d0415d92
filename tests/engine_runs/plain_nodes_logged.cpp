#include "tests/engine_runs/instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(plain_nodes, OneLane, test::AttemptLog);

} // namespace bursar
