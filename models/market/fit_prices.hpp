#pragma once

#include <cstdint>
#include <vector>

#include "models/market/price_generators.hpp"

namespace bursar { inline namespace models {

/// The figures in which a generator has to look like the prices it was fitted to. Stretches at or
/// below the bid of several series are taken together.
struct PriceFigures {
    double mean{}; ///< nano-USD per hour, over time
    double changes_per_day{};
    double mean_up_ms{}; ///< of a stretch at or below the bid
    double p90_up_ms{};

    /// How far each is from `real`, of it; what is 0 in `real` counts whole where it is not here.
    [[nodiscard]] PriceFigures relative_to(const PriceFigures& real) const;
    /// The largest of the four, whatever its sign.
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

/// Fits are held against other seeds than these.
inline constexpr std::uint64_t first_fit_seed = 1'000'000'007;
inline constexpr std::uint64_t num_fit_seeds = 200;

/// A family that comes so near is not passed over for one that says more.
inline constexpr double near_enough = 0.05;

struct PriceFit {
    PriceFigures real;
    /// The families in the order of how much they say: mean-reverting (where no price is 0),
    /// regime-switching, block-bootstrap.
    std::vector<FittedPrices> families;
    std::size_t chosen{}; ///< the first within near_enough of every figure, else the nearest
};

/// Fits every family to a series by its own figures: first from its steps, then by the figures of
/// generated series, until those are met as well as the family can (the method of simulated
/// moments, McFadden 1989). The regimes are the prices up to the bid and those above it.
///
/// series: valid, with at least one change before `end`.
[[nodiscard]] PriceFit fit_prices(const PriceSeries& series, Duration end, MoneyRate bid);

}} // namespace bursar::models
