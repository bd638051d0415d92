#include "scenarios/variants/value_range.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A number and what stands behind it.
struct Part {
    Decimal number;
    std::string_view unit;
};

std::optional<Part> part_of(std::string_view text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = parse_decimal(text.substr(0, end));
    const std::string_view unit = trimmed(text.substr(end));
    // Brackets and the like are a value of another kind, "16..32" a step that is none.
    if (!number || unit.find_first_of("[]{},:;\"'#") != std::string_view::npos)
        return std::nullopt;
    return Part{*number, unit};
}

std::int64_t power_of_ten(int exponent) {
    std::int64_t power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}

} // namespace

std::uint64_t ValueRange::size() const {
    assert(step > 0);
    return last < first ? 0 : static_cast<std::uint64_t>((last - first) / step) + 1;
}

std::string ValueRange::value(std::uint64_t i) const {
    const std::int64_t number = first + static_cast<std::int64_t>(i) * step;
    const std::int64_t one = power_of_ten(decimals);
    std::string text = std::to_string(number / one);
    if (number % one != 0) {
        text += fmt::format(".{:0{}}", number % one, decimals);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text + unit;
}

std::optional<ValueRange> parse_value_range(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const std::size_t colon = text.find(':', dots);
    const bool has_step = colon != std::string_view::npos;
    const auto first = part_of(text.substr(0, dots));
    const auto last = part_of(text.substr(dots + 2, has_step ? colon - dots - 2 : colon));
    const auto step = has_step ? part_of(text.substr(colon + 1)) : last;
    if (!first || !last || !step)
        return std::nullopt;
    ValueRange range;
    for (const Part& part : {*first, *last, *step}) {
        range.decimals = std::max(range.decimals, part.number.decimals);
        if (part.unit.empty())
            continue;
        const std::string unit = fmt::format(" {}", part.unit);
        if (!range.unit.empty() && range.unit != unit)
            return std::nullopt;
        range.unit = unit;
    }
    std::array<std::optional<std::int64_t>, 3> scaled;
    std::ranges::transform(std::array{*first, *last, *step}, scaled.begin(), [&](const Part& part) {
        return part.number.times(power_of_ten(range.decimals));
    });
    if (!scaled[0] || !scaled[1] || !scaled[2])
        return std::nullopt;
    range.first = *scaled[0];
    range.last = *scaled[1];
    range.step = has_step ? *scaled[2] : 0;
    return range;
}

}} // namespace bursar::scenarios
