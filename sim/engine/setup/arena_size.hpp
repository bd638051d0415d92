#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// For how much of what has no bound of its own an arena is laid out.
struct ArenaSize {
    std::uint32_t max_live{};        ///< attempts that hold GPUs at once
    std::uint32_t max_resumed{};     ///< stopped jobs that wait at once
    std::uint32_t max_provisional{}; ///< entries of ProvisionalWork

    /// Stopped jobs that wait or run again at once, of a plan's.
    [[nodiscard]] BURSAR_HD std::uint32_t max_carried(std::uint32_t num_jobs) const {
        const std::uint64_t all = std::uint64_t{max_resumed} + max_live;
        return all < num_jobs ? static_cast<std::uint32_t>(all) : num_jobs;
    }
    bool operator==(const ArenaSize&) const = default;
};

}} // namespace bursar::sim
