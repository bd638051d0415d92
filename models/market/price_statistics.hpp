#pragma once

#include <cstddef>
#include <vector>

#include "models/market/price_series.hpp"

namespace bursar { inline namespace models {

/// Statistics of a series from its first step until `end`; later prices are unknown.
struct PriceStatistics {
    Duration length;
    MoneyRate mean; ///< over time, rounded half up
    MoneyRate min;
    MoneyRate max;
    std::size_t num_changes{};
    double changes_per_day{};
};

/// series: valid. end: after its first step.
[[nodiscard]] PriceStatistics price_statistics(const PriceSeries& series, Duration end);

/// The lengths of stretches with the price at or below `bid`, in order: how long a machine
/// reclaimed by price is kept at that bid. The first and the last may have been longer.
[[nodiscard]] std::vector<Duration>
up_times(const PriceSeries& series, Duration end, MoneyRate bid);

/// Statistics of lengths. Percentiles are the nearest rank; all zero where there are none.
struct UpTimes {
    std::size_t count{};
    Duration total;
    Duration mean; ///< rounded down
    Duration p50;
    Duration p90;
    Duration max;
};

[[nodiscard]] UpTimes summary_of(std::vector<Duration> stretches);

}} // namespace bursar::models
