#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// When a queue's order changes by time alone, if that is before the next event at `until_ms` and a
/// new head might start; otherwise `until_ms`. If the head does not block, all jobs have been tried
/// already; without a next event no job waits for one.
///
/// can_stop: attempts can be stopped, so that a new head may start even if nothing is free. All
/// lanes call it.
template <class Team, class Queue, class Capacity>
[[nodiscard]] BURSAR_HD std::int64_t order_changes_ms([[maybe_unused]] const Team& team,
                                                      [[maybe_unused]] Queue& queue,
                                                      [[maybe_unused]] const Capacity& capacity,
                                                      [[maybe_unused]] bool head_blocks,
                                                      [[maybe_unused]] bool can_stop,
                                                      std::int64_t until_ms) {
    if constexpr (Queue::has.next_change_ms) {
        if (head_blocks && queue.num_jobs() > 1 && (can_stop || !capacity.is_full())) {
            const std::int64_t change_ms = queue.next_change_ms(team, until_ms);
            return change_ms < until_ms ? change_ms : until_ms;
        }
    }
    return until_ms;
}

}} // namespace bursar::sim
