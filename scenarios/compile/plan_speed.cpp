#include "scenarios/compile/plan_speed.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace bursar {
namespace {

constexpr std::size_t num_parts = num_stalls + 1; ///< the last one is work
using Parts = std::array<double, num_parts>;

/// Whole numbers that add up to `sum`, as `exact` does but for rounding.
std::array<std::int64_t, num_parts> by_largest_remainder(const Parts& exact, std::int64_t sum) {
    std::array<std::int64_t, num_parts> whole{};
    std::array<std::size_t, num_parts> order{};
    for (std::size_t part = 0; part < num_parts; ++part) {
        whole[part] = static_cast<std::int64_t>(exact[part]);
        order[part] = part;
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t part) {
        return exact[part] - static_cast<double>(whole[part]);
    });
    std::int64_t left = sum - std::accumulate(whole.begin(), whole.end(), std::int64_t{0});
    assert(left >= 0 && left <= std::ssize(order));
    for (const std::size_t part : order) {
        if (left-- > 0)
            ++whole[part];
    }
    return whole;
}

} // namespace

PlanSpeed plan_speed(double speed, const StallShares& shares, std::int64_t gpus) {
    assert(speed > 0.0 && gpus >= 0);
    const std::int64_t slots = gpus * slots_per_gpu;
    Parts exact{};
    double working = static_cast<double>(slots);
    for (std::size_t stall = 0; stall < num_stalls; ++stall) {
        assert(shares[stall] >= 0.0);
        exact[stall] = std::min(shares[stall] * static_cast<double>(slots), working);
        working -= exact[stall];
    }
    exact[num_stalls] = working;

    PlanSpeed out;
    out.speed = std::max<std::int64_t>(1, std::llround(speed * reference_speed));
    std::copy_n(by_largest_remainder(exact, slots).begin(), num_stalls, out.stalled_slots);
    return out;
}

} // namespace bursar
