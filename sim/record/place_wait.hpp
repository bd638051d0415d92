#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// Jobs that waited for a place, not for GPUs, inside the plan's measurement window, summed over
/// time. They would have started if only the number of free GPUs mattered. Under a blocking head
/// this is the head; otherwise as many jobs as fit into the free GPUs by number, smallest gangs
/// first.
struct PlaceWait {
    int128 job_ms{};
    int128 slot_ms{}; ///< slots they request, summed over time

    bool operator==(const PlaceWait&) const = default;
};

/// Why a job waits: the first that applies.
enum class WaitReason : std::uint8_t {
    turn,  ///< its gang could be placed: the queue's order, a reservation, a quota, a round or a
           ///< budget keeps it from starting
    place, ///< a pool that it may use has as many free GPUs, but not where its gang may run
    nodes, ///< a pool would have them if its nodes that boot, are down or are not launched were up
    gpus   ///< other jobs hold the GPUs
};
inline constexpr std::size_t num_wait_reasons = 4;

/// Time in ms by WaitReason.
using WaitTimes = std::array<std::int64_t, num_wait_reasons>;

}} // namespace bursar::sim
