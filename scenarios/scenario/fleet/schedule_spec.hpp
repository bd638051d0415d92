#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bursar { inline namespace scenarios {

inline constexpr int days_of_week = 7;

/// Hours of some days of the week, and the nodes that are there then.
struct ScheduledHours {
    std::uint8_t days{}; ///< bit d: the d-th day of the week, Monday first
    std::int64_t from{}; ///< whole hours of the day, 0 .. 23
    std::int64_t to{24}; ///< up to here, 1 .. 24
    std::int64_t nodes{};
};

/// How many nodes a pool has at least, by the hour of the week: key `provisioning.schedule`. Where
/// several rows hold, the one with the most nodes does; where none does, the pool's own least.
struct ScheduleSpec {
    std::string zone{"UTC"};
    std::vector<ScheduledHours> rows; ///< at least one
};

}} // namespace bursar::scenarios
