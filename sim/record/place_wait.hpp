#pragma once

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

}} // namespace bursar::sim
