#include "reports/result/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "reports/errors/report_error.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

const nlohmann::json::array_t& array_of(const nlohmann::json& value, const JsonReader& reader) {
    if (!value.is_array())
        reader.fail("not an array");
    return value.get_ref<const nlohmann::json::array_t&>();
}

nlohmann::json parse(std::string_view text, std::string_view name) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t good = std::min(error.byte, text.size());
        const auto line = 1 + std::count(text.data(), text.data() + good, '\n');
        throw BadResult{terminal_text(name) +
                        ": not a saved result, or truncated: invalid JSON in line " +
                        std::to_string(line)};
    } catch (const nlohmann::json::exception&) { // a number that no number type holds
        throw BadResult{terminal_text(name) + ": not a saved result: a number is too large"};
    }
}

} // namespace

JsonDocument::JsonDocument(std::string_view text, std::string_view name)
    : value_{std::make_unique<const nlohmann::json>(parse(text, name))} {}

JsonDocument::~JsonDocument() = default;

bool JsonReader::has(std::string_view key) const {
    return value_.contains(key);
}

bool JsonReader::is(std::string_view text) const {
    return value_ == text;
}

bool JsonReader::is_null() const {
    return value_.is_null();
}

void JsonReader::fail(std::string_view problem) const {
    std::string text = terminal_text(name_) + ": ";
    if (!path_.empty())
        text += path_ + ": ";
    throw BadResult{text + std::string{problem}};
}

JsonReader JsonReader::at(std::string_view key) const {
    if (!value_.is_object())
        fail("not an object");
    const auto member = value_.find(key);
    if (member == value_.end())
        fail("has no \"" + std::string{key} + "\"");
    return {*member, name_, path_.empty() ? std::string{key} : path_ + '.' + std::string{key}};
}

std::size_t JsonReader::num_elements() const {
    return array_of(value_, *this).size();
}

std::uint64_t JsonReader::element(std::size_t index, std::uint64_t max) const {
    const nlohmann::json& value = value_[index];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max)
        fail("element " + std::to_string(index) + " is not a whole number in 0.." +
             std::to_string(max));
    return value.get<std::uint64_t>();
}

std::vector<JsonReader> JsonReader::items() const {
    std::vector<JsonReader> out;
    for (const nlohmann::json& item : array_of(value_, *this))
        out.push_back({item, name_, path_ + '[' + std::to_string(out.size()) + ']'});
    return out;
}

std::string JsonReader::string() const {
    if (!value_.is_string())
        fail("not a string");
    return value_.get<std::string>();
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

std::int64_t JsonReader::integer(std::int64_t min, std::int64_t max) const {
    const bool fits = value_.is_number_unsigned()
                          ? value_.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()
                          : value_.is_number_integer();
    if (!fits || value_.get<std::int64_t>() < min || value_.get<std::int64_t>() > max)
        fail("not a whole number in " + std::to_string(min) + ".." + std::to_string(max));
    return value_.get<std::int64_t>();
}

std::uint64_t JsonReader::unsigned_integer() const {
    if (!value_.is_number_unsigned())
        fail("not a whole number >= 0");
    return value_.get<std::uint64_t>();
}

std::uint64_t JsonReader::hash() const {
    const std::string text = string();
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
    if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size())
        fail("not 16 hexadecimal digits");
    return out;
}

int128 JsonReader::exact(int128 max) const {
    const std::optional<int128> out = parse_integer(string());
    if (!out || *out < 0 || *out > max)
        fail("not a whole number, as a string, in 0.." + integer_text(max));
    return *out;
}

double JsonReader::number() const {
    if (!value_.is_number() || !std::isfinite(value_.get<double>()))
        fail("not a number");
    return value_.get<double>();
}

} // namespace bursar::inline reports
