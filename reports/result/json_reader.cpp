#include "reports/result/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "reports/errors/report_error.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

using Kind = JsonValue::Kind;

JsonValue parse(std::string_view text, std::string_view name) {
    try {
        return parse_json(text);
    } catch (const BadJson& error) {
        const std::size_t seen = std::min(error.offset + 1, text.size());
        const auto line = 1 + std::count(text.data(), text.data() + seen, '\n');
        throw BadResult{terminal_text(name) +
                        ": not a saved result, or truncated: invalid JSON in line " +
                        std::to_string(line)};
    }
}

/// `text` as a whole number; absent where it is none, or does not fit.
template <class Integer>
std::optional<Integer> whole_number(std::string_view text) {
    const char* const end = text.data() + text.size();
    Integer out{};
    const auto [next, error] = std::from_chars(text.data(), end, out);
    if (error != std::errc{} || next != end)
        return std::nullopt;
    return out;
}

template <class Integer>
std::optional<Integer> whole_number(const JsonValue& value) {
    if (value.kind != Kind::integer)
        return std::nullopt;
    return whole_number<Integer>(value.text);
}

/// Removes the first number from the text of a column and returns its digits.
std::string_view take_digits(std::string_view& rest) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const char* const end = rest.data() + rest.size();
    const char* const begin = std::find_if(rest.data(), end, is_digit);
    const char* const after = std::find_if_not(begin, end, is_digit);
    rest = {after, static_cast<std::size_t>(end - after)};
    return {begin, static_cast<std::size_t>(after - begin)};
}

} // namespace

JsonDocument::JsonDocument(std::string_view text, std::string_view name, Release release)
    : value_{parse(text, name)}, name_{name}, release_{std::move(release)} {}

bool JsonReader::has(std::string_view key) const {
    return value_.member(key) != nullptr;
}

bool JsonReader::is(std::string_view text) const {
    return value_.kind == Kind::string && json_string(value_.text) == text;
}

bool JsonReader::is_null() const {
    return value_.kind == Kind::null;
}

void JsonReader::fail(std::string_view problem) const {
    std::string text = terminal_text(document_.name()) + ": ";
    if (!path_.empty())
        text += path_ + ": ";
    throw BadResult{text + std::string{problem}};
}

JsonReader JsonReader::at(std::string_view key) const {
    if (value_.kind != Kind::object)
        fail("not an object");
    const JsonValue* const member = value_.member(key);
    if (member == nullptr)
        fail("has no \"" + std::string{key} + "\"");
    return {document_, *member, path_.empty() ? std::string{key} : path_ + '.' + std::string{key}};
}

std::size_t JsonReader::num_elements() const {
    if (value_.kind != Kind::array && value_.kind != Kind::column)
        fail("not an array");
    return value_.kind == Kind::column ? value_.size : value_.parts->size();
}

std::uint64_t
JsonReader::element(std::size_t index, std::string_view& rest, std::uint64_t max) const {
    const std::optional<std::uint64_t> out =
        value_.kind == Kind::column ? whole_number<std::uint64_t>(take_digits(rest))
                                    : whole_number<std::uint64_t>((*value_.parts)[index]);
    if (!out || *out > max)
        fail("element " + std::to_string(index) + " is not a whole number in 0.." +
             std::to_string(max));
    return *out;
}

std::vector<JsonReader> JsonReader::items() const {
    std::vector<JsonReader> out;
    std::string_view rest = value_.text; // of a column
    for (std::size_t i = 0; i < num_elements(); ++i) {
        JsonValue item;
        if (value_.kind == Kind::array)
            item = (*value_.parts)[i];
        else
            item = {.kind = Kind::integer, .text = take_digits(rest)};
        out.push_back({document_, item, path_ + '[' + std::to_string(i) + ']'});
    }
    return out;
}

std::string JsonReader::string() const {
    if (value_.kind != Kind::string)
        fail("not a string");
    std::string out = json_string(value_.text);
    document_.release(value_.text);
    return out;
}

std::vector<std::string> JsonReader::strings() const {
    std::vector<std::string> out;
    for (const JsonReader& item : items())
        out.push_back(item.string());
    return out;
}

std::size_t JsonReader::one_of(std::span<const std::string_view> names) const {
    const auto name = std::find(names.begin(), names.end(), string());
    if (name == names.end())
        fail("unknown name");
    return static_cast<std::size_t>(name - names.begin());
}

std::int64_t JsonReader::signed_integer(std::int64_t min, std::int64_t max) const {
    const std::optional<std::int64_t> out = whole_number<std::int64_t>(value_);
    if (!out || *out < min || *out > max)
        fail("not a whole number in " + std::to_string(min) + ".." + std::to_string(max));
    return *out;
}

std::uint64_t JsonReader::unsigned_integer(std::uint64_t min, std::uint64_t max) const {
    const std::optional<std::uint64_t> out = whole_number<std::uint64_t>(value_);
    if (!out || *out < min || *out > max)
        fail("not a whole number in " + std::to_string(min) + ".." + std::to_string(max));
    return *out;
}

std::uint64_t JsonReader::hash() const {
    const std::string text = string();
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
    if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size())
        fail("not 16 hexadecimal digits");
    return out;
}

int128 JsonReader::exact() const {
    const std::optional<int128> out = parse_integer(string());
    if (!out)
        fail("not a whole number, as a string");
    return *out;
}

double JsonReader::number() const {
    if (value_.kind != Kind::integer && value_.kind != Kind::number)
        fail("not a number");
    return std::strtod(std::string{value_.text}.c_str(), nullptr);
}

}} // namespace bursar::reports
