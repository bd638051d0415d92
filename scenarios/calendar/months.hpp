#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// A month of a calendar, as people of a time zone count it.
struct CalendarMonth {
    std::string name; ///< "2017-10"
    std::int64_t begin_utc_ms{};
    std::int64_t end_utc_ms{}; ///< the begin of the next

    bool operator==(const CalendarMonth&) const = default;
};

/// Whether the machine's time-zone database has a zone of that name: "Europe/Berlin", "UTC".
[[nodiscard]] bool is_time_zone(std::string_view zone);

/// The months that [begin, end) touches, in order; the one that holds `begin` where it is empty.
/// Instants since 1970-01-01T00:00Z. Precondition: is_time_zone(zone); begin <= end.
[[nodiscard]] std::vector<CalendarMonth>
months_between(std::string_view zone, std::int64_t begin_utc_ms, std::int64_t end_utc_ms);

}} // namespace bursar::scenarios
