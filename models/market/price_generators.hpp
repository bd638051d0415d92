#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "models/market/price_series.hpp"

/// Seeded generators of prices. Draws are made on the host when a plan is compiled: one seed is one
/// series, on every machine. Prices change in steps; instants are whole milliseconds, and a series
/// begins at 0.
namespace bursar { inline namespace models {

/// A price whose logarithm x is pulled back to its mean at every change: x' = mean + persistence (x
/// - mean) + noise N(0, 1). Times between changes are exponential. A discrete Ornstein-Uhlenbeck
/// process (Vasicek 1977) of log prices. It begins in its stationary law, the normal one with
/// variance noise^2 / (1 - persistence^2). After a time t, x has the correlation
/// exp(-(1 - persistence) t / mean_step_ms), because the number of changes is Poisson's.
/// A price beyond floor or ceiling is set to it, and x goes on from where it is.
struct MeanRevertingPrices {
    static constexpr std::string_view name = "mean-reverting";

    std::int64_t floor{};   ///< nano-USD per hour, > 0
    std::int64_t ceiling{}; ///< likewise, >= floor
    double mean_log{};      ///< of nano-USD per hour
    double persistence{};   ///< 0 .. 1, below 1
    double noise{};         ///< standard deviation of one change's log, >= 0
    double mean_step_ms{};  ///< between changes, > 0
};

/// One of the states that a price switches between.
struct PriceRegime {
    /// The price at equal steps of its rank over time, ascending, two or more: the first is the
    /// floor, the last the ceiling. Nano-USD per hour.
    std::vector<std::int64_t> quantiles;
    double mean_step_ms{}; ///< between changes while it lasts, exponential; > 0
    /// Largest change of the rank at one step, up or down, reflected at 0 and 1; 0 .. 1. The rank
    /// stays uniform for any value.
    double wander{1};
    double mean_stay_ms{}; ///< mean length of a stay, log-normal; > 0
    double stay_spread{};  ///< standard deviation of the log of that, >= 0
    double long_share{};   ///< share of long stays, 0 .. 1
    double long_stay_ms{}; ///< mean of long stays, with the same spread; > 0 if there are any
};

/// A price that switches between regimes in turn (Hamilton 1989, with stays of any spread), each
/// with its own floor and ceiling. A single regime lasts for ever.
struct RegimeSwitchingPrices {
    static constexpr std::string_view name = "regime-switching";

    std::vector<PriceRegime> regimes; ///< one or two
    std::size_t first{};              ///< the one at 0
};

/// Random blocks of a known series in sequence, wrapping from its end to its beginning (circular
/// block bootstrap, Politis and Romano 1992). It repeats observed prices only; between blocks
/// prices jump.
struct BlockBootstrapPrices {
    static constexpr std::string_view name = "block-bootstrap";

    PriceSeries source; ///< valid
    Duration end;       ///< of the source, after its first step
    Duration block;     ///< > 0
};

using PriceGenerator =
    std::variant<MeanRevertingPrices, RegimeSwitchingPrices, BlockBootstrapPrices>;

[[nodiscard]] std::string_view family_of(const PriceGenerator& generator);

/// Prices from 0 until `horizon` (> 0), in the unit of the generator. entity: distinguishes series
/// of one seed, such as a pool's number.
[[nodiscard]] PriceSeries generate_prices(const PriceGenerator& generator,
                                          Duration horizon,
                                          std::uint64_t seed,
                                          std::uint64_t entity = 0);

}} // namespace bursar::models
