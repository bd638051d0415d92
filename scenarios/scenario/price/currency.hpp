#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bursar { inline namespace scenarios {

/// A currency that prices of the scenario may be written in, beside dollars.
struct Currency {
    std::string code;               ///< "EUR"
    std::int64_t nano_usd{};        ///< what one of it is worth, > 0
    std::optional<std::string> day; ///< of that rate: "2026-01-31"
    std::string source{};           ///< of that rate: "ECB reference rate"; may be empty
};

}} // namespace bursar::scenarios
