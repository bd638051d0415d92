#pragma once

#include "models/units/units.hpp"

namespace bursar {

/// Time that is paid for `used`: the least multiple of `step` that covers it.
constexpr Duration billed(Duration used, Duration step) {
    return Duration{(used.count() + step.count() - 1) / step.count() * step.count()};
}

} // namespace bursar
