#include "policies/run_on_warp.cuh"

namespace bursar::inline policies {

template const void* warp_kernel_on<CapacityKind::count>(const EngineChoice&);

} // namespace bursar::inline policies
