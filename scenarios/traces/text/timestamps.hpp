#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// Milliseconds east of UTC of "UTC", "Z", "+08:00", "+0800" or "+08".
std::optional<std::int64_t> parse_zone(std::string_view text);

/// Whether a date with a time of day has a zone.
inline bool has_zone(std::string_view stamp) {
    constexpr std::size_t date_length = 10;
    return stamp.size() > date_length &&
           stamp.find_first_of("Z+-", date_length) != std::string_view::npos;
}

/// Milliseconds since 1970-01-01T00:00Z of "YYYY-MM-DD HH:MM:SS" (blank or T between), with an
/// optional fraction (rounded half up to a millisecond) and an optional zone, Z or an offset.
/// Refuses dates that do not exist. zone_ms: offset of stamps without a zone, in milliseconds.
std::optional<std::int64_t> parse_timestamp(std::string_view text, std::int64_t zone_ms);

/// As parse_timestamp(), but also hand-written dates, "2017-10-09", "2017-10-09 12:00 +08:00": a
/// date alone is its midnight, seconds are optional, and a blank may precede the zone.
std::optional<std::int64_t> parse_date_or_timestamp(std::string_view text, std::int64_t zone_ms);

/// "YYYY-MM-DD HH:MM:SS", with ".fff" only where there are milliseconds.
/// utc_ms: since 1970-01-01T00:00Z, in the years 0 to 9999.
std::string format_timestamp(std::int64_t utc_ms);

/// Milliseconds of "[days-]hours:minutes:seconds" or "minutes:seconds", as batch systems write
/// them: "1-02:10:52", "120:00:00", "10:52.5". Minutes and seconds after a larger unit are below
/// 60. Absent if `text` is no such span.
std::optional<std::int64_t> parse_clock_time(std::string_view text);

}} // namespace bursar::scenarios
