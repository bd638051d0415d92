#include "reports/text/instant.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

std::string two_digits(unsigned value) {
    return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
}

std::string date_text(std::int64_t day) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
    std::string year = std::to_string(static_cast<int>(date.year()));
    if (year.size() < 4)
        year.insert(0, 4 - year.size(), '0');
    return year + '-' + two_digits(static_cast<unsigned>(date.month())) + '-' +
           two_digits(static_cast<unsigned>(date.day())) + 'T';
}

char* write_thousandths(char* out, unsigned ms) {
    *out++ = '.';
    out = write_two_digits(out, ms / 10);
    *out++ = static_cast<char>('0' + ms % 10);
    return out;
}

} // namespace

void InstantWriter::put_seconds(TextSink& sink, std::int64_t ms) const {
    if (!has_all_)
        return sink.put_micro(int128{ms} * 1000);
    if (ms < 0)
        sink.put('-');
    const auto size = static_cast<std::uint64_t>(ms < 0 ? -ms : ms);
    sink.put_integer(size / 1000);
    sink.put_with(
        [&](char* out) { return write_thousandths(out, static_cast<unsigned>(size % 1000)); });
}

void InstantWriter::put(TextSink& sink, Duration since_zero) {
    if (!zero_utc_ms_)
        return put_seconds(sink, since_zero.count());
    const std::int64_t utc_ms = *zero_utc_ms_ + since_zero.count();
    const std::int64_t utc_day = floor_divide(utc_ms, day.count());
    const auto ms_of_day = static_cast<unsigned>(utc_ms - utc_day * day.count());
    if (cached_day_ != utc_day) {
        cached_day_ = utc_day;
        cached_date_ = date_text(utc_day);
    }
    sink.put(cached_date_);
    sink.put_with([&](char* out) {
        out = write_two_digits(out, ms_of_day / 3'600'000);
        *out++ = ':';
        out = write_two_digits(out, ms_of_day / 60'000 % 60);
        *out++ = ':';
        out = write_two_digits(out, ms_of_day / 1000 % 60);
        if (const unsigned ms = ms_of_day % 1000; ms > 0 || has_all_)
            out = write_thousandths(out, ms);
        *out++ = 'Z';
        return out;
    });
}

std::string readable_instant(std::optional<std::int64_t> zero_utc_ms, Duration since_zero) {
    if (!zero_utc_ms)
        return grouped_text(divide_half_up(since_zero.count() * int128{10}, hour.count()), 1) +
               " h";
    StringSink sink;
    InstantWriter{zero_utc_ms}.put(sink, since_zero);
    std::string out = sink.text();
    std::replace(out.begin(), out.end(), 'T', ' ');
    return out;
}

std::string span_text(Duration span) {
    struct Unit {
        Duration size;
        Duration until; ///< spans below this are shown in this unit
        std::string_view name;
    };
    constexpr std::array units{Unit{millisecond, second, " ms"},
                               Unit{second, 2 * minute, " s"},
                               Unit{minute, 2 * hour, " min"},
                               Unit{hour, 2 * day, " h"}};
    Unit unit{day, day, " d"};
    for (const Unit& candidate : units) {
        if (span < candidate.until) {
            unit = candidate;
            break;
        }
    }
    if (span == Duration{})
        return "0 s";
    const int128 tenths = divide_half_up(int128{span.count()} * 10, unit.size.count());
    if (tenths >= 100 || tenths % 10 == 0)
        return grouped_text(divide_half_up(span.count(), unit.size.count()), 0) +
               std::string{unit.name};
    return grouped_text(tenths, 1) + std::string{unit.name};
}

}} // namespace bursar::reports
