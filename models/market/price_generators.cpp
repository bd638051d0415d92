#include "models/market/price_generators.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

namespace bursar { inline namespace models {
namespace {

/// The draws of one series, in sequence.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t entity)
        : stream_{seed, Stream::prices}, entity_{entity} {}

    double uniform() { return stream_.uniform(entity_, n_++); }
    double normal() { return normal_quantile(uniform()); }
    /// Whole milliseconds, at least one.
    std::int64_t exponential_ms(double mean_ms) {
        return at_least_one(-portable_log(uniform()) * mean_ms);
    }
    std::int64_t log_normal_ms(double mean_ms, double spread) {
        return at_least_one(mean_ms * portable_exp(spread * normal() - spread * spread / 2));
    }
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(
            stream_.below(static_cast<std::uint64_t>(bound), entity_, n_++));
    }

  private:
    static std::int64_t at_least_one(double ms) {
        // No stay is longer than a series may be.
        const auto longest = static_cast<double>(max_series_time.count());
        return std::max<std::int64_t>(1, std::llround(std::min(ms, longest)));
    }

    RandomStream stream_;
    std::uint64_t entity_;
    std::uint32_t n_{};
};

/// Adds a step unless the price stays as it is.
void add_step(PriceSeries& series, std::int64_t at_ms, std::int64_t rate) {
    if (!series.rate.empty() && series.rate.back() == rate)
        return;
    series.start_ms.push_back(at_ms);
    series.rate.push_back(rate);
}

PriceSeries generate(const MeanRevertingPrices& g, std::int64_t horizon_ms, Draws draws) {
    assert(g.floor > 0 && g.ceiling >= g.floor && g.mean_step_ms > 0);
    assert(g.persistence >= 0 && g.persistence < 1);
    PriceSeries series;
    double log =
        g.mean_log + g.noise / std::sqrt(1 - g.persistence * g.persistence) * draws.normal();
    const double lowest = portable_log(static_cast<double>(g.floor));
    const double highest = portable_log(static_cast<double>(g.ceiling));
    for (std::int64_t at_ms = 0; at_ms < horizon_ms;
         at_ms += draws.exponential_ms(g.mean_step_ms)) {
        const double price = portable_exp(std::clamp(log, lowest, highest));
        add_step(series, at_ms, std::clamp<std::int64_t>(std::llround(price), g.floor, g.ceiling));
        log = g.mean_log + g.persistence * (log - g.mean_log) + g.noise * draws.normal();
    }
    return series;
}

/// The price at a rank between 0 and 1, between the two nearest quantiles.
std::int64_t price_at(const PriceRegime& regime, double rank) {
    const double place = rank * static_cast<double>(regime.quantiles.size() - 1);
    const std::size_t low = std::min(static_cast<std::size_t>(place), regime.quantiles.size() - 2);
    const std::int64_t below = regime.quantiles[low];
    const auto step = static_cast<double>(regime.quantiles[low + 1] - below);
    return below + std::llround((place - static_cast<double>(low)) * step);
}

/// A rank moved by up to `wander`, reflected at both ends.
double moved(double rank, double wander, double u) {
    rank += wander * (2 * u - 1);
    if (rank < 0)
        rank = -rank;
    return rank > 1 ? 2 - rank : rank;
}

/// Draws the length of a stay.
std::int64_t stay_ms(const PriceRegime& regime, Draws& draws) {
    const bool is_long = draws.uniform() < regime.long_share;
    return draws.log_normal_ms(is_long ? regime.long_stay_ms : regime.mean_stay_ms,
                               regime.stay_spread);
}

PriceSeries generate(const RegimeSwitchingPrices& g, std::int64_t horizon_ms, Draws draws) {
    assert(!g.regimes.empty() && g.first < g.regimes.size());
    PriceSeries series;
    std::size_t now = g.first;
    for (std::int64_t begin_ms = 0; begin_ms < horizon_ms;) {
        const PriceRegime& regime = g.regimes[now];
        const std::int64_t end_ms = g.regimes.size() == 1
                                        ? horizon_ms
                                        : std::min(horizon_ms, begin_ms + stay_ms(regime, draws));
        double rank = draws.uniform();
        for (std::int64_t at_ms = begin_ms; at_ms < end_ms;
             at_ms += draws.exponential_ms(regime.mean_step_ms)) {
            add_step(series, at_ms, price_at(regime, rank));
            rank = moved(rank, regime.wander, draws.uniform());
        }
        begin_ms = end_ms;
        now = (now + 1) % g.regimes.size();
    }
    return series;
}

PriceSeries generate(const BlockBootstrapPrices& g, std::int64_t horizon_ms, Draws draws) {
    const std::int64_t first_ms = g.source.start_ms.front();
    const std::int64_t length_ms = g.end.count() - first_ms;
    assert(length_ms > 0 && g.block > Duration{0});
    PriceSeries series;
    for (std::int64_t begin_ms = 0; begin_ms < horizon_ms;) {
        const std::int64_t end_ms = std::min(horizon_ms, begin_ms + g.block.count());
        std::int64_t from_ms = draws.below(length_ms); // since the source's first step
        for (std::int64_t at_ms = begin_ms; at_ms < end_ms;) {
            const auto after = std::ranges::upper_bound(g.source.start_ms, first_ms + from_ms);
            const auto step =
                static_cast<std::size_t>(after - g.source.start_ms.begin()) - std::size_t{1};
            add_step(series, at_ms, g.source.rate[step]);
            const std::int64_t until_ms = after == g.source.start_ms.end()
                                              ? length_ms
                                              : std::min(*after - first_ms, length_ms);
            at_ms += until_ms - from_ms;
            from_ms = until_ms == length_ms ? 0 : until_ms;
        }
        begin_ms = end_ms;
    }
    return series;
}

} // namespace

std::string_view family_of(const PriceGenerator& generator) {
    return std::visit([](const auto& g) { return g.name; }, generator);
}

PriceSeries generate_prices(const PriceGenerator& generator,
                            Duration horizon,
                            std::uint64_t seed,
                            std::uint64_t entity) {
    assert(horizon > Duration{0} && horizon <= max_series_time);
    return std::visit(
        [&](const auto& g) {
            return generate(g, horizon.count(), Draws{seed, entity});
        },
        generator);
}

}} // namespace bursar::models
