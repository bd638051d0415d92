#include "policies/batch/batch_kernels.cuh"

namespace bursar { inline namespace policies {

template BatchKernel batch_kernel_on<CapacityKind::count>(const EngineChoice&);

}} // namespace bursar::policies
