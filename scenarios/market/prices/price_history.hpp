#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/market/price_series.hpp"

#include "scenarios/market/prices/price_file.hpp"

namespace bursar { inline namespace scenarios {

/// How to treat a price ten times its neighbours, or a tenth.
enum class Outliers : std::uint8_t {
    keep, ///< it may be right; a warning gives its place
    drop  ///< replaced by the price before it; the warning says so
};

/// The prices of one offer as steps.
struct PriceHistory {
    PriceOffer offer;
    PriceSeries steps; ///< per hour of the machine; in the file's times (`times`)
    PriceTimes times{PriceTimes::none};
    std::int64_t end_ms{}; ///< end of the file's prices
    std::optional<std::int64_t> gpus;
    std::size_t num_rows{};     ///< with a price
    std::vector<Finding> notes; ///< gaps, duplicates, outliers, rows out of order

    [[nodiscard]] Duration length() const { return Duration{end_ms - steps.start_ms.front()}; }
};

/// Sorts the rows, merges equal ones, and notes odd ones. Rows in reverse order are not odd. Throws
/// ScenarioError for two prices at one instant.
PriceHistory
price_history(const PriceFile& file, const OfferedPrices& offered, Outliers outliers = {});

/// A note if a price is under a third of the median price of the same machine in other regions at
/// that time: a list computed from parts may lack the GPU's part. Absent with fewer than three
/// other regions. price_history() adds it to its notes.
std::optional<Finding> unlike_other_regions(const PriceFile& file, const PriceHistory& history);

}} // namespace bursar::scenarios
