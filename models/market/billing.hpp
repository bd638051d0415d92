#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

/// How a seller turns held time into paid time, and a node's price into a GPU's.
namespace bursar { inline namespace models {

/// The longest time and step `billed` takes, so that rounding up cannot overflow: 2^62 ms, 146
/// million years.
inline constexpr Duration max_billable{std::int64_t{1} << 62};

/// Time paid for `used`: the least multiple of `step` that covers it. Also the time paid under a
/// reservation of the term `step`: whole terms, as many as the run needs.
///
/// used: 0 .. max_billable; nothing used, nothing paid. step: 1 ms .. max_billable.
BURSAR_HD constexpr Duration billed(Duration used, Duration step) {
    assert(used >= Duration{0} && used <= max_billable);
    assert(step >= millisecond && step <= max_billable);
    const std::int64_t rest = used.count() % step.count();
    return rest == 0 ? used : used + (step - Duration{rest});
}

/// One GPU's share of a node's price, hourly or once, in nano-dollars; rounded half up.
///
/// node_price: nano-dollars, >= 0. gpus: GPUs in the node, >= 1.
constexpr std::int64_t per_gpu(std::int64_t node_price, std::int64_t gpus) {
    assert(node_price >= 0 && gpus >= 1);
    const std::int64_t whole = node_price / gpus;
    const std::int64_t rest = node_price % gpus;
    return whole + (rest >= gpus - rest ? 1 : 0);
}

/// Amount owed over `span` under a commitment of `nano_usd` per `period`: pro rata, rounded half up
/// to a nano-dollar. nano_usd: >= 0, at most 2^60; period: > 0; span:
/// >= 0, at most 2^41 ms.
[[nodiscard]] constexpr Money committed(std::int64_t nano_usd, Duration period, Duration span) {
    assert(nano_usd >= 0 && period > Duration{0} && span >= Duration{0});
    const int128 owed =
        (int128{nano_usd} * span.count() * 2 + period.count()) / (2 * int128{period.count()});
    return Money{owed * slot_ms_per_gpu_hour};
}

/// The unused part of a commitment: how far `spent` stays below `owed`.
[[nodiscard]] constexpr Money shortfall(Money owed, Money spent) {
    return std::max(owed - spent, Money{});
}

}} // namespace bursar::models
