#include "models/gpu/speed_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

Precision nearest_precision(const Gpu& gpu, Precision wanted) {
    if (supports(gpu, wanted))
        return wanted;
    if (is_narrow(wanted) && supports(gpu, Precision::fp8))
        return Precision::fp8;
    return wanted == Precision::tf32 ? Precision::fp32 : usual_precision(gpu);
}

namespace {

bool is_product_measured(const Gpu& gpu, Precision precision) {
    return gpu.achievable_fraction[static_cast<std::size_t>(precision)].has_value();
}

/// Whether both multiply alike: one chip with another memory, or two versions of it.
bool is_same_chip(const Gpu& from, const Gpu& to, double dense_peaks) {
    return from.multiprocessors && from.multiprocessors == to.multiprocessors && dense_peaks == 1;
}

} // namespace

SpeedRatio speed_ratio(const Gpu& from, const Gpu& to, Precision precision) {
    const Precision before = nearest_precision(from, precision);
    const Precision after = nearest_precision(to, precision);
    const double dense = dense_peak(to, after) / dense_peak(from, before);
    SpeedRatio out;
    out.by_memory = memory_bandwidth(to) / memory_bandwidth(from);
    out.is_peak_measured = is_product_measured(from, before) && is_product_measured(to, after);
    out.by_peak =
        out.is_peak_measured ? achievable_peak(to, after) / achievable_peak(from, before) : dense;
    const auto [low, high] = std::minmax(out.by_memory, out.by_peak);
    if (low == 1 && high == 1)
        return out;
    const double margin = from.vendor != to.vendor        ? speed_range_margin * speed_range_margin
                          : is_same_chip(from, to, dense) ? same_chip_margin
                                                          : speed_range_margin;
    out.range = {low / margin,
                 std::pow(out.by_memory, memory_share_of_speed) *
                     std::pow(out.by_peak, 1 - memory_share_of_speed),
                 high * margin};
    return out;
}

}} // namespace bursar::models
