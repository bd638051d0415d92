#pragma once

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Begins to bring what stands at `address` near, where a thread would wait for it later: on the
/// host. Any address will do.
BURSAR_HD inline void prefetch([[maybe_unused]] const void* address) {
#ifndef __CUDA_ARCH__
    __builtin_prefetch(address);
#endif
}

}} // namespace bursar::sim
