#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// What is owed over `span` by who has promised to spend `nano_usd` in every `period`: its share of
/// the period, rounded half up to a nano-dollar. nano_usd: >= 0, at most 2^60; period: > 0; span:
/// >= 0, at most 2^41 ms.
[[nodiscard]] constexpr Money committed(std::int64_t nano_usd, Duration period, Duration span) {
    assert(nano_usd >= 0 && period > Duration{0} && span >= Duration{0});
    const int128 owed =
        (int128{nano_usd} * span.count() * 2 + period.count()) / (2 * int128{period.count()});
    return Money{owed * slot_ms_per_gpu_hour};
}

/// What is paid for nothing: how far `spent` stays below what is owed.
[[nodiscard]] constexpr Money shortfall(Money owed, Money spent) {
    return std::max(owed - spent, Money{});
}

}} // namespace bursar::models
