#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/market/prices/price_file.hpp"

#include "reports/answer/answer.hpp"
#include "reports/market/price_chart.hpp"

#include "tools/market/price_options.hpp"

namespace bursar { inline namespace tools {

/// What prices are held against.
struct PriceComparison {
    std::optional<double> on_demand; ///< USD per hour of the machine; absent: as the file says
    std::optional<double> bid;       ///< likewise; absent: the price on demand, else the mean
};

/// What files say of prices: of one offer everything, of several a row each.
struct PriceInfo {
    Answer answer;
    std::optional<PriceDrawing> drawing; ///< of one offer that has a length of time
};

/// Throws ScenarioError where a file cannot be read, or has no such prices.
PriceInfo price_info(const std::vector<std::string>& files,
                     const PriceOptions& options,
                     const PriceComparison& against);

}} // namespace bursar::tools
