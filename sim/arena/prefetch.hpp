#pragma once

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// On the host, starts to load `address` into the cache. Any address is valid.
BURSAR_HD inline void prefetch([[maybe_unused]] const void* address) {
#ifndef __CUDA_ARCH__
    __builtin_prefetch(address);
#endif
}

}} // namespace bursar::sim
