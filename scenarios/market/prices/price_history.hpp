#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/market/price_series.hpp"

#include "scenarios/market/prices/price_file.hpp"

namespace bursar { inline namespace scenarios {

/// What happens to a price ten times its neighbours, or a tenth.
enum class Outliers : std::uint8_t {
    keep, ///< it may be true; a warning says where it is
    drop  ///< the price before it holds on; the warning says so
};

/// The prices of one offer as steps.
struct PriceHistory {
    PriceOffer offer;
    PriceSeries steps; ///< per hour of the machine; times as the file's (`times`)
    PriceTimes times{PriceTimes::none};
    std::int64_t end_ms{}; ///< until when the file speaks of it
    std::optional<std::int64_t> gpus;
    std::size_t num_rows{};     ///< with a price
    std::vector<Finding> notes; ///< gaps, duplicates, outliers, rows out of order

    [[nodiscard]] Duration length() const { return Duration{end_ms - steps.start_ms.front()}; }
};

/// Sorts the rows, merges what repeats, and says what is odd about them. Rows newest first are in
/// order. Throws ScenarioError where two rows give two prices for one instant.
PriceHistory
price_history(const PriceFile& file, const OfferedPrices& offered, Outliers outliers = {});

/// A note where a price is under a third of what other regions ask at that time for the same
/// machine, at their median: a list worked out from parts may lack the GPU's. Nothing with fewer
/// than three other regions. price_history() has it among its notes.
std::optional<Finding> unlike_other_regions(const PriceFile& file, const PriceHistory& history);

}} // namespace bursar::scenarios
