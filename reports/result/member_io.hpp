#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/result/json_reader.hpp"
#include "reports/text/json_writer.hpp"

/// Writing and reading members that are listed once (saved_members.hpp): each call takes the key
/// and the member.
namespace bursar { inline namespace reports { namespace saved {

/// Writes the members of an object.
class MemberWriter {
  public:
    /// reproducible: without times and memory of the execution.
    MemberWriter(JsonWriter& json, bool reproducible) : json_{json}, reproducible_{reproducible} {}

    /// Whether an optional member is written. there: the result has it.
    [[nodiscard]] bool has_if(std::string_view /*key*/, bool there) const { return there; }
    [[nodiscard]] bool has_times(std::string_view /*key*/) const { return !reproducible_; }
    /// A condition on what is read; what is written meets it.
    void check(bool /*holds*/, std::string_view /*key*/, std::string_view /*problem*/) const {}

    void string(std::string_view key, const std::string& text) { json_.string(key, text); }
    void strings(std::string_view key, const std::vector<std::string>& texts) {
        json_.strings(key, texts);
    }
    void hash(std::string_view key, std::uint64_t value) { json_.hash(key, value); }
    void boolean(std::string_view key, bool value) { json_.integer(key, value ? 1 : 0); }
    template <class Value>
    void integer(std::string_view key, const Value& value) {
        json_.integer(key, count_of(value));
    }
    template <class Value>
    void integer_or_null(std::string_view key, const std::optional<Value>& value) {
        json_.integer_or_null(key, value ? std::optional{count_of(*value)} : std::nullopt);
    }
    template <class Quantity>
    void exact(std::string_view key, const Quantity& value) {
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
    void column(std::string_view key, const std::vector<Value>& values, std::size_t = 0) {
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
    void column_if_any(std::string_view key, const std::vector<Value>& values, std::size_t = 0) {
        if (!values.empty())
            column(key, values);
    }
    template <class Value>
    void free_column(std::string_view key, const std::vector<Value>& values) {
        column(key, values);
    }
    template <class Value, class Members>
    void list(std::string_view key, const std::vector<Value>& values, const Members& members) {
        json_.objects(key, values, [&](const Value& value) { members(*this, value); });
    }
    /// Members that the object has together or not at all. key: one of them.
    template <class Part, class Members>
    void part(std::string_view /*key*/, const std::optional<Part>& part, const Members& members) {
        if (part)
            members(*this, *part);
    }

  private:
    template <class Value>
    static auto count_of(const Value& value) {
        if constexpr (std::is_integral_v<Value>)
            return value;
        else
            return value.count();
    }

    JsonWriter& json_;
    bool reproducible_;
};

/// Reads the members of an object. Throws BadResult where one is missing or of a wrong type, and
/// where columns differ in length.
class MemberReader {
  public:
    explicit MemberReader(const JsonReader& object) : in_{object} {}

    [[nodiscard]] bool has_if(std::string_view key, bool /*there*/) const { return in_.has(key); }
    [[nodiscard]] bool has_times(std::string_view key) const { return in_.has(key); }
    void check(bool holds, std::string_view key, std::string_view problem) const {
        if (!holds)
            in_.at(key).fail(problem);
    }

    void string(std::string_view key, std::string& text) const { text = in_.at(key).string(); }
    void strings(std::string_view key, std::vector<std::string>& texts) const {
        texts = in_.at(key).strings();
    }
    void hash(std::string_view key, std::uint64_t& value) const { value = in_.at(key).hash(); }
    void boolean(std::string_view key, bool& value) const {
        value = in_.at(key).integer<std::int64_t>(0, 1) == 1;
    }
    template <class Value>
    void integer(std::string_view key, Value& value) const {
        value = value_of<Value>(in_.at(key));
    }
    template <class Value>
    void integer_or_null(std::string_view key, std::optional<Value>& value) const {
        if (const JsonReader member = in_.at(key); !member.is_null())
            value = value_of<Value>(member);
    }
    template <class Quantity>
    void exact(std::string_view key, Quantity& value) const {
        value = Quantity{in_.at(key).exact()};
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
    /// As long as the columns before it. num_values: of an enum.
    template <class Value>
    void column(std::string_view key, std::vector<Value>& values, std::size_t num_values = 0) {
        if constexpr (std::is_enum_v<Value>) {
            for (const auto number :
                 in_.at(key).column<std::underlying_type_t<Value>>(num_values - 1))
                values.push_back(static_cast<Value>(number));
        } else {
            free_column(key, values);
        }
        if (length_.value_or(values.size()) != values.size())
            in_.fail("its columns differ in length");
        length_ = values.size();
    }
    template <class Value>
    void
    column_if_any(std::string_view key, std::vector<Value>& values, std::size_t num_values = 0) {
        if (in_.has(key))
            column(key, values, num_values);
    }
    /// Of any length.
    template <class Value>
    void free_column(std::string_view key, std::vector<Value>& values) const {
        values = in_.at(key).column<Value>(std::numeric_limits<Value>::max());
    }
    template <class Value, class Members>
    void list(std::string_view key, std::vector<Value>& values, const Members& members) const {
        for (const JsonReader& element : in_.at(key).items()) {
            MemberReader one{element};
            members(one, values.emplace_back());
        }
    }
    template <class Part, class Members>
    void part(std::string_view key, std::optional<Part>& part, const Members& members) {
        if (in_.has(key))
            members(*this, part.emplace());
    }

  private:
    template <class Value>
    static Value value_of(const JsonReader& in) {
        if constexpr (std::is_integral_v<Value>)
            return in.integer<Value>();
        else
            return Value{in.integer<std::int64_t>()};
    }

    JsonReader in_;
    std::optional<std::size_t> length_; ///< of the columns
};

}}} // namespace bursar::reports::saved
