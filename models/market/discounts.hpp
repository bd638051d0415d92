#pragma once

#include <cstdint>
#include <vector>

#include "models/market/price_series.hpp"

/// Discounts on capacity that is paid all the time: the share of the list price over time, in
/// millionths.
namespace bursar { inline namespace models {

inline constexpr std::int64_t whole_price = 1'000'000;

/// From this time on, this share of the list price.
struct PriceShare {
    std::int64_t start_ms{};
    std::int64_t millionths{};

    friend bool operator==(const PriceShare&, const PriceShare&) = default;
};

/// Sustained use: every month (730 h, from 0) has equal parts, one for each share in turn, until
/// `until`.
///
/// shares: at least one. Source: Google Cloud, "Sustained use discounts for Compute Engine", which
/// has four quarters of a month at 100, 80, 60 and 40 %; there months are calendar months.
[[nodiscard]] std::vector<PriceShare> sustained_use(const std::vector<std::int64_t>& shares,
                                                    Duration until);

/// One tier of a discount by volume.
struct VolumeTier {
    Duration gpu_time; ///< lower end of the tier, in GPU-milliseconds
    std::int64_t millionths{};
};

/// By volume: `gpus` GPUs, paid from 0 on, reach each tier when their summed time does. tiers:
/// ascending by GPU time. gpus: >= 1.
[[nodiscard]] std::vector<PriceShare> by_volume(const std::vector<VolumeTier>& tiers,
                                                std::int64_t gpus);

/// `list` at these shares of it, each step rounded half up. shares: ascending by time; before the
/// first the price is whole.
[[nodiscard]] PriceSeries at_shares(const PriceSeries& list, const std::vector<PriceShare>& shares);

}} // namespace bursar::models
