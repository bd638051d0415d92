#include "policies/batch/batch_kernels.hpp"

namespace bursar { inline namespace policies {

template <CapacityKind kind, TeamKind team>
BatchKernel batch_kernel_on(const EngineChoice& choice); // batch_kernels.cuh

namespace {

template <TeamKind team>
BatchKernel batch_kernel_of(const EngineChoice& choice) {
    switch (choice.capacity) {
    case CapacityKind::count:
        return batch_kernel_on<CapacityKind::count, team>(choice);
    case CapacityKind::plain_nodes:
        return batch_kernel_on<CapacityKind::plain_nodes, team>(choice);
    case CapacityKind::full_nodes:
        return batch_kernel_on<CapacityKind::full_nodes, team>(choice);
    }
    return {};
}

} // namespace

BatchKernel batch_kernel_for(const EngineChoice& choice, TeamKind team) {
    return team == TeamKind::warp ? batch_kernel_of<TeamKind::warp>(choice)
                                  : batch_kernel_of<TeamKind::lane>(choice);
}

}} // namespace bursar::policies
