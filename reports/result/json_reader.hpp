#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/result/json_parser.hpp"

namespace bursar { inline namespace reports {

/// A JSON text, parsed, which outlives this.
class JsonDocument {
  public:
    /// Called with the text of a column or string that was read and will not be read again.
    using Release = std::function<void(std::string_view read)>;

    /// name: of the file, for messages. Throws BadResult where the text is not JSON.
    JsonDocument(std::string_view text, std::string_view name, Release release);

    [[nodiscard]] const JsonValue& value() const { return value_; }
    [[nodiscard]] std::string_view name() const { return name_; }
    void release(std::string_view read) const { release_(read); }

  private:
    JsonValue value_;
    std::string_view name_;
    Release release_;
};

/// Typed access to one value of a saved file. It knows its path, and every accessor throws
/// BadResult
/// ("NAME: PATH: problem") on a value of the wrong type or out of range.
class JsonReader {
  public:
    /// `document` outlives the reader.
    explicit JsonReader(const JsonDocument& document)
        : JsonReader{document, document.value(), ""} {}

    [[nodiscard]] JsonReader at(std::string_view key) const;
    /// Whether this is an object with that key.
    [[nodiscard]] bool has(std::string_view key) const;
    /// The elements of an array.
    [[nodiscard]] std::vector<JsonReader> items() const;

    [[nodiscard]] bool is_null() const;
    /// Whether this is that string.
    [[nodiscard]] bool is(std::string_view text) const;
    /// To be read once.
    [[nodiscard]] std::string string() const;
    [[nodiscard]] std::vector<std::string> strings() const;
    /// The index of the string among `names`.
    [[nodiscard]] std::size_t one_of(std::span<const std::string_view> names) const;
    /// A whole number in [min, max].
    template <class Integer>
    [[nodiscard]] Integer integer(Integer min = std::numeric_limits<Integer>::min(),
                                  Integer max = std::numeric_limits<Integer>::max()) const {
        if constexpr (std::is_signed_v<Integer>)
            return static_cast<Integer>(signed_integer(min, max));
        else
            return static_cast<Integer>(unsigned_integer(min, max));
    }
    /// A number written as 16 hexadecimal digits.
    [[nodiscard]] std::uint64_t hash() const;
    /// A 128-bit number in a string.
    [[nodiscard]] int128 exact() const;
    [[nodiscard]] double number() const;

    /// A column of whole numbers in [0, max]; to be read once.
    template <class Integer>
    [[nodiscard]] std::vector<Integer> column(std::uint64_t max) const {
        static_assert(std::is_integral_v<Integer>);
        std::vector<Integer> out;
        out.reserve(num_elements());
        for_each_element(
            max, [&](std::uint64_t element) { out.push_back(static_cast<Integer>(element)); });
        return out;
    }

    [[noreturn]] void fail(std::string_view problem) const;

  private:
    JsonReader(const JsonDocument& document, const JsonValue& value, std::string path)
        : document_{document}, value_{value}, path_{std::move(path)} {}

    [[nodiscard]] std::int64_t signed_integer(std::int64_t min, std::int64_t max) const;
    [[nodiscard]] std::uint64_t unsigned_integer(std::uint64_t min, std::uint64_t max) const;

    /// Calls visit(element) for every element of an array, whole numbers in [0, max].
    template <class Visit>
    void for_each_element(std::uint64_t max, const Visit& visit) const {
        std::string_view rest = value_.text; // of a column
        for (std::size_t i = 0; i < num_elements(); ++i)
            visit(element(i, rest, max));
        if (value_.kind == JsonValue::Kind::column)
            document_.release(value_.text);
    }

    [[nodiscard]] std::size_t num_elements() const; ///< of an array
    /// One element of an array, a whole number in [0, max]. Of a column, it is the first number in
    /// `rest`, which is removed from it.
    [[nodiscard]] std::uint64_t
    element(std::size_t index, std::string_view& rest, std::uint64_t max) const;

    const JsonDocument& document_;
    JsonValue value_;
    std::string path_;
};

}} // namespace bursar::reports
