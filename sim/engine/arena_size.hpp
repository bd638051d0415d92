#pragma once

#include <cstdint>

namespace bursar::inline sim {

/// For how much of what has no bound of its own an arena is laid out.
struct ArenaSize {
    std::uint32_t max_live{};        ///< attempts that hold GPUs at once
    std::uint32_t max_resumed{};     ///< preempted jobs that wait at once
    std::uint32_t max_provisional{}; ///< entries of ProvisionalWork
    bool operator==(const ArenaSize&) const = default;
};

} // namespace bursar::inline sim
