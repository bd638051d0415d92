#include "scenarios/traces/text/time_zone.hpp"

#include <chrono>
#include <stdexcept>

#include <date/tz.h>

#include "models/units/units.hpp"

#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::int64_t milliseconds_of(std::chrono::seconds time) {
    return std::chrono::milliseconds{time}.count();
}

} // namespace

std::optional<TimeZone> TimeZone::of(const std::string& name) {
    TimeZone zone;
    if (const std::optional<std::int64_t> offset_ms = parse_zone(name)) {
        zone.offset_ms_ = *offset_ms;
        return zone;
    }
    try {
        zone.named_ = date::locate_zone(name);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
    return zone.named_ == nullptr ? std::nullopt : std::optional{zone};
}

std::int64_t TimeZone::utc_of(std::int64_t local_ms) {
    if (named_ == nullptr || (local_ms >= stretch_begin_ms_ && local_ms < stretch_end_ms_))
        return local_ms - offset_ms_;
    const date::local_time<std::chrono::milliseconds> local{std::chrono::milliseconds{local_ms}};
    const date::local_info info = named_->get_info(date::floor<std::chrono::seconds>(local));
    if (info.result == date::local_info::nonexistent)
        return milliseconds_of(info.first.end.time_since_epoch());
    const std::int64_t offset_ms = milliseconds_of(info.first.offset);
    if (info.result == date::local_info::unique) {
        // Within a day of a change a time may be shown twice or never.
        offset_ms_ = offset_ms;
        stretch_begin_ms_ =
            milliseconds_of(info.first.begin.time_since_epoch()) + offset_ms + day.count();
        stretch_end_ms_ =
            milliseconds_of(info.first.end.time_since_epoch()) + offset_ms - day.count();
    }
    return local_ms - offset_ms;
}

std::optional<std::int64_t> TimeZone::timestamp(std::string_view text) {
    if (named_ == nullptr)
        return parse_timestamp(text, offset_ms_);
    const std::optional<std::int64_t> ms = parse_timestamp(text, 0);
    return ms && !has_zone(text) ? std::optional{utc_of(*ms)} : ms;
}

std::optional<std::int64_t> TimeZone::date_or_timestamp(std::string_view text) {
    if (named_ == nullptr)
        return parse_date_or_timestamp(text, offset_ms_);
    const std::optional<std::int64_t> ms = parse_date_or_timestamp(text, 0);
    return ms && !has_zone(text) ? std::optional{utc_of(*ms)} : ms;
}

}} // namespace bursar::scenarios
