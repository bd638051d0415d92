#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"

#include "tools/command_line/option_table.hpp"

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

}} // namespace bursar::tools
