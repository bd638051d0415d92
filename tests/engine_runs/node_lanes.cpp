#include "tests/engine_runs/instances.hpp"

namespace bursar::test {
namespace {

template <class Use>
void with_node_types(PassKind pass, const Use& use) {
    constexpr CapacityKind plain = CapacityKind::plain_nodes;
    if (pass == PassKind::arrivals) // these two run on plain nodes alone
        with_capacity_types<plain, Always<PlainPass>::template On, ArrivalCursor>(use);
    else if (pass == PassKind::easy)
        with_capacity_types<plain, EasyPassOn, LengthQueue>(use);
    else
        with_fixed_types<CapacityKind::full_nodes>(pass, use);
}

} // namespace

std::size_t
arena_bytes_on_nodes(const EngineChoice& choice, const PlanView& plan, const BatchRun& run) {
    std::size_t bytes = 0;
    with_node_types(choice.pass,
                    [&]<class Types>(Types) { bytes = batch_arena_bytes<Types>(plan, run); });
    return bytes;
}

void serve_on_nodes(const EngineChoice& choice, const Batch& batch, std::uint32_t seat) {
    with_node_types(choice.pass, [&]<class Types>(Types) { serve_on_lanes<Types>(batch, seat); });
}

} // namespace bursar::test
