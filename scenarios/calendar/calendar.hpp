#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// A month of the calendar of a time zone.
struct CalendarMonth {
    std::string name; ///< "2017-10"
    std::int64_t begin_utc_ms{};
    std::int64_t end_utc_ms{}; ///< the begin of the next

    bool operator==(const CalendarMonth&) const = default;
};

/// Whether the machine's time-zone database has a zone of that name: "Europe/Berlin", "UTC".
[[nodiscard]] bool is_time_zone(std::string_view zone);

/// The months that overlap [begin, end), in order; for an empty range the month of `begin`.
/// Instants since 1970-01-01T00:00Z. Precondition: is_time_zone(zone); begin <= end.
[[nodiscard]] std::vector<CalendarMonth>
months_between(std::string_view zone, std::int64_t begin_utc_ms, std::int64_t end_utc_ms);

/// Whether a wall clock can show the time of that zone: "UTC", "+08:00", or a name of the machine's
/// time-zone database such as "Europe/Berlin".
[[nodiscard]] bool is_clock_zone(const std::string& zone);

/// The wall clock of a zone, its changes to summer time and back included. Without a date it begins
/// on a Monday at 0:00 and is never changed.
class WallClock {
  public:
    /// zero_utc_ms: the scenario's zero since 1970-01-01T00:00Z; absent where it has no date.
    /// Precondition: is_clock_zone(zone).
    WallClock(std::string zone, std::optional<std::int64_t> zero_utc_ms);

    /// 0: Monday from 0:00 to 1:00.
    [[nodiscard]] std::int64_t hour_of_week(std::int64_t since_zero_ms) const;
    /// Time until the clock shows another hour, or is changed.
    [[nodiscard]] std::int64_t rest_of_hour_ms(std::int64_t since_zero_ms) const;

  private:
    /// The offset of the zone's clock from UTC, and its end.
    struct Offset {
        std::int64_t ms{};
        std::int64_t until_utc_ms{};
    };
    [[nodiscard]] Offset offset_at(std::int64_t utc_ms) const;

    std::string zone_; ///< a name of the database; empty: `fixed_ms_` holds for ever
    std::int64_t fixed_ms_{};
    std::int64_t zero_utc_ms_{};
};

}} // namespace bursar::scenarios
