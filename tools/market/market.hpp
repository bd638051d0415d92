#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/market/availability/read_availability.hpp"

#include "reports/document/document.hpp"
#include "reports/market/price_chart.hpp"

#include "tools/command_line/options.hpp"
#include "tools/market/market_options.hpp"

namespace bursar { inline namespace tools {

/// The contents of files of prices or of availability.
struct MarketInfo {
    Document answer;
    /// Prices, or nodes, over time; absent for several offers or files, and without a time span.
    std::optional<PriceDrawing> drawing;
};

/// All figures of one offer; of several a row each. Throws ScenarioError if a file cannot be read
/// or has no such prices.
[[nodiscard]] MarketInfo price_info(const std::vector<std::string>& files,
                                    const PriceOptions& options,
                                    const PriceComparison& against);

/// All figures of one file of availability and the generators fitted to it; of several files a row
/// each.
[[nodiscard]] MarketInfo supply_info(const std::vector<AvailabilityFile>& files);

/// Adds `bursar market fit`.
void add_fit(Command market);

}} // namespace bursar::tools
