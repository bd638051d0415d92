#include "policies/batch/batch_kernels.hpp"

namespace bursar { inline namespace policies {

template <CapacityKind kind>
BatchKernel batch_kernel_on(const EngineChoice& choice); // batch_kernels.cuh

BatchKernel batch_kernel_for(const EngineChoice& choice) {
    switch (choice.capacity) {
    case CapacityKind::count:
        return batch_kernel_on<CapacityKind::count>(choice);
    case CapacityKind::plain_nodes:
        return batch_kernel_on<CapacityKind::plain_nodes>(choice);
    case CapacityKind::full_nodes:
        return batch_kernel_on<CapacityKind::full_nodes>(choice);
    }
    return {};
}

}} // namespace bursar::policies
