#pragma once

#include <cstdint>
#include <vector>

#include "models/market/price_integral.hpp"
#include "models/market/price_series.hpp"

namespace bursar { inline namespace models {

/// The integrals of any number of price series in flat arrays, as a plan holds them.
struct PriceIntegrals {
    std::vector<PriceStep> steps;       ///< of every series, one after the other
    std::vector<std::uint32_t> buckets; ///< likewise; counted from the series' first step
    std::vector<PriceIndex> series;

    /// Adds `added`, which is valid, and returns its place in `series`.
    std::uint32_t add(const PriceSeries& added);

    /// The series at that place.
    [[nodiscard]] PriceSeries series_at(std::uint32_t place) const;

    /// Valid until the next one is added.
    [[nodiscard]] PriceIntegral of(std::uint32_t place) const {
        return {steps.data(), buckets.data(), series[place]};
    }
};

}} // namespace bursar::models
