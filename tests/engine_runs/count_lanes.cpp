#include "tests/engine_runs/instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(count, test::StridedLanes, NullRecorder);

} // namespace bursar
