#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// When a queue's order changes by time alone, if that is before `until_ms`, when something
/// happens, and if another head might start: else `until_ms`. Behind a head that lets others pass,
/// all jobs have been tried; and while nothing else is to come, no job waits for it.
///
/// can_stop: attempts make way, so that a new head may start though nothing is free.
/// All lanes call it.
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
