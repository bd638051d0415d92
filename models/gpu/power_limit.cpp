#include "models/gpu/power_limit.hpp"

#include <cmath>

namespace bursar { inline namespace models {
namespace {

constexpr double exponent = 0.4;

} // namespace

Gpu power_limited(Gpu gpu, Power limit) {
    const double share = limit.count() / tdp(gpu).count();
    if (share >= 1)
        return gpu;
    for (std::size_t i = 0; i < gpu.achievable_fraction.size(); ++i)
        if (gpu.dense_peak_tflops[i])
            gpu.achievable_fraction[i] =
                gpu.achievable_fraction[i].value_or(unmeasured_achievable_fraction) *
                std::pow(share, exponent);
    return gpu;
}

}} // namespace bursar::models
