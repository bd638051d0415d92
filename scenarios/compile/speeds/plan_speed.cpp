#include "scenarios/compile/speeds/plan_speed.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/units/largest_remainders.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t num_parts = num_stalls + 1; ///< the last one is work
using Parts = std::array<double, num_parts>;

/// Whole numbers that add up to `sum`: `exact`, rounded by largest remainder.
std::array<std::int64_t, num_parts> by_largest_remainder(const Parts& exact, std::int64_t sum) {
    std::array<std::int64_t, num_parts> whole{};
    Parts remainders{};
    std::int64_t left = sum;
    for (std::size_t part = 0; part < num_parts; ++part) {
        whole[part] = static_cast<std::int64_t>(exact[part]);
        remainders[part] = exact[part] - static_cast<double>(whole[part]);
        left -= whole[part];
    }
    assert(left >= 0 && left <= std::ssize(whole));
    add_by_largest_remainder(static_cast<std::size_t>(left),
                             std::span<const double>{remainders},
                             std::span<std::int64_t>{whole});
    return whole;
}

} // namespace

PlanSpeed plan_speed(double speed, const StallShares& shares, std::int64_t gpus) {
    return plan_speed_on(gpus * slots_per_gpu, speed, shares);
}

PlanSpeed plan_speed_on(std::int64_t slots, double speed, const StallShares& shares) {
    assert(speed > 0.0 && slots >= 0);
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

}} // namespace bursar::scenarios
