#include "scenarios/traces/text/numbers.hpp"

#include <algorithm>

#include "models/units/units.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_whole_digits = 15;
constexpr std::size_t max_decimals = 9;
constexpr std::int64_t max_amount = 1'000'000'000'000'000;

} // namespace

std::optional<std::int64_t> parse_amount(std::string_view text, std::span<const AmountUnit> units) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto unit = std::ranges::find(units, text.substr(end), &AmountUnit::name);
    const std::string_view number = text.substr(0, end);
    const std::size_t point = std::min(number.find('.'), number.size());
    const std::string_view decimals =
        point < number.size() ? number.substr(point + 1) : std::string_view{};
    if (unit == units.end() || point == 0 || point > max_whole_digits ||
        decimals.size() > max_decimals || decimals.find('.') != std::string_view::npos ||
        (point < number.size() && decimals.empty()))
        return std::nullopt;
    int128 value = 0;
    int128 scale = unit->per;
    for (const char c : number.substr(0, point))
        value = 10 * value + digit_of(c);
    for (const char c : decimals) {
        value = 10 * value + digit_of(c);
        scale *= 10;
    }
    const int128 amount = (2 * value * unit->by + scale) / (2 * scale);
    return amount <= max_amount ? std::optional{static_cast<std::int64_t>(amount)} : std::nullopt;
}

}} // namespace bursar::scenarios
