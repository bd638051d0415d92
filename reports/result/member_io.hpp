#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/result/json_reader.hpp"
#include "reports/text/json_writer.hpp"

/// The two ways to go over members that are listed once (saved_members.hpp): each takes the key,
/// the member and its range.
namespace bursar { inline namespace reports { namespace saved {

/// Writes the members of an object; ranges are the reader's.
class MemberWriter {
  public:
    /// reproducible: without times and memory of the execution.
    MemberWriter(JsonWriter& json, bool reproducible) : json_{json}, reproducible_{reproducible} {}

    [[nodiscard]] bool has(std::string_view /*key*/) const { return true; }
    /// Whether a member that not every file has is among these. there: in what is written.
    [[nodiscard]] bool has_if(std::string_view /*key*/, bool there) const { return there; }
    [[nodiscard]] bool has_times(std::string_view /*key*/) const { return !reproducible_; }
    /// What holds of everything that is written, and is asked of what is read.
    void check(bool /*holds*/, std::string_view /*mistake*/) const {}

    void string(std::string_view key, const std::string& text) { json_.string(key, text); }
    void strings(std::string_view key, const std::vector<std::string>& texts) {
        json_.strings(key, texts);
    }
    void hash(std::string_view key, std::uint64_t value) { json_.hash(key, value); }
    void boolean(std::string_view key, bool value) { json_.integer(key, value ? 1 : 0); }
    void unsigned_integer(std::string_view key, std::uint64_t value) { json_.integer(key, value); }
    template <class Value>
    void integer(std::string_view key, const Value& value, std::int64_t, std::int64_t) {
        if constexpr (std::is_integral_v<Value>)
            json_.integer(key, value);
        else
            json_.integer(key, value.count());
    }
    template <class Value>
    void integer_or_null(std::string_view key,
                         const std::optional<Value>& value,
                         std::int64_t,
                         std::int64_t) {
        if constexpr (std::is_integral_v<Value>)
            json_.integer_or_null(key, value);
        else
            json_.integer_or_null(key, value ? std::optional{value->count()} : std::nullopt);
    }
    template <class Quantity>
    void exact(std::string_view key, const Quantity& value, int128) {
        json_.exact(key, value.count());
    }
    void number(std::string_view key, double value) { json_.number_or_null(key, value); }
    void number_or_null(std::string_view key, const std::optional<double>& value) {
        json_.number_or_null(key, value);
    }
    void numbers_or_null(std::string_view key, const std::vector<std::optional<double>>& values) {
        json_.key(key);
        json_.numbers_or_null(values);
    }
    template <class Enum>
    void one_of(std::string_view key, Enum value, std::span<const std::string_view> names) {
        json_.string(key, names[static_cast<std::size_t>(value)]);
    }
    template <class Value>
    void column(std::string_view key, const std::vector<Value>& values, std::uint64_t) {
        json_.key(key);
        if constexpr (std::is_enum_v<Value>) {
            std::vector<std::underlying_type_t<Value>> numbers;
            for (const Value value : values)
                numbers.push_back(static_cast<std::underlying_type_t<Value>>(value));
            json_.integers(std::span{std::as_const(numbers)});
        } else {
            json_.integers(std::span{values});
        }
    }
    template <class Value>
    void column_if_any(std::string_view key, const std::vector<Value>& values, std::uint64_t max) {
        if (!values.empty())
            column(key, values, max);
    }
    template <class Value>
    void free_column(std::string_view key, const std::vector<Value>& values, std::uint64_t max) {
        column(key, values, max);
    }
    template <class Value, class Members>
    void list(std::string_view key, const std::vector<Value>& values, const Members& members) {
        json_.key(key);
        json_.begin_array();
        for (const Value& value : values) {
            json_.begin_object();
            members(*this, value);
            json_.end_object();
        }
        json_.end_array();
    }

  private:
    JsonWriter& json_;
    bool reproducible_;
};

/// Reads the members of an object. Throws BadResult where one is missing, of a wrong type or out of
/// its range, and where columns differ in length.
class MemberReader {
  public:
    explicit MemberReader(const JsonReader& object) : in_{object} {}

    [[nodiscard]] bool has(std::string_view key) const { return in_.has(key); }
    [[nodiscard]] bool has_if(std::string_view key, bool /*there*/) const { return has(key); }
    [[nodiscard]] bool has_times(std::string_view key) const { return has(key); }
    void check(bool holds, std::string_view mistake) const {
        if (!holds)
            in_.fail(std::string{mistake});
    }

    void string(std::string_view key, std::string& text) const { text = in_.at(key).string(); }
    void strings(std::string_view key, std::vector<std::string>& texts) const {
        texts = in_.at(key).strings();
    }
    void hash(std::string_view key, std::uint64_t& value) const { value = in_.at(key).hash(); }
    void boolean(std::string_view key, bool& value) const {
        value = in_.at(key).integer(0, 1) == 1;
    }
    template <class Integer>
    void unsigned_integer(std::string_view key, Integer& value) const {
        value = in_.at(key).unsigned_integer();
    }
    template <class Value>
    void integer(std::string_view key, Value& value, std::int64_t min, std::int64_t max) const {
        value = static_cast<Value>(in_.at(key).integer(min, max));
    }
    template <class Value>
    void integer_or_null(std::string_view key,
                         std::optional<Value>& value,
                         std::int64_t min,
                         std::int64_t max) const {
        if (const JsonReader member = in_.at(key); !member.is_null())
            value = static_cast<Value>(member.integer(min, max));
    }
    template <class Quantity>
    void exact(std::string_view key, Quantity& value, int128 max) const {
        value = Quantity{in_.at(key).exact(max)};
    }
    void number(std::string_view key, double& value) const { value = in_.at(key).number(); }
    void number_or_null(std::string_view key, std::optional<double>& value) const {
        if (const JsonReader member = in_.at(key); !member.is_null())
            value = member.number();
    }
    void numbers_or_null(std::string_view key, std::vector<std::optional<double>>& values) const {
        for (const JsonReader& element : in_.at(key).items())
            values.push_back(element.is_null() ? std::nullopt : std::optional{element.number()});
    }
    template <class Enum>
    void one_of(std::string_view key, Enum& value, std::span<const std::string_view> names) const {
        value = static_cast<Enum>(in_.at(key).one_of(names));
    }
    /// As long as the columns before it.
    template <class Value>
    void column(std::string_view key, std::vector<Value>& values, std::uint64_t max) {
        free_column(key, values, max);
        if (length_.value_or(values.size()) != values.size())
            in_.fail("its columns differ in length");
        length_ = values.size();
    }
    template <class Value>
    void column_if_any(std::string_view key, std::vector<Value>& values, std::uint64_t max) {
        if (in_.has(key))
            column(key, values, max);
    }
    /// Of any length.
    template <class Value>
    void free_column(std::string_view key, std::vector<Value>& values, std::uint64_t max) const {
        if constexpr (std::is_enum_v<Value>) {
            for (const auto number : in_.at(key).column<std::underlying_type_t<Value>>(max))
                values.push_back(static_cast<Value>(number));
        } else {
            values = in_.at(key).column<Value>(max);
        }
    }
    template <class Value, class Members>
    void list(std::string_view key, std::vector<Value>& values, const Members& members) const {
        for (const JsonReader& element : in_.at(key).items()) {
            MemberReader one{element};
            members(one, values.emplace_back());
        }
    }

  private:
    JsonReader in_;
    std::optional<std::size_t> length_; ///< of the columns
};

}}} // namespace bursar::reports::saved
