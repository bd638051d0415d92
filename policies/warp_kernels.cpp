#include "policies/warp_kernels.hpp"

#include "policies/engine_choice.hpp"

namespace bursar::inline policies {

template <CapacityKind kind>
const void* warp_kernel_on(const EngineChoice& choice); // run_on_warp.cuh

const void* warp_kernel_for(const EngineChoice& choice) {
    switch (choice.capacity) {
    case CapacityKind::count:
        return warp_kernel_on<CapacityKind::count>(choice);
    case CapacityKind::plain_nodes:
        return warp_kernel_on<CapacityKind::plain_nodes>(choice);
    case CapacityKind::full_nodes:
        return warp_kernel_on<CapacityKind::full_nodes>(choice);
    }
    return nullptr;
}

} // namespace bursar::inline policies
