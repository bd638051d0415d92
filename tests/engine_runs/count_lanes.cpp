#include "tests/engine_runs/instances.hpp"

namespace bursar::test {

std::size_t
arena_bytes_on_counts(const EngineChoice& choice, const PlanView& plan, const BatchRun& run) {
    std::size_t bytes = 0;
    with_engine_types<CapacityKind::count>(
        choice, [&]<class Types>(Types) { bytes = batch_arena_bytes<Types>(plan, run); });
    return bytes;
}

void serve_on_counts(const EngineChoice& choice, const Batch& batch, std::uint32_t seat) {
    with_engine_types<CapacityKind::count>(
        choice, [&]<class Types>(Types) { serve_on_lanes<Types>(batch, seat); });
}

} // namespace bursar::test
