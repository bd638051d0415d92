#include "scenarios/reader/number_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/decimal.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
    return at;
}

/// The number grammar of JSON (RFC 8259, section 6).
bool has_json_number_form(std::string_view text) {
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const std::size_t digits = at;
    at = skip_digits(text, at);
    if (at == digits || (text[digits] == '0' && at > digits + 1))
        return false;
    if (at < text.size() && text[at] == '.') {
        const std::size_t end = skip_digits(text, at + 1);
        if (end == at + 1)
            return false;
        at = end;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        const std::size_t end = skip_digits(text, at);
        if (end == at)
            return false;
        at = end;
    }
    return at == text.size();
}

bool is_whole(std::string_view text) {
    return has_json_number_form(text) && text.find_first_of(".eE") == std::string_view::npos;
}

std::optional<std::int64_t> parse_int64(std::string_view text) {
    std::int64_t value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string without_quotes_hint(const Node& node) {
    return node.quoted && has_json_number_form(node.text) ? "write it without quotes" : "";
}

} // namespace

std::string milli_text(std::int64_t milli) {
    return fmt::format("{}", static_cast<double>(milli) / 1000);
}

bool is_json_number(const Node& node) {
    return node.kind == NodeKind::scalar && !node.quoted && has_json_number_form(node.text);
}

bool is_json_word(const Node& node) {
    return is_json_number(node) || (node.kind == NodeKind::scalar && !node.quoted &&
                                    (node.text == "true" || node.text == "false"));
}

std::optional<std::int64_t> WholeNumberRule::read(const Reader& at) const {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected("a whole number");
    if (!is_json_number(node) || !is_whole(node.text))
        return at.mistake(
            in_quotes(node.text) + " is not a whole number", {}, without_quotes_hint(node));
    const std::optional<std::int64_t> value = parse_int64(node.text);
    const bool negative = node.text.starts_with('-');
    if (negative ? (!value || *value < min_) : (value && *value < min_))
        return at.mistake(fmt::format("{} is too small", node.text),
                          fmt::format("at least {}", min_));
    if (!value || *value > max_)
        return at.mistake(in_quotes(node.text) + " is too large", fmt::format("at most {}", max_));
    return value;
}

Schema WholeNumberRule::schema() const {
    return {{"type", "integer"}, {"minimum", min_}, {"maximum", max_}};
}

std::optional<double> NumberRule::read(const Reader& at) const {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected("a number");
    if (!is_json_number(node))
        return at.mistake(in_quotes(node.text) + " is not a number",
                          "a decimal number without unit",
                          without_quotes_hint(node));
    double value{};
    const char* end = node.text.data() + node.text.size();
    if (std::from_chars(node.text.data(), end, value).ec != std::errc{})
        return at.mistake(in_quotes(node.text) + " is too large or too small", "for a double");
    if (value < min_ || (bound_ == Bound::excluded && value == min_))
        return at.mistake(
            in_quotes(node.text) + " is too small",
            fmt::format("{} {}", bound_ == Bound::excluded ? "above" : "at least", min_));
    if (value > max_)
        return at.mistake(in_quotes(node.text) + " is too large", fmt::format("at most {}", max_));
    return value;
}

Schema NumberRule::schema() const {
    return {{"type", "number"},
            {bound_ == Bound::excluded ? "exclusiveMinimum" : "minimum", min_},
            {"maximum", max_}};
}

std::optional<std::int64_t> MilliRule::read(const Reader& at) const {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected("a number");
    const std::string range = fmt::format("{} to {}", milli_text(min_), milli_text(max_));
    const std::optional<Decimal> decimal =
        is_json_number(node) ? parse_decimal(node.text) : std::nullopt;
    if (!decimal)
        return at.mistake(in_quotes(node.text) + " is not a number",
                          "a decimal number of " + range,
                          without_quotes_hint(node));
    if (decimal->decimals > 3)
        return at.mistake(in_quotes(node.text) + " has too many decimals", "at most 3");
    const std::optional<std::int64_t> milli = decimal->times(1000);
    if (!milli || *milli < min_ || *milli > max_)
        return at.mistake(in_quotes(node.text) + " is out of range", range);
    return milli;
}

Schema MilliRule::schema() const {
    return {{"type", "number"},
            {"minimum", static_cast<double>(min_) / 1000},
            {"maximum", static_cast<double>(max_) / 1000}};
}

std::optional<CountRange> CountRangeRule::read(const Reader& at) const {
    const Node& node = at.node();
    constexpr std::string_view what = "a count such as 8, or a range such as 1..32, 8.. or ..4";
    if (node.kind != NodeKind::scalar)
        return at.expected(what);
    const std::string_view text = node.text;
    const std::size_t dots = text.find("..");
    const std::string_view first = text.substr(0, dots);
    const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
    const auto good = [](std::string_view end) { return end.empty() || parse_decimal(end); };
    const bool has_point =
        first.find('.') != std::string_view::npos || last.find('.') != std::string_view::npos;
    if ((first.empty() && last.empty()) || !good(first) || !good(last) || has_point)
        return at.expected(what);
    const CountRange range{parse_int64(first), parse_int64(last)};
    if (range.min && range.max && *range.min > *range.max)
        return at.mistake(in_quotes(text) + " is an empty range",
                          "the lower end is above the upper");
    return range;
}

Schema CountRangeRule::schema() const {
    const Schema count = {
        {"type", "integer"}, {"minimum", 0}, {"maximum", 999'999'999'999'999'999}};
    const Schema range = {{"type", "string"},
                          {"pattern", R"(^([0-9]{1,18}(\.\.([0-9]{1,18})?)?|\.\.[0-9]{1,18})$)"}};
    return {{"anyOf", {count, range}}};
}

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
