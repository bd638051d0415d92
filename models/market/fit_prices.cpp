#include "models/market/fit_prices.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "models/market/price_statistics.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr int num_corrections = 6; ///< of a mean or a rate, by the ratio to its target
constexpr std::size_t num_quantiles = 33;

/// One step of the series that is fitted, with how long it holds.
struct HeldPrice {
    std::int64_t rate{};
    double held_ms{};
};

/// What the families are fitted to.
struct Target {
    PriceSeries series;
    Duration end;
    MoneyRate bid;
    PriceFigures figures;

    [[nodiscard]] Duration length() const { return end - Duration{series.start_ms.front()}; }
    [[nodiscard]] std::vector<HeldPrice> held() const {
        std::vector<HeldPrice> all;
        for (std::size_t i = 0; i < series.size() && series.start_ms[i] < end.count(); ++i) {
            const std::int64_t until =
                i + 1 < series.size() ? std::min(series.start_ms[i + 1], end.count()) : end.count();
            all.push_back({series.rate[i], static_cast<double>(until - series.start_ms[i])});
        }
        return all;
    }
};

PriceFigures fit_figures(const PriceGenerator& generator, const Target& target) {
    return figures_of(generator, target.length(), target.bid, first_fit_seed, num_fit_seeds);
}

FittedPrices fitted(PriceGenerator generator, const Target& target) {
    FittedPrices fit{std::move(generator), {}, 0};
    fit.figures = fit_figures(fit.generator, target);
    fit.worst = fit.figures.relative_to(target.figures).worst();
    return fit;
}

/// `wanted` over `found`, limited so that corrections do not diverge.
double correction(double wanted, double found) {
    return found > 0 ? std::clamp(wanted / found, 0.5, 2.0) : 1;
}

// ---- mean-reverting

FittedPrices fit_mean_reverting(const Target& target) {
    const std::vector<HeldPrice> held = target.held();
    MeanRevertingPrices g;
    const auto [low, high] = std::ranges::minmax(held, {}, &HeldPrice::rate);
    g.floor = low.rate;
    g.ceiling = high.rate;
    std::vector<double> logs;
    for (const HeldPrice& step : held)
        logs.push_back(std::log(static_cast<double>(step.rate)));
    const double n = static_cast<double>(logs.size());
    g.mean_log = std::accumulate(logs.begin(), logs.end(), 0.0) / n;
    double variance = 0;
    double covariance = 0;
    for (std::size_t i = 0; i + 1 < logs.size(); ++i) {
        variance += (logs[i] - g.mean_log) * (logs[i] - g.mean_log);
        covariance += (logs[i] - g.mean_log) * (logs[i + 1] - g.mean_log);
    }
    g.persistence = variance > 0 ? std::clamp(covariance / variance, 0.0, 0.9999) : 0;
    double residual = 0;
    for (std::size_t i = 0; i + 1 < logs.size(); ++i) {
        const double expected = g.mean_log + g.persistence * (logs[i] - g.mean_log);
        residual += (logs[i + 1] - expected) * (logs[i + 1] - expected);
    }
    g.noise = std::sqrt(residual / std::max(1.0, n - 1));
    g.mean_step_ms = static_cast<double>(target.length().count()) / std::max(1.0, n - 1);
    for (int i = 0; i < num_corrections; ++i) {
        const PriceFigures found = fit_figures(g, target);
        g.mean_log += std::log(correction(target.figures.mean, found.mean));
        g.mean_step_ms /= correction(target.figures.changes_per_day, found.changes_per_day);
    }
    return fitted(g, target);
}

// ---- regime-switching

/// The price at equal steps of rank over time.
std::vector<std::int64_t> quantiles_of(std::vector<HeldPrice> held) {
    std::ranges::sort(held, {}, &HeldPrice::rate);
    double total = 0;
    for (const HeldPrice& step : held)
        total += step.held_ms;
    std::vector<std::int64_t> quantiles;
    std::size_t i = 0;
    double before = 0;
    for (std::size_t q = 0; q < num_quantiles; ++q) {
        const double wanted = total * static_cast<double>(q) / (num_quantiles - 1);
        while (i + 1 < held.size() && before + held[i].held_ms < wanted)
            before += held[i++].held_ms;
        quantiles.push_back(held[i].rate);
    }
    quantiles.front() = held.front().rate;
    quantiles.back() = held.back().rate;
    return quantiles;
}

/// The mean distance of ranks between one step and the next, doubled: the reach of a uniform move.
double wander_of(const std::vector<std::vector<HeldPrice>>& stays,
                 const std::vector<std::int64_t>& quantiles) {
    const auto rank = [&](std::int64_t rate) {
        const auto [low, high] = std::ranges::equal_range(quantiles, rate);
        return static_cast<double>((low - quantiles.begin()) + (high - quantiles.begin())) / 2 /
               static_cast<double>(quantiles.size());
    };
    double sum = 0;
    double n = 0;
    for (const std::vector<HeldPrice>& stay : stays)
        for (std::size_t i = 1; i < stay.size(); ++i, ++n)
            sum += std::abs(rank(stay[i].rate) - rank(stay[i - 1].rate));
    return n > 0 ? std::clamp(2 * sum / n, 0.3, 1.0) : 1;
}

double length_of(const std::vector<HeldPrice>& stay) {
    double total = 0;
    for (const HeldPrice& step : stay)
        total += step.held_ms;
    return total;
}

PriceRegime regime_of(const std::vector<std::vector<HeldPrice>>& stays) {
    std::vector<HeldPrice> all;
    for (const std::vector<HeldPrice>& stay : stays)
        all.insert(all.end(), stay.begin(), stay.end());
    const double total = length_of(all);
    PriceRegime regime;
    regime.quantiles = quantiles_of(all);
    regime.wander = wander_of(stays, regime.quantiles);
    regime.mean_step_ms = total / static_cast<double>(all.size());
    regime.mean_stay_ms = total / static_cast<double>(stays.size());
    return regime;
}

/// The regimes of the series: prices up to the bid, and prices above it.
RegimeSwitchingPrices seen_regimes(const Target& target) {
    std::array<std::vector<std::vector<HeldPrice>>, 2> stays;
    std::size_t now = 2;
    std::size_t first = 2;
    for (const HeldPrice& step : target.held()) {
        const std::size_t regime = step.rate <= target.bid.count() ? 0 : 1;
        if (regime != now)
            stays[regime].emplace_back();
        stays[regime].back().push_back(step);
        now = regime;
        first = first == 2 ? regime : first;
    }
    RegimeSwitchingPrices g;
    for (const auto& of_regime : stays)
        if (!of_regime.empty())
            g.regimes.push_back(regime_of(of_regime));
    g.first = g.regimes.size() == 2 ? first : 0;
    return g;
}

/// The same with one price per stay, the regime's mean, so that only stays decide its figures.
RegimeSwitchingPrices outline_of(RegimeSwitchingPrices g) {
    for (PriceRegime& regime : g.regimes) {
        const auto ends = static_cast<double>(regime.quantiles.front() + regime.quantiles.back());
        const double sum =
            std::accumulate(regime.quantiles.begin(), regime.quantiles.end(), 0.0) - ends / 2;
        const std::int64_t mean =
            std::llround(sum / static_cast<double>(regime.quantiles.size() - 1));
        regime.quantiles = {mean, mean};
        regime.mean_step_ms = static_cast<double>(max_series_time.count());
    }
    return g;
}

/// The distance of the stays' figures from the wanted ones: lengths of stretches, and their share
/// of the time, which follows from the mean price. It is the sum over several batches of seeds plus
/// the worst of them, because one batch may match by chance.
double stay_error(const RegimeSwitchingPrices& g, const Target& target) {
    constexpr std::uint64_t num_batches = 5;
    constexpr std::uint64_t batch = 200;
    const RegimeSwitchingPrices outline = outline_of(g);
    double sum = 0;
    double worst = 0;
    for (std::uint64_t i = 0; i < num_batches; ++i) {
        PriceFigures off =
            figures_of(outline, target.length(), target.bid, first_fit_seed + i * batch, batch)
                .relative_to(target.figures);
        off.changes_per_day = 0;
        sum +=
            off.mean * off.mean + off.mean_up_ms * off.mean_up_ms + off.p90_up_ms * off.p90_up_ms;
        worst = std::max(worst, off.worst());
    }
    return sum / num_batches + worst * worst;
}

/// The parameters of a regime's stays that are searched. The share of long ones only if there are
/// any.
void change_stays(PriceRegime& regime, std::size_t which, double by) {
    constexpr double longest_spread = 3;
    constexpr std::array members{&PriceRegime::mean_stay_ms, &PriceRegime::long_stay_ms};
    const auto longest = static_cast<double>(max_series_time.count());
    if (which < members.size())
        regime.*members[which] = std::clamp(regime.*members[which] * std::exp(by), 1.0, longest);
    else if (which == 2)
        regime.stay_spread = std::clamp(regime.stay_spread + by, 0.0, longest_spread);
    else if (regime.long_share > 0)
        regime.long_share = std::clamp(regime.long_share + by / 4, 0.01, 0.99);
}
constexpr std::size_t num_stay_changes = 4;

/// Searches for better stays, in ever smaller steps (Hooke and Jeeves 1961). Returns the remaining
/// error.
double search_stays(RegimeSwitchingPrices& g, const Target& target) {
    constexpr int most_rounds = 12;
    double best = stay_error(g, target);
    for (double reach = 0.8; reach > 0.02; reach /= 2) {
        bool better = true;
        for (int round = 0; better && round < most_rounds; ++round) {
            better = false;
            for (std::size_t i = 0; i < num_stay_changes * g.regimes.size(); ++i)
                for (const double by : {reach, -reach}) {
                    RegimeSwitchingPrices tried = g;
                    change_stays(tried.regimes[i / num_stay_changes], i % num_stay_changes, by);
                    const double error = stay_error(tried, target);
                    if (error < best * 0.999) {
                        best = error;
                        g = tried;
                        better = true;
                    }
                }
        }
    }
    return best;
}

/// The best stays from several starting points: equal regimes or not, with or without long stays.
void fit_stays(RegimeSwitchingPrices& g, const Target& target) {
    constexpr double good_enough = 0.002;
    RegimeSwitchingPrices best = g;
    double least = stay_error(g, target);
    for (const double long_share : {0.0, 0.2}) {
        for (const double spread : {0.0, 0.4, 1.2}) {
            RegimeSwitchingPrices tried = g;
            for (PriceRegime& regime : tried.regimes)
                regime.stay_spread = spread;
            PriceRegime& cheap = tried.regimes.front();
            cheap.long_share = long_share;
            cheap.long_stay_ms = target.figures.p90_up_ms;
            if (long_share > 0)
                cheap.mean_stay_ms /= 4;
            const double error = search_stays(tried, target);
            if (error < least) {
                least = error;
                best = tried;
            }
            if (least < good_enough)
                break;
        }
        if (least < good_enough)
            break;
    }
    g = best;
}

FittedPrices fit_regimes(const Target& target) {
    RegimeSwitchingPrices g = seen_regimes(target);
    if (g.regimes.size() == 2)
        fit_stays(g, target);
    for (int i = 0; i < num_corrections; ++i) {
        const double by =
            correction(target.figures.changes_per_day, fit_figures(g, target).changes_per_day);
        for (PriceRegime& regime : g.regimes)
            regime.mean_step_ms /= by;
    }
    return fitted(g, target);
}

// ---- block-bootstrap

FittedPrices fit_blocks(const Target& target) {
    FittedPrices best;
    bool first = true;
    for (const std::int64_t parts : {2, 3, 4, 6, 8, 12, 16}) {
        const Duration block{std::max<std::int64_t>(1, target.length().count() / parts)};
        FittedPrices tried = fitted(BlockBootstrapPrices{target.series, target.end, block}, target);
        if (first || tried.worst < best.worst)
            best = std::move(tried);
        first = false;
    }
    return best;
}

} // namespace

PriceFigures PriceFigures::relative_to(const PriceFigures& real) const {
    const auto off = [](double found, double wanted) {
        if (wanted == 0)
            return found == 0 ? 0.0 : 1.0;
        return found / wanted - 1;
    };
    return {off(mean, real.mean),
            off(changes_per_day, real.changes_per_day),
            off(mean_up_ms, real.mean_up_ms),
            off(p90_up_ms, real.p90_up_ms)};
}

double PriceFigures::worst() const {
    return std::max(
        {std::abs(mean), std::abs(changes_per_day), std::abs(mean_up_ms), std::abs(p90_up_ms)});
}

PriceFigures figures_of(const PriceSeries& series, Duration end, MoneyRate bid) {
    const PriceStatistics found = price_statistics(series, end);
    const UpTimes up = summary_of(up_times(series, end, bid));
    return {static_cast<double>(found.mean.count()),
            found.changes_per_day,
            static_cast<double>(up.mean.count()),
            static_cast<double>(up.p90.count())};
}

PriceFigures figures_of(const PriceGenerator& generator,
                        Duration length,
                        MoneyRate bid,
                        std::uint64_t first_seed,
                        std::uint64_t num_seeds) {
    PriceFigures sum;
    std::vector<Duration> stretches;
    for (std::uint64_t i = 0; i < num_seeds; ++i) {
        const PriceSeries series = generate_prices(generator, length, first_seed + i);
        const PriceStatistics found = price_statistics(series, length);
        sum.mean += static_cast<double>(found.mean.count());
        sum.changes_per_day += found.changes_per_day;
        const std::vector<Duration> up = up_times(series, length, bid);
        stretches.insert(stretches.end(), up.begin(), up.end());
    }
    const UpTimes up = summary_of(std::move(stretches));
    const auto n = static_cast<double>(num_seeds);
    return {sum.mean / n,
            sum.changes_per_day / n,
            static_cast<double>(up.mean.count()),
            static_cast<double>(up.p90.count())};
}

PriceFit fit_prices(const PriceSeries& series, Duration end, MoneyRate bid) {
    const Target target{series, end, bid, figures_of(series, end, bid)};
    assert(target.figures.changes_per_day > 0);
    PriceFit fit;
    fit.real = target.figures;
    if (std::ranges::min(series.rate) > 0)
        fit.families.push_back(fit_mean_reverting(target));
    fit.families.push_back(fit_regimes(target));
    fit.families.push_back(fit_blocks(target));
    const auto near = std::ranges::find_if(
        fit.families, [](const FittedPrices& one) { return one.worst <= near_enough; });
    const auto chosen = near != fit.families.end()
                            ? near
                            : std::ranges::min_element(fit.families, {}, &FittedPrices::worst);
    fit.chosen = static_cast<std::size_t>(chosen - fit.families.begin());
    return fit;
}

}} // namespace bursar::models
