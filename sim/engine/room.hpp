#pragma once

#include <cstdint>

namespace bursar {

/// For how much of what has no bound of its own an arena has room.
struct Room {
    std::uint32_t live{};    ///< attempts that hold GPUs at once
    std::uint32_t resumed{}; ///< preempted jobs that wait at once
    bool operator==(const Room&) const = default;
};

} // namespace bursar
