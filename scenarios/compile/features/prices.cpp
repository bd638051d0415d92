#include "scenarios/compile/features/prices.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/market/billing.hpp"
#include "models/market/prices_by_use.hpp"

#include "scenarios/compile/features/series_cover.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The instant of the scenario's zero, in the file's times.
std::int64_t zero_of(const FilePrice& price, const std::optional<std::int64_t>& zero_utc_ms) {
    if (price.from)
        return price.steps.start_ms.front() + price.from->count();
    if (price.times != PriceTimes::dated)
        return 0;
    if (!zero_utc_ms)
        fail_input(price.where.place,
                   price.where.path,
                   mistake(fmt::format("{} is dated, and the workload is not", price.name()),
                           "the day on which the run begins is not specified",
                           "give workload.trace.start, price.from, or prices by seconds since the "
                           "begin"));
    return *zero_utc_ms;
}

/// In scenario time.
PriceSeries series_of(const FilePrice& price,
                      const PoolSpec& pool,
                      const std::optional<std::int64_t>& zero_utc_ms) {
    PriceSeries series =
        since(Duration{zero_of(price, zero_utc_ms)}, price.per_gpu_hour(pool.gpus_per_node));
    if (!series.is_valid())
        fail_input(price.where.place,
                   price.where.path,
                   mistake(fmt::format("{} is too far from the begin of the run", price.name()),
                           "at most 278 years"));
    return series;
}

/// Drawn for a run until `until`.
PriceSeries
drawn_series(const DrawnPrice& price, const PoolSpec& pool, std::uint64_t seed, Duration until) {
    constexpr double max_steps = 20'000'000; // in 32 bytes each
    if (price.expected_steps(until) > max_steps)
        fail_input(price.where.place,
                   price.where.path,
                   mistake(fmt::format("its price changes more than {:.0f} times", max_steps),
                           "as many as can be held",
                           "give longer times between changes, or an earlier `until`"));
    return price.per_gpu_hour(pool.gpus_per_node, until, seed, pool.name);
}

/// The prices of a pool before a discount, for a run until `until`.
PriceSeries list_series(const PoolSpec& pool,
                        const std::optional<std::int64_t>& zero_utc_ms,
                        std::uint64_t seed,
                        Duration until) {
    if (pool.drawn_price)
        return drawn_series(*pool.drawn_price, pool, seed, until);
    if (pool.list_price_varies())
        return series_of(*pool.file_price, pool, zero_utc_ms);
    return {{0}, {pool.rate.count()}};
}

PriceSeries discounted(PriceSeries series, const PoolSpec& pool, Duration until) {
    if (!pool.discount->sustained_use.empty())
        series = at_shares(series, sustained_use(pool.discount->sustained_use, until));
    if (!pool.discount->volume.empty())
        series =
            at_shares(series, by_volume(pool.discount->volume, pool.nodes * pool.gpus_per_node));
    return series;
}

std::vector<PaidNode> nodes_of(const std::vector<PaidNodes>& paid, std::size_t pool) {
    std::vector<PaidNode> nodes;
    for (const PaidNodes& some : paid)
        if (some.pool == pool)
            nodes.insert(
                nodes.end(), static_cast<std::size_t>(some.nodes), {some.begin_ms, some.end_ms});
    return nodes;
}

/// Price of the pool's GPUs, from the times at which its nodes were paid for.
PriceSeries
series_by_use(const PoolSpec& pool, const PriceSeries& asked, const std::vector<PaidNode>& nodes) {
    if (pool.pays_price_of_launch())
        return locked_at_launch(asked, nodes);
    return discounted_by_use(
        asked, pool.discount->sustained_use, pool.discount->volume, pool.gpus_per_node, nodes);
}

} // namespace

bool draws_prices(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet, [](const PoolSpec& pool) {
        return pool.drawn_price || (pool.discount && !pool.price_follows_use() &&
                                    !pool.discount->sustained_use.empty());
    });
}

bool prices_follow_use(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet, &PoolSpec::price_follows_use);
}

void plan_prices(const DrawInput& input, Plan& plan) {
    const Scenario& scenario = input.scenario;
    plan.prices = {};
    for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
        const PoolSpec& pool = scenario.fleet[p];
        if (!pool.price_varies())
            continue;
        const Duration drawn_to =
            std::min(billed(input.until, plan.pools[p].billing_step), max_series_time);
        PriceSeries series = list_series(pool, input.zero_utc_ms, scenario.policy.seed, drawn_to);
        if (!pool.price_follows_use()) {
            if (pool.pays_price_of_launch() || pool.discount)
                plan.pools[p].asked_series = static_cast<std::uint16_t>(plan.prices.add(series));
            if (pool.pays_price_of_launch()) // all its nodes are launched at the zero
                series = {{0}, {locked_at_launch(series, {{0, 1}}).rate.front()}};
            if (pool.discount)
                series = discounted(std::move(series), pool, drawn_to);
        }
        plan.pools[p].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    }
}

void settle_prices(const Scenario& scenario, const std::vector<PaidNodes>& paid, Plan& plan) {
    const PriceIntegrals asked = std::exchange(plan.prices, {});
    for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
        const PoolSpec& pool = scenario.fleet[p];
        if (!plan.pools[p].has_series())
            continue;
        PriceSeries series = asked.series_at(plan.pools[p].price_series);
        std::uint16_t& followed = plan.pools[p].asked_series;
        if (followed != PlanPool::constant_price)
            followed = static_cast<std::uint16_t>(plan.prices.add(asked.series_at(followed)));
        if (pool.price_follows_use()) {
            if (plan.migration.is_on)
                followed = static_cast<std::uint16_t>(plan.prices.add(series));
            series = series_by_use(pool, series, nodes_of(paid, p));
        }
        plan.pools[p].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    }
}

namespace {

/// Warnings for prices whose file covers less than half of a run that ends at `end`.
std::vector<std::string> price_warnings(const Scenario& scenario,
                                        const std::optional<std::int64_t>& zero_utc_ms,
                                        Duration end) {
    std::vector<std::string> warnings;
    for (const PoolSpec& pool : scenario.fleet) {
        if (pool.drawn_price || !pool.list_price_varies())
            continue;
        const FilePrice& price = *pool.file_price;
        const bool shifts = price.times == PriceTimes::dated && !price.from;
        auto warning = uncovered(
            {.name = price.name(),
             .value = "price",
             .first_ms = price.steps.start_ms.front(),
             .end_ms = price.end_ms,
             .instant = [&price](std::int64_t at_ms) { return price.instant(at_ms); },
             .remedy = shifts ? "give `from`, the time in the file at which the run begins" : ""},
            zero_of(price, zero_utc_ms),
            end);
        if (!warning)
            continue;
        warning->place = price.where.place;
        warning->path = price.where.path;
        warnings.push_back(warning->text());
    }
    return warnings;
}

/// Notes for spot prices of a file that do not change in a run that ends at `end`.
std::vector<std::string>
unmodelled_prices(const Scenario& scenario, const Plan& plan, Duration end) {
    std::vector<std::string> unmodelled;
    for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
        const PoolSpec& pool = scenario.fleet[p];
        if (pool.purchase != Purchase::spot || !pool.list_price_varies() || pool.drawn_price ||
            pool.pays_price_of_launch())
            continue;
        const PriceIntegral price = plan.prices.of(plan.pools[p].price_series);
        if (price.next_step(Duration{}, end) >= end)
            unmodelled.push_back(
                fmt::format("pool {}: price changes of spot capacity (that of {} is the same all "
                            "through the run)",
                            pool.name,
                            pool.file_price->name()));
    }
    return unmodelled;
}

/// Assumptions about draws, discounts and launch prices, and about files that do not cover a run
/// that ends at `end` or count time from its begin.
std::vector<std::string> assumed_prices(const Scenario& scenario, const Plan& plan, Duration end) {
    std::vector<std::string> assumed;
    for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
        const PoolSpec& pool = scenario.fleet[p];
        if (pool.drawn_price)
            assumed.push_back(fmt::format("pool {}: {}", pool.name, pool.drawn_price->assumed()));
        if (pool.discount)
            assumed.push_back(
                fmt::format("pool {}: its discount counts from the begin of the run, in months of "
                            "730 h",
                            pool.name));
        if (pool.discount && pool.price_follows_use())
            assumed.push_back(
                fmt::format("pool {}: its discount is shared by the nodes that are paid for at the "
                            "time; a node is used on where one that ended left off",
                            pool.name));
        if (pool.pays_price_of_launch())
            assumed.push_back(
                fmt::format("pool {}: a node pays the price of its launch until it ends{}",
                            pool.name,
                            pool.launches() ? "; a job there pays the mean over the nodes that are "
                                              "paid for at the time"
                                            : ", and all are launched as the run begins"));
        if (!pool.list_price_varies() || pool.drawn_price)
            continue;
        const FilePrice& price = *pool.file_price;
        const std::string of_pool = fmt::format("pool {}: {}", pool.name, price.name());
        if (price.times == PriceTimes::relative && !price.from)
            assumed.push_back(of_pool + " begins to count time with the run");
        const PriceIndex& index = plan.prices.series[plan.pools[p].price_series];
        const std::int64_t first_ms = plan.prices.steps[index.first_step].start_ms;
        const std::int64_t first_in_file = price.steps.start_ms.front();
        const std::int64_t last_ms = first_ms + (price.end_ms - first_in_file);
        if (first_ms > 0)
            assumed.push_back(
                fmt::format("{} begins {}, {:.6g} h after the run: until then its "
                            "first price is taken",
                            of_pool,
                            price.instant(first_in_file),
                            static_cast<double>(first_ms) / static_cast<double>(hour.count())));
        if (last_ms <= 0)
            assumed.push_back(fmt::format("{} ends {}, before the run begins: its last price is "
                                          "taken throughout",
                                          of_pool,
                                          price.instant(price.end_ms)));
        else if (last_ms < billed(end, plan.pools[p].billing_step).count())
            assumed.push_back(fmt::format("{} ends {}, before the run does: from then on its last "
                                          "price is taken",
                                          of_pool,
                                          price.instant(price.end_ms)));
    }
    return assumed;
}

} // namespace

Notes run_notes_of_prices(const Scenario& scenario,
                          const Plan& plan,
                          const std::optional<std::int64_t>& zero_utc_ms,
                          Duration end) {
    return {.warnings = price_warnings(scenario, zero_utc_ms, end),
            .assumed = assumed_prices(scenario, plan, end),
            .unmodelled = unmodelled_prices(scenario, plan, end)};
}

}} // namespace bursar::scenarios
