#pragma once

#include <cstdint>
#include <vector>

#include "models/market/price_generators.hpp"

namespace bursar { inline namespace models {

/// The figures by which a generator is compared with the prices it was fitted to. Stretches at or
/// below the bid are pooled over series.
struct PriceFigures {
    double mean{}; ///< nano-USD per hour, over time
    double changes_per_day{};
    double mean_up_ms{}; ///< of a stretch at or below the bid
    double p90_up_ms{};

    /// The relative difference of each figure from `real`; 1 if only `real` is 0.
    [[nodiscard]] PriceFigures relative_to(const PriceFigures& real) const;
    /// The largest absolute value of the four.
    [[nodiscard]] double worst() const;
};

/// Of one series.
[[nodiscard]] PriceFigures figures_of(const PriceSeries& series, Duration end, MoneyRate bid);

/// Of `num_seeds` generated series of one length, from `first_seed` on.
[[nodiscard]] PriceFigures figures_of(const PriceGenerator& generator,
                                      Duration length,
                                      MoneyRate bid,
                                      std::uint64_t first_seed,
                                      std::uint64_t num_seeds);

/// One family, fitted.
struct FittedPrices {
    PriceGenerator generator;
    PriceFigures figures; ///< of num_fit_seeds series from first_fit_seed on
    double worst{};       ///< of figures.relative_to(real)
};

/// Fits are checked with other seeds.
inline constexpr std::uint64_t first_fit_seed = 1'000'000'007;
inline constexpr std::uint64_t num_fit_seeds = 200;

/// A family within this distance is preferred to a more detailed one.
inline constexpr double near_enough = 0.05;

struct PriceFit {
    PriceFigures real;
    /// The families, least detailed first: mean-reverting (where no price is 0), regime-switching,
    /// block-bootstrap.
    std::vector<FittedPrices> families;
    std::size_t chosen{}; ///< the first within near_enough of every figure, else the nearest
};

/// Fits every family to a series: first from the steps of the series, then until the figures of
/// generated series are as close as the family allows (the method of simulated moments, McFadden
/// 1989). The regimes are the prices up to the bid and those above it.
///
/// series: valid, with at least one change before `end`.
[[nodiscard]] PriceFit fit_prices(const PriceSeries& series, Duration end, MoneyRate bid);

}} // namespace bursar::models
