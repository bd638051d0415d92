#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/market/availability/read_availability.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// What a file of availability cannot say of itself, as options; what it shares with prices
/// ("zone", "gpus") is theirs.
struct SupplyOptions {
    bool inverted{};
    std::string gpu;
    std::string tick;
    std::string unit;

    void add_to(Command command);

    /// The first of them that was given, for files of prices, which none of them means.
    [[nodiscard]] const char* given() const;

    /// For the file `path`. Throws ScenarioError for an option that is no duration.
    [[nodiscard]] AvailabilityOptions of_file(const std::string& path,
                                              const std::string& zone,
                                              std::optional<std::int64_t> gpus) const;
};

}} // namespace bursar::tools
