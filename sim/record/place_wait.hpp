#pragma once

#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// What waited for a place and not for GPUs, inside the plan's measurement window: pending jobs
/// that would have started had only the number of free GPUs mattered, summed over time. Under a
/// blocking head it is the head; else as many as the free GPUs would hold, the smallest gangs
/// first.
struct PlaceWait {
    int128 job_ms{};
    int128 slot_ms{}; ///< slots they ask for, summed over time

    bool operator==(const PlaceWait&) const = default;
};

}} // namespace bursar::sim
