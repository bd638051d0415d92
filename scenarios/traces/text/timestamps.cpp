#include "scenarios/traces/text/timestamps.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t stamp_length = 19; // YYYY-MM-DD HH:MM:SS

/// Eight bytes as one integer whose lowest byte is the first, on any machine.
std::uint64_t load_8(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::big)
        word = __builtin_bswap64(word);
    return word;
}

constexpr std::uint64_t pattern(const char (&text)[9]) {
    std::uint64_t word = 0;
    for (int i = 7; i >= 0; --i)
        word = word << 8 | static_cast<unsigned char>(text[i]);
    return word;
}

/// The digits of eight bytes that are laid out like `Form`, in which 0 means any digit and every
/// other byte itself. Byte i of the result is the two-digit number at i and i + 1. Sets `bad` to a
/// non-zero value if the bytes do not match the form.
template <std::uint64_t Form>
std::uint64_t two_digit_numbers(std::uint64_t bytes, std::uint64_t& bad) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t separators = [] {
        std::uint64_t mask = 0;
        for (int shift = 0; shift < 64; shift += 8)
            if ((Form >> shift & 0xff) != '0')
                mask |= std::uint64_t{0xff} << shift;
        return mask;
    }();
    // '0' ^ digit is the digit; a separator that matches becomes 0.
    const std::uint64_t digits = bytes ^ Form;
    const std::uint64_t above_nine = (digits | (digits + 0x76 * ones)) & 0x80 * ones;
    bad |= above_nine | (digits & separators);
    return digits * 10 + (digits >> 8);
}

unsigned number_at(std::uint64_t numbers, int byte) {
    return static_cast<unsigned>(numbers >> (8 * byte)) & 0xff;
}

bool is_leap(unsigned year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar; `year` is at most 9999.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
std::int64_t days_since_1970(unsigned year, unsigned month, unsigned day_of_month) {
    // one era later: never negative
    const unsigned y = year + 400 - static_cast<unsigned>(month <= 2);
    const unsigned era = y / 400;
    const unsigned year_of_era = y % 400;
    const unsigned day_of_year =
        (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day_of_month - 1;
    const unsigned day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return std::int64_t{era} * 146'097 + day_of_era - 719'468 - 146'097;
}

/// Milliseconds since 1970 of the 19 bytes at `text`, read as if in UTC.
std::optional<std::int64_t> parse_stamp(const char* text) {
    std::uint64_t bad = 0;
    const std::uint64_t date = two_digit_numbers<pattern("0000-00-")>(load_8(text), bad);
    const std::uint64_t time = two_digit_numbers<pattern("00:00:00")>(load_8(text + 11), bad);
    const unsigned tens = digit_of(text[8]);
    const unsigned units = digit_of(text[9]);
    const unsigned year = number_at(date, 0) * 100 + number_at(date, 2);
    const unsigned month = number_at(date, 5);
    const unsigned day_of_month = tens * 10 + units;
    const unsigned hours = number_at(time, 0);
    const unsigned minutes = number_at(time, 3);
    const unsigned seconds = number_at(time, 6);
    const bool form = bad == 0 && tens < 10 && units < 10 && (text[10] == ' ' || text[10] == 'T');
    if (!form || month - 1 > 11 || hours > 23 || minutes > 59 || seconds > 59)
        return std::nullopt;
    constexpr std::array<unsigned char, 13> days{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const unsigned last = days[month] + static_cast<unsigned>(month == 2 && is_leap(year));
    if (day_of_month - 1 >= last)
        return std::nullopt;
    const std::int64_t of_day = (std::int64_t{hours} * 60 + minutes) * 60 + seconds;
    return days_since_1970(year, month, day_of_month) * day.count() + of_day * second.count();
}

/// The begin of the zone, Z or +HH:MM, at the end of `text`; its size if there is none.
std::size_t zone_begin(std::string_view text) {
    constexpr std::size_t offset_length = 6;
    if (text.ends_with('Z'))
        return text.size() - 1;
    if (text.size() <= offset_length || text[text.size() - 3] != ':')
        return text.size();
    const std::size_t sign = text.size() - offset_length;
    return text[sign] == '+' || text[sign] == '-' ? sign : text.size();
}

constexpr std::int64_t max_days = 99'999'999; // the longest time span

/// The number before the last `mark`, absent if there is none; `text` is left with the rest.
std::optional<std::string_view> before(char mark, std::string_view& text) {
    const std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view front = text.substr(0, at);
    text.remove_prefix(at + 1);
    return front;
}

} // namespace

std::optional<std::int64_t> parse_zone(std::string_view text) {
    if (text == "UTC" || text == "Z")
        return 0;
    if (text.empty() || (text[0] != '+' && text[0] != '-'))
        return std::nullopt;
    std::string digits{text.substr(1)};
    if (digits.size() == 5 && digits[2] == ':')
        digits.erase(2, 1);
    if (digits.size() == 2)
        digits += "00";
    const std::optional<std::int64_t> number = parse_count(digits);
    if (digits.size() != 4 || !number || *number % 100 > 59 || *number > 1459)
        return std::nullopt;
    const Duration offset = hour * (*number / 100) + minute * (*number % 100);
    return text[0] == '-' ? -offset.count() : offset.count();
}

std::optional<std::int64_t> parse_timestamp(std::string_view text, std::int64_t zone_ms) {
    if (text.size() < stamp_length)
        return std::nullopt;
    const std::optional<std::int64_t> stamp = parse_stamp(text.data());
    if (!stamp || text.size() == stamp_length) [[likely]]
        return stamp ? std::optional{*stamp - zone_ms} : std::nullopt;

    text.remove_prefix(stamp_length);
    std::int64_t fraction = 0;
    if (text[0] == '.') {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
        std::string decimal(1, '0');
        decimal.append(text.substr(0, end));
        const auto part = parse_seconds(decimal);
        if (!part)
            return std::nullopt;
        fraction = *part;
        text.remove_prefix(end);
    }
    const std::optional<std::int64_t> zone = text.empty() ? zone_ms : parse_zone(text);
    if (!zone || text == "UTC")
        return std::nullopt;
    return *stamp + fraction - *zone;
}

std::optional<std::int64_t> parse_date_or_timestamp(std::string_view text, std::int64_t zone_ms) {
    constexpr std::string_view midnight = " 00:00:00";
    constexpr std::size_t date_length = stamp_length - midnight.size();
    constexpr std::size_t minute_length = stamp_length - 3;
    const std::size_t zone_at = zone_begin(text);
    const std::optional<std::int64_t> zone =
        zone_at < text.size() ? parse_zone(text.substr(zone_at)) : zone_ms;
    if (!zone)
        return std::nullopt;
    std::string stamp{text.substr(0, zone_at)};
    if (zone_at < text.size() && stamp.ends_with(' '))
        stamp.pop_back();
    if (stamp.size() == date_length)
        stamp += midnight;
    else if (stamp.size() == minute_length)
        stamp += ":00";
    return parse_timestamp(stamp, *zone);
}

std::string format_timestamp(std::int64_t utc_ms) {
    using namespace std::chrono; // NOLINT(google-build-using-namespace): calendar arithmetic only
    const sys_time<milliseconds> instant{milliseconds{utc_ms}};
    const auto date = floor<days>(instant);
    const year_month_day ymd{date};
    const hh_mm_ss<milliseconds> time{instant - date};
    std::string out = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
                                  int{ymd.year()},
                                  unsigned{ymd.month()},
                                  unsigned{ymd.day()},
                                  time.hours().count(),
                                  time.minutes().count(),
                                  time.seconds().count());
    if (time.subseconds().count() != 0)
        out += fmt::format(".{:03}", time.subseconds().count());
    return out;
}

std::optional<std::int64_t> parse_clock_time(std::string_view text) {
    std::string_view clock = text;
    std::int64_t days = 0;
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const std::optional<std::int64_t> number = parse_count(text.substr(0, dash));
        if (!number || *number > max_days)
            return std::nullopt;
        days = *number;
        clock.remove_prefix(dash + 1);
    }
    std::string_view last = clock;
    std::optional<std::string_view> rest = before(':', last);
    if (!rest)
        return std::nullopt;
    const std::optional<std::int64_t> seconds = parse_seconds(last);
    const std::optional<std::string_view> front = before(':', *rest);
    const std::optional<std::int64_t> minutes = parse_count(*rest);
    const std::optional<std::int64_t> hours = front ? parse_count(*front) : std::optional{0L};
    const bool has_days = dash != std::string_view::npos;
    if (!seconds || !minutes || !hours || *seconds >= minute.count() || (front && *minutes > 59) ||
        (has_days && (!front || *hours > 23)) || *hours > 24 * max_days || *minutes > max_days)
        return std::nullopt;
    return days * day.count() + *hours * hour.count() + *minutes * minute.count() + *seconds;
}

}} // namespace bursar::scenarios
