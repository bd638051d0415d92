#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/units.hpp"

/// How a seller turns held time into paid time, and a node's price into a GPU's.
namespace bursar {

/// A price for a whole node: nano-dollars per node-hour, as clouds quote it.
using NodeRate = Quantity<struct NanoUsdPerNodeHourTag, std::int64_t>;

/// The longest time and step `billed` takes, so that rounding up cannot overflow: 2^62 ms, 146
/// million years.
inline constexpr Duration max_billable{std::int64_t{1} << 62};

/// Time paid for `used`: the least multiple of `step` that covers it. Also the time paid under a
/// reservation, where `step` is its term and the whole term is paid, as often as the run needs it.
///
/// used: 0 .. max_billable; nothing used, nothing paid. step: 1 ms .. max_billable.
BURSAR_HD constexpr Duration billed(Duration used, Duration step) {
    assert(used >= Duration{0} && used <= max_billable);
    assert(step >= millisecond && step <= max_billable);
    const std::int64_t rest = used.count() % step.count();
    return rest == 0 ? used : used + (step - Duration{rest});
}

/// One GPU's share of a node's price, rounded half up to a nano-dollar per GPU-hour.
///
/// rate: >= 0. gpus: GPUs in the node, >= 1.
BURSAR_HD constexpr MoneyRate per_gpu(NodeRate rate, std::int64_t gpus) {
    assert(rate >= NodeRate{0} && gpus >= 1);
    const std::int64_t whole = rate.count() / gpus;
    const std::int64_t rest = rate.count() % gpus;
    return MoneyRate{whole + (rest >= gpus - rest ? 1 : 0)};
}

} // namespace bursar
