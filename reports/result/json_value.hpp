#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace reports {

/// One value of a JSON text, which it points into: numbers and strings stay as they are written
/// until they are asked for, so that a column of a million numbers takes no memory of its own.
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

/// What a string means whose text, without quotes, is `written`; well formed.
[[nodiscard]] std::string json_string(std::string_view written);

}} // namespace bursar::reports
