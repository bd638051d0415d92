#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace sim {

/// Speed 1: speeds are whole numbers of 2^-20, because the engine has no floating point.
inline constexpr std::int64_t reference_speed = std::int64_t{1} << 20;

/// Why a job at work stalls: the first four in the order of the ledger's leaves from stall.input
/// on.
enum class Stall : std::uint8_t {
    input,         ///< waiting for data
    communication, ///< communication not hidden by compute
    bubble,        ///< pipeline fill and drain
    sync,          ///< waiting for the slowest rank
    interference   ///< slower because another job shares the GPUs
};
inline constexpr std::size_t num_stalls = 5;

/// Speed and stalls of jobs of one class and gang size on one pool. The links that a gang crosses
/// follow from its size and the pool's nodes: it always gets the fewest nodes that hold it.
///
/// Stalled time is stored as the number of the gang's slots that stall while it works: of g *
/// slots_per_gpu slots for g GPUs. So every millisecond splits into whole slot-milliseconds, and
/// stretches of time add up leaf by leaf.
struct PlanSpeed {
    std::int64_t speed{reference_speed};      ///< reference work done per time; > 0
    std::int64_t stalled_slots[num_stalls]{}; ///< by Stall; in all at most the gang's
    std::int64_t interval_ms{}; ///< time at work between saves, of a class that saves on the way;
                                ///< the same at all levels of a pool; 0: what the class says

    [[nodiscard]] BURSAR_HD constexpr std::int64_t all_stalled_slots() const {
        std::int64_t sum = 0;
        for (std::size_t stall = 0; stall < num_stalls; ++stall)
            sum += stalled_slots[stall];
        return sum;
    }
};

/// Time at work for `work_ms` of reference work, rounded up. work_ms: 0 .. 2^40.
BURSAR_HD constexpr std::int64_t elapsed_ms(std::int64_t work_ms, std::int64_t speed) {
    return (work_ms * reference_speed + speed - 1) / speed;
}

}} // namespace bursar::sim
