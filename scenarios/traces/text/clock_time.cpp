#include "scenarios/traces/text/clock_time.hpp"

#include "models/units/units.hpp"

#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_days = 99'999'999; // what time spans may come to, here and everywhere

/// The number before the last `mark`, or nothing where there is none; `text` keeps what is behind.
std::optional<std::string_view> before(char mark, std::string_view& text) {
    const std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view front = text.substr(0, at);
    text.remove_prefix(at + 1);
    return front;
}

} // namespace

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
