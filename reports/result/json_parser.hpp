#pragma once

#include <cstddef>
#include <exception>
#include <string_view>

#include "reports/result/json_value.hpp"

namespace bursar { inline namespace reports {

/// A text that is no JSON.
struct BadJson : std::exception {
    enum class Problem { syntax, large_number };

    BadJson(Problem what_is_wrong, std::size_t byte_offset)
        : problem{what_is_wrong}, offset{byte_offset} {}
    [[nodiscard]] const char* what() const noexcept override { return "invalid JSON"; }

    Problem problem;
    std::size_t offset; ///< where it was noticed
};

/// The value that `text` is (RFC 8259, in UTF-8), which outlives it. Throws BadJson also for values
/// in one another deeper than any result has (64), and for numbers that no double can hold.
[[nodiscard]] JsonValue parse_json(std::string_view text);

}} // namespace bursar::reports
