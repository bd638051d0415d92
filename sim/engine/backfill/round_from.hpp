#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// The first round at an instant or after it: rounds are the multiples of a quantum, and all
/// instants where the quantum is 0.
[[nodiscard]] BURSAR_HD constexpr std::int64_t round_from(std::int64_t at_ms,
                                                          std::int64_t quantum_ms) {
    return quantum_ms == 0 ? at_ms : (at_ms + quantum_ms - 1) / quantum_ms * quantum_ms;
}

}} // namespace bursar::sim
