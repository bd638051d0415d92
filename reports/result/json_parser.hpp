#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace reports {

/// One value of a JSON text, which it points into. Numbers and strings stay text until they are
/// read, so that a column of a million numbers takes no extra memory.
struct JsonValue {
    enum class Kind : std::uint8_t {
        null,
        boolean,
        string,
        integer, ///< a number without a fraction and an exponent
        number,  ///< any other
        column,  ///< an array of nothing but whole numbers >= 0 of at most 20 digits
        array,   ///< any other
        object
    };

    Kind kind{Kind::null};
    std::string_view key{};  ///< where it is a member: as written, without the quotes
    std::string_view text{}; ///< as written: a string without its quotes, a column without brackets
    std::size_t size{};      ///< elements of a column
    std::shared_ptr<const std::vector<JsonValue>> parts{}; ///< of an array or an object

    /// The last member with that key, or null.
    [[nodiscard]] const JsonValue* member(std::string_view name) const;
};

/// A text that is no JSON.
struct BadJson : std::exception {
    explicit BadJson(std::size_t byte_offset) : offset{byte_offset} {}
    [[nodiscard]] const char* what() const noexcept override { return "invalid JSON"; }

    std::size_t offset; ///< of the first byte that is wrong
};

/// Parses `text` (RFC 8259, in UTF-8), which outlives the value. Throws BadJson also where values
/// are nested deeper than in any result (64), and for numbers that no double can hold.
///
/// nlohmann's sax_parse gives numbers one by one, without their place in the text, so that columns
/// have to be copied before their type is known. For 20 million numbers (a million jobs) it took
/// 2.1 s of CPU, this 0.8 s (g++ 12, -O2).
[[nodiscard]] JsonValue parse_json(std::string_view text);

/// The string whose text, without quotes, is `written`; well formed.
[[nodiscard]] std::string json_string(std::string_view written);

}} // namespace bursar::reports
