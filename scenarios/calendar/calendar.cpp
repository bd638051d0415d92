#include "scenarios/calendar/calendar.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

#include <date/date.h>
#include <date/tz.h>
#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/traces/text/time_zone.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using Instant = date::sys_time<std::chrono::milliseconds>;

/// The begin of a month. If clocks change at that midnight, the earlier of the two instants.
std::int64_t begin_of(const date::time_zone& zone, date::year_month month) {
    const date::local_days midnight{month / 1};
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               zone.to_sys(midnight, date::choose::earliest).time_since_epoch())
        .count();
}

constexpr std::int64_t hour_ms = hour.count();
constexpr std::int64_t hours_of_week = std::int64_t{7} * 24;
/// 1970-01-05 was a Monday.
constexpr std::int64_t first_monday_ms = 4 * day.count();

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

std::int64_t in_ms(std::chrono::seconds time) {
    return std::chrono::milliseconds{time}.count();
}

} // namespace

bool is_time_zone(std::string_view zone) {
    try {
        return date::locate_zone(std::string{zone}) != nullptr;
    } catch (const std::runtime_error&) {
        return false;
    }
}

std::vector<CalendarMonth>
months_between(std::string_view zone, std::int64_t begin_utc_ms, std::int64_t end_utc_ms) {
    const date::time_zone& place = *date::locate_zone(std::string{zone});
    const auto local = place.to_local(Instant{std::chrono::milliseconds{begin_utc_ms}});
    const date::year_month_day first{date::floor<date::days>(local)};
    std::vector<CalendarMonth> months;
    date::year_month month = first.year() / first.month();
    std::int64_t begin = begin_of(place, month);
    do {
        const date::year_month next = month + date::months{1};
        const std::int64_t end = begin_of(place, next);
        months.push_back({fmt::format("{:04}-{:02}",
                                      static_cast<int>(month.year()),
                                      static_cast<unsigned>(month.month())),
                          begin,
                          end});
        month = next;
        begin = end;
    } while (begin < end_utc_ms);
    return months;
}

bool is_clock_zone(const std::string& zone) {
    return TimeZone::of(zone).has_value();
}

WallClock::WallClock(std::string zone, std::optional<std::int64_t> zero_utc_ms)
    : zero_utc_ms_{zero_utc_ms.value_or(first_monday_ms)} {
    if (!zero_utc_ms)
        return;
    if (const std::optional<std::int64_t> offset_ms = parse_zone(zone))
        fixed_ms_ = *offset_ms;
    else
        zone_ = std::move(zone);
}

WallClock::Offset WallClock::offset_at(std::int64_t utc_ms) const {
    if (zone_.empty())
        return {fixed_ms_, std::numeric_limits<std::int64_t>::max() / 2};
    const date::sys_info info = date::locate_zone(zone_)->get_info(date::sys_seconds{
        std::chrono::seconds{floor_div(utc_ms, 1000)}}); // clocks are changed at whole seconds
    return {in_ms(info.offset), in_ms(info.end.time_since_epoch())};
}

std::int64_t WallClock::hour_of_week(std::int64_t since_zero_ms) const {
    const std::int64_t utc_ms = zero_utc_ms_ + since_zero_ms;
    const std::int64_t hours = floor_div(utc_ms + offset_at(utc_ms).ms - first_monday_ms, hour_ms);
    return hours - floor_div(hours, hours_of_week) * hours_of_week;
}

std::int64_t WallClock::rest_of_hour_ms(std::int64_t since_zero_ms) const {
    const std::int64_t utc_ms = zero_utc_ms_ + since_zero_ms;
    const Offset offset = offset_at(utc_ms);
    const std::int64_t local_ms = utc_ms + offset.ms;
    const std::int64_t rest_ms = (floor_div(local_ms, hour_ms) + 1) * hour_ms - local_ms;
    return std::min(rest_ms, offset.until_utc_ms - utc_ms);
}

}} // namespace bursar::scenarios
