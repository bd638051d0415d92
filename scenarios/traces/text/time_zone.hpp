#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace date {
class time_zone;
}

namespace bursar { inline namespace scenarios {

/// The zone of dates that carry none: an offset from UTC, or a name of the machine's time-zone
/// database, with its changes to summer time and back.
class TimeZone {
  public:
    /// UTC.
    TimeZone() = default;

    /// "UTC", "+08:00", "Europe/Berlin"; absent if there is no such zone.
    [[nodiscard]] static std::optional<TimeZone> of(const std::string& name);

    /// Whether its clocks may be changed: it was given by a name.
    [[nodiscard]] bool has_changes() const { return named_ != nullptr; }

    /// The instant at which clocks show `local_ms`, both in ms since 1970-01-01 0:00. Of a time
    /// that they show twice it is the first, of one that they skip the moment of the change.
    [[nodiscard]] std::int64_t utc_of(std::int64_t local_ms);

    /// parse_timestamp() and parse_date_or_timestamp() in this zone.
    [[nodiscard]] std::optional<std::int64_t> timestamp(std::string_view text);
    [[nodiscard]] std::optional<std::int64_t> date_or_timestamp(std::string_view text);

  private:
    std::int64_t offset_ms_{}; ///< of a name: in the stretch below
    const date::time_zone* named_{};
    std::int64_t stretch_begin_ms_{}; ///< local times that all have the offset
    std::int64_t stretch_end_ms_{};
};

}} // namespace bursar::scenarios
