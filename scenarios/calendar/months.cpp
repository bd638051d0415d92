#include "scenarios/calendar/months.hpp"

#include <chrono>
#include <stdexcept>

#include <date/date.h>
#include <date/tz.h>
#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

using Instant = date::sys_time<std::chrono::milliseconds>;

/// When a month begins. Where clocks are put forward or back at that midnight, at the first of
/// what they show.
std::int64_t begin_of(const date::time_zone& zone, date::year_month month) {
    const date::local_days midnight{month / 1};
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               zone.to_sys(midnight, date::choose::earliest).time_since_epoch())
        .count();
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

}} // namespace bursar::scenarios
