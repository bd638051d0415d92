#include "tests/engine_runs/instances.hpp"

namespace bursar {

BURSAR_ENGINE_INSTANCE(count, test::EmulatedWarp, NullRecorder);

} // namespace bursar
