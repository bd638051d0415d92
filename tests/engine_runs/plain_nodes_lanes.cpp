#include "tests/engine_runs/instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(plain_nodes, test::StridedLanes, NullRecorder);

} // namespace bursar
