#pragma once

#include <cstdint>
#include <limits>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

namespace bursar { inline namespace policies {

/// The inequality of preemption by value, in whole numbers (policies/preemption/by_value.hpp).
struct ValueTrade {
    /// A victim's term of the sum, times T(p), in nano-dollars; saturates above the value of any
    /// job. left_ms: R(i) >= 1. loss_ms: C(i) >= 0. needed_ms: T(p) >= 1.
    [[nodiscard]] BURSAR_HD static std::int64_t toll(std::int64_t value_nano_usd,
                                                     std::int64_t left_ms,
                                                     std::int64_t loss_ms,
                                                     std::int64_t needed_ms) {
        constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
        const int128 numerator = int128{value_nano_usd} * (needed_ms + loss_ms);
        const int128 toll = (numerator + left_ms - 1) / left_ms;
        return toll < max ? static_cast<std::int64_t>(toll) : max;
    }

    /// Whether stopping attempts of this total toll delivers more value; value: v(p).
    [[nodiscard]] BURSAR_HD static bool pays(std::int64_t value_nano_usd, int128 tolls) {
        return value_nano_usd > tolls;
    }
};

}} // namespace bursar::policies
