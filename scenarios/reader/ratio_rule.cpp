#include "scenarios/reader/ratio_rule.hpp"

#include <string>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/decimal.hpp"

namespace bursar { inline namespace scenarios {

std::optional<double> RatioRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::scalar)
        return at.expected("a ratio such as \"2:1\"");
    const std::string_view text = at.node().text;
    const std::size_t colon = text.find(':');
    const auto number = [](std::string_view digits) {
        const std::optional<Decimal> decimal = parse_decimal(digits);
        return decimal ? decimal->approximate() : 0.0;
    };
    const double in = number(text.substr(0, colon));
    const double out = colon == std::string_view::npos ? 0.0 : number(text.substr(colon + 1));
    if (!(in > 0.0) || !(out > 0.0))
        return at.mistake(in_quotes(text) + " is not a ratio",
                          "expected two numbers above zero such as \"2:1\"");
    return in / out;
}

Schema RatioRule::schema() const {
    return {{"type", "string"},
            {"pattern", fmt::format("^{}:{}$", decimal_pattern, decimal_pattern)},
            {"examples", {"2:1"}}};
}

}} // namespace bursar::scenarios
