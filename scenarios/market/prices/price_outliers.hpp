#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/market/prices/price_file.hpp"

namespace bursar { inline namespace scenarios {

/// Prices in a row that look like a slip.
struct OddPrices {
    std::size_t first{}; ///< of the points
    std::size_t num{};   ///< 1 to 3
    bool is_high{};      ///< ten times what is beside them or more; else a tenth or less
};

/// A price with the rows that repeat it.
struct RepeatedPrice {
    PricePoint point; ///< the first of them; with a price
    std::size_t num_rows{1};
};

/// The stretches of up to three prices that are all ten times, or a tenth of, the last usual price
/// before them and the first one after; at an end of the series, of those on the one side there is,
/// where these have three times as many rows. In order. prices: no two alike in a row.
[[nodiscard]] std::vector<OddPrices> odd_prices(const std::vector<RepeatedPrice>& prices);

}} // namespace bursar::scenarios
