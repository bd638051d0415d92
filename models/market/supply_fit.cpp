#include "models/market/supply_fit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

/// Lengths of one kind of spell.
struct Lives {
    std::vector<Duration> whole;
    std::vector<Duration> all;
    std::int64_t ends{}; ///< number of observed ends
    double sum_ms{};

    [[nodiscard]] double mean_ms() const { return sum_ms / static_cast<double>(ends); }
};

Lives lives_of(const SupplySeries& supply, bool up) {
    Lives out;
    for (std::int32_t node = 1; node <= supply.max_nodes(); ++node) {
        const std::vector<SupplySpell> spells_of_node = spells(supply, node);
        for (std::size_t i = 0; i < spells_of_node.size(); ++i) {
            const SupplySpell& spell = spells_of_node[i];
            if (spell.up != up || spell.length < millisecond)
                continue;
            out.all.push_back(spell.length);
            out.sum_ms += static_cast<double>(spell.length.count());
            out.ends += i + 1 < spells_of_node.size() ? 1 : 0;
            if (spell.whole)
                out.whole.push_back(spell.length);
        }
    }
    return out;
}

/// The Weibull shape under which these lives are most likely; those that are not whole lasted
/// longer than they were seen. Source: Lawless, "Statistical models and methods for lifetime data",
/// 2nd edition 2003, section 5.2: the root of an increasing function.
double weibull_shape(const Lives& lives) {
    const double longest = static_cast<double>(std::ranges::max(lives.all).count());
    const auto scaled = [&](Duration life) { return static_cast<double>(life.count()) / longest; };
    double mean_log = 0;
    for (const Duration life : lives.whole)
        mean_log += std::log(scaled(life)) / static_cast<double>(lives.whole.size());
    double low = 0.1;
    double high = 10;
    for (int step = 0; step < 60; ++step) {
        const double shape = (low + high) / 2;
        double weights = 0;
        double logs = 0;
        for (const Duration life : lives.all) {
            const double weight = std::pow(scaled(life), shape);
            weights += weight;
            logs += weight * std::log(scaled(life));
        }
        (logs / weights - 1 / shape - mean_log < 0 ? low : high) = shape;
    }
    return std::round(low * 1e4) / 1e4;
}

LifeLaw weibull_of(const Lives& lives) {
    const double shape = weibull_shape(lives);
    return LifeLaw::weibull(shape,
                            Duration{std::llround(lives.mean_ms() / std::tgamma(1 + 1 / shape))});
}

/// Correlation of two nodes' being up, from the variance of their number.
double correlation_of(const SupplySeries& supply) {
    const double n = supply.max_nodes();
    const double share = statistics_of(supply).node_up_share;
    double variance = 0;
    const auto steps = supply.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::int64_t until =
            i + 1 < steps.size() ? steps[i + 1].time_ms : supply.end().count();
        const double off = steps[i].nodes - n * share;
        variance += off * off * static_cast<double>(until - steps[i].time_ms) /
                    static_cast<double>(supply.length().count());
    }
    const double alone = n * share * (1 - share);
    return std::round(std::clamp((variance / alone - 1) / (n - 1), 0.0, 1.0) * 1e4) / 1e4;
}

ZoneSupply exponential_fit(const SupplySeries& supply, const Lives& up, const Lives& down) {
    const Duration mean_up{std::llround(up.mean_ms())};
    const Duration mean_down{std::llround(down.mean_ms())};
    if (supply.max_nodes() == 1)
        return {1, {LifeLaw::exponential(mean_up), LifeLaw::exponential(mean_down)}, std::nullopt};
    const double share = up.mean_ms() / (up.mean_ms() + down.mean_ms());
    return zone_supply({supply.max_nodes(), mean_up, share, correlation_of(supply)});
}

double difference(double generated, double fitted) {
    return fitted == 0 ? std::abs(generated) : std::abs(generated / fitted - 1);
}

double worst_difference(const SupplyStatistics& a, const SupplyStatistics& b) {
    const auto ms = [](Duration time) { return static_cast<double>(time.count()); };
    return std::max({difference(a.node_up_share, b.node_up_share),
                     difference(a.changes_per_day, b.changes_per_day),
                     difference(ms(a.mean_up), ms(b.mean_up)),
                     difference(ms(a.p90_up), ms(b.p90_up))});
}

} // namespace

SupplySeries
generate(const SupplyModel& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity) {
    return std::visit([&](const auto& model) { return generate(model, horizon, seed, entity); },
                      supply);
}

SupplyStatistics pooled_statistics(const SupplyModel& supply, Duration horizon, int num_seeds) {
    assert(num_seeds >= 1);
    SupplyStatistics sum;
    std::vector<SupplySpell> all_spells;
    int128 node_ms = 0;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        const SupplySeries series = generate(supply, horizon, static_cast<std::uint64_t>(seed));
        const SupplyStatistics one = statistics_of(series);
        sum.mean_nodes += one.mean_nodes / num_seeds;
        sum.availability += one.availability / num_seeds;
        sum.node_up_share += one.node_up_share / num_seeds;
        sum.changes_per_day += one.changes_per_day / num_seeds;
        sum.node_hours += one.node_hours / num_seeds;
        sum.num_launches += one.num_launches;
        sum.num_reclaims += one.num_reclaims;
        node_ms += series.node_ms();
        const std::vector<SupplySpell> of_one = node_spells(series);
        all_spells.insert(all_spells.end(), of_one.begin(), of_one.end());
    }
    if (sum.num_launches > 0)
        sum.mean_up = Duration{static_cast<std::int64_t>(node_ms / int128{sum.num_launches})};
    sum.p90_up = up_percentile(all_spells, 90);
    sum.num_launches /= num_seeds;
    sum.num_reclaims /= num_seeds;
    return sum;
}

std::vector<FittedSupply> fit_supply(const SupplySeries& supply, int num_seeds) {
    const Lives up = lives_of(supply, true);
    const Lives down = lives_of(supply, false);
    if (up.whole.size() < 2 || down.whole.size() < 2)
        throw ModelError{"supply",
                         "too few nodes come and go",
                         "a fit needs two up-times and two down-times from beginning to end"};
    const std::int32_t nodes = supply.max_nodes();
    std::vector<FittedSupply> fits;
    fits.push_back({SupplyFamily::exponential, exponential_fit(supply, up, down), {}, 0});
    fits.push_back({SupplyFamily::weibull,
                    ZoneSupply{nodes, {weibull_of(up), weibull_of(down)}, std::nullopt},
                    {},
                    0});
    if (nodes > 1) {
        fits.push_back({SupplyFamily::markov, fit_markov(supply), {}, 0});
        fits.push_back({SupplyFamily::blocks, block_supply(supply), {}, 0});
    } else {
        const UpDown node{LifeLaw::resampled(up.all), LifeLaw::resampled(down.all)};
        fits.push_back({SupplyFamily::resampled, ZoneSupply{1, node, std::nullopt}, {}, 0});
    }
    const SupplyStatistics real = statistics_of(supply);
    for (FittedSupply& fit : fits) {
        fit.generated = pooled_statistics(fit.model, supply.length(), num_seeds);
        fit.worst_difference = worst_difference(fit.generated, real);
    }
    return fits;
}

const FittedSupply& chosen_fit(const std::vector<FittedSupply>& fits) {
    assert(!fits.empty());
    for (const FittedSupply& fit : fits)
        if (fit.worst_difference <= near_enough_fit)
            return fit;
    return *std::ranges::min_element(fits, {}, &FittedSupply::worst_difference);
}

}} // namespace bursar::models
