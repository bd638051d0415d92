#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "models/units/int128.hpp"

namespace bursar::inline reports {

/// A JSON text, parsed. Throws BadResult where it is none.
class JsonDocument {
  public:
    /// name: of the file, for messages.
    JsonDocument(std::string_view text, std::string_view name);
    ~JsonDocument();

    [[nodiscard]] const nlohmann::json& value() const { return *value_; }

  private:
    std::unique_ptr<const nlohmann::json> value_;
};

/// Typed access to one value of a saved result, which knows its path for messages. Every accessor
/// throws BadResult ("NAME: PATH: problem") on a value of the wrong type or out of range.
class JsonReader {
  public:
    /// `document` and `name` outlive the reader.
    JsonReader(const JsonDocument& document, std::string_view name)
        : JsonReader{document.value(), name, ""} {}

    [[nodiscard]] JsonReader at(std::string_view key) const;
    /// Whether this is an object with that key.
    [[nodiscard]] bool has(std::string_view key) const;
    /// The elements of an array.
    [[nodiscard]] std::vector<JsonReader> items() const;

    [[nodiscard]] bool is_null() const;
    /// Whether this is that string.
    [[nodiscard]] bool is(std::string_view text) const;
    [[nodiscard]] std::string string() const;
    [[nodiscard]] std::vector<std::string> strings() const;
    /// One of `names`, as its index.
    [[nodiscard]] std::size_t one_of(std::span<const std::string_view> names) const;
    /// A whole number in [min, max].
    [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max) const;
    [[nodiscard]] std::uint64_t unsigned_integer() const;
    /// A number written as 16 hexadecimal digits.
    [[nodiscard]] std::uint64_t hash() const;
    /// A 128-bit number in a string, in [0, max].
    [[nodiscard]] int128 exact(int128 max) const;
    [[nodiscard]] double number() const;

    /// A column of whole numbers in [0, max].
    template <class Integer>
    [[nodiscard]] std::vector<Integer> column(std::uint64_t max) const {
        static_assert(std::is_integral_v<Integer>);
        std::vector<Integer> out(num_elements());
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<Integer>(element(i, max));
        return out;
    }

    [[noreturn]] void fail(std::string_view problem) const;

  private:
    JsonReader(const nlohmann::json& value, std::string_view name, std::string path)
        : value_{value}, name_{name}, path_{std::move(path)} {}

    [[nodiscard]] std::size_t num_elements() const; ///< of an array
    /// One element of an array, a whole number in [0, max].
    [[nodiscard]] std::uint64_t element(std::size_t index, std::uint64_t max) const;

    const nlohmann::json& value_;
    std::string_view name_;
    std::string path_;
};

} // namespace bursar::inline reports
