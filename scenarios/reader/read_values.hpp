#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// An inclusive range of whole numbers; an absent end is open. "8..", "1..32", "..4", "8".
struct CountRange {
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;

    [[nodiscard]] bool contains(std::int64_t n) const {
        return (!min || n >= *min) && (!max || n <= *max);
    }
    bool operator==(const CountRange&) const = default;
};

/// Place and path of a key, for mistakes that are found later.
struct Written {
    Place place;
    std::string path;
};

}} // namespace bursar::scenarios
