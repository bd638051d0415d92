#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// How a pool's capacity was bought; the broker's order follows it.
enum class Purchase : std::uint8_t { owned, reserved, on_demand, spot };

}} // namespace bursar::sim
