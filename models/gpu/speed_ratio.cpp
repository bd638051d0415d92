#include "models/gpu/speed_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

Precision nearest_precision(const Gpu& gpu, Precision wanted) {
    if (supports(gpu, wanted))
        return wanted;
    return wanted == Precision::tf32 ? Precision::fp32 : usual_precision(gpu);
}

SpeedRatio speed_ratio(const Gpu& from, const Gpu& to, Precision precision) {
    const auto peak = [precision](const Gpu& gpu) {
        return dense_peak(gpu, nearest_precision(gpu, precision));
    };
    SpeedRatio out;
    out.by_memory = memory_bandwidth(to) / memory_bandwidth(from);
    out.by_peak = peak(to) / peak(from);
    const auto [low, high] = std::minmax(out.by_memory, out.by_peak);
    if (low == 1 && high == 1)
        return out;
    out.range = {low / speed_range_margin,
                 std::pow(out.by_memory, memory_share_of_speed) *
                     std::pow(out.by_peak, 1 - memory_share_of_speed),
                 high * speed_range_margin};
    return out;
}

}} // namespace bursar::models
