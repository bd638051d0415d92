#pragma once

#include <string>

#include "models/market/fit_prices.hpp"

#include "reports/answer/answer.hpp"

#include "tools/market/price_info.hpp"

namespace bursar { inline namespace tools {

/// Generators fitted to one price of a file.
struct PriceFitAnswer {
    Answer answer;
    PriceGenerator chosen;
    Duration length; ///< of the series that was fitted
};

/// family: the one to take whatever is chosen by figures; empty: none. Throws ScenarioError where
/// the file cannot be read, has no such price or several, or the price never changes.
PriceFitAnswer fit_price(const std::string& file,
                         const PriceOptions& options,
                         const PriceComparison& against,
                         const std::string& family);

}} // namespace bursar::tools
