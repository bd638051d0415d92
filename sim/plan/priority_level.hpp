#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// How urgent a job is among those of its plan, in the upper bits of a key that goes by priority
/// first: 0 for the highest priority there is, 1 for the next, and so on. The least urgent of more
/// than 2^23 different priorities count as one.
struct PriorityLevel {
    static constexpr unsigned shift = 41; ///< what is below holds any time
    static constexpr std::uint64_t max = (std::uint64_t{1} << (64 - shift)) - 2;

    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t key_of(std::uint64_t level) {
        return (level < max ? level : max) << shift;
    }
    /// The largest key that a job of `level` may have.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t last_key_of(std::uint64_t level) {
        return ((level + 1) << shift) - 1;
    }
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t of(std::uint64_t key) {
        return key >> shift;
    }
};

}} // namespace bursar::sim
