#pragma once

#include <cstdint>
#include <vector>

namespace bursar { inline namespace policies {

/// From when on a broker tries the pools of a plan in an order.
struct PoolOrderChange {
    std::int64_t time_ms{};           ///< since the zero
    std::vector<std::uint16_t> pools; ///< all of them, each once
};

/// What a broker makes of a plan's pools, by time; the first at 0, and each unlike the one before.
using PoolOrderChanges = std::vector<PoolOrderChange>;

}} // namespace bursar::policies
