#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"

#include "reports/document/document.hpp"
#include "reports/market/price_chart.hpp"

#include "tools/command_line/option_table.hpp"
#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Which prices of a file: the keys of a scenario's price, as options.
struct PriceOptions {
    [[nodiscard]] OfferKeys keys() const;
    [[nodiscard]] Outliers outliers() const {
        return drop_outliers ? Outliers::drop : Outliers::keep;
    }

    PriceOffer wanted;
    std::string format; ///< of the files; empty: recognised by content
    bool drop_outliers{};
    std::optional<std::int64_t> gpus; ///< of the machine; absent: as the file says
};

/// What prices are compared with.
struct PriceComparison {
    std::optional<double> on_demand; ///< USD per hour of the machine; absent: as the file says
    std::optional<double> bid;       ///< likewise; absent: the price on demand, else the mean
};

/// What a file of availability does not state itself.
struct SupplyOptions {
    /// The first option that was given; null: none.
    [[nodiscard]] const char* given() const;

    [[nodiscard]] AvailabilityOptions of_file(const std::string& path,
                                              const std::string& zone,
                                              std::optional<std::int64_t> gpus) const;

    bool inverted{};
    std::string gpu;
    std::optional<Duration> tick;
    std::optional<Duration> unit;
};

[[nodiscard]] OptionTable<PriceOptions> price_options();
[[nodiscard]] OptionTable<SupplyOptions> supply_options();
[[nodiscard]] OptionNumberRule<RealRange> dollars_per_hour();

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
