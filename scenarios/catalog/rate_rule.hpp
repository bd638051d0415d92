#pragma once

#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace scenarios {

/// A bandwidth above zero, as the GB/s that catalogues hold.
[[nodiscard]] inline QuantityRule<double> gigabytes_per_second() {
    return {
        byte_rates, Zero::refused, [](Measure m) { return static_cast<double>(m.count) / 1e9; }};
}

}} // namespace bursar::scenarios
