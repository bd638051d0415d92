#pragma once

#include <cstddef>
#include <vector>

#include "models/market/price_series.hpp"

namespace bursar { inline namespace models {

/// What a series looks like from its first step until an end, past which nothing is known of it.
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

/// The stretches of time with the price at or below `bid`, in order, each as long as it goes on:
/// how long who bids so much keeps a machine that is taken back by price. Those at the beginning
/// and at the end of the series may have been longer.
[[nodiscard]] std::vector<Duration>
up_times(const PriceSeries& series, Duration end, MoneyRate bid);

/// How long stretches are. Percentiles are the nearest rank; all zero where there are none.
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
