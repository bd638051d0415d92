#include "scenarios/keys/assumptions.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/market/prices/machine_types.hpp"
#include "scenarios/scenario/policy_text.hpp"

namespace bursar { inline namespace scenarios {

void leave_out_empty_pools(Scenario& scenario) {
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.nodes == 0)
            scenario.assumed.push_back(
                fmt::format("pool {} has 0 nodes and is left out", pool.name));
    std::erase_if(scenario.fleet, [](const PoolSpec& pool) { return pool.nodes == 0; });
}

void add_assumptions(Scenario& scenario) {
    for (const Currency& currency : scenario.currencies)
        scenario.assumed.push_back(
            fmt::format("1 {} is {:.9g} USD{}{}",
                        currency.code,
                        static_cast<double>(currency.nano_usd) / nano_usd_per_usd,
                        currency.day ? " as of " + *currency.day : ", of no date",
                        currency.source.empty() ? "" : " (" + currency.source + ")"));
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.purchase == Purchase::reserved && pool.is_amortised)
            scenario.assumed.push_back(fmt::format(
                "reserved pool {} is amortised: of its terms the run's share is paid", pool.name));
        else if (pool.purchase == Purchase::reserved && !pool.term)
            scenario.assumed.push_back(
                fmt::format("reserved pool {} has no term: paid to the end of the run", pool.name));

    for (const PoolSpec& pool : scenario.fleet)
        if (pool.file_price && pool.file_price->of_machines && !pool.file_price->gpus &&
            !machine_gpus(pool.file_price->offer.type))
            scenario.assumed.push_back(fmt::format(
                "pool {}: a machine of {} has {} GPUs of its kind, which {} does not say",
                pool.name,
                pool.file_price->offer.text(),
                pool.gpus_per_node,
                pool.file_price->name()));

    for (const PoolSpec& pool : scenario.fleet) {
        if (pool.launches() && pool.boot.mean == Duration{})
            scenario.assumed.push_back(fmt::format("pool {}: nodes boot at once", pool.name));
        if (pool.has_range() && !pool.idle_timeout)
            scenario.assumed.push_back(
                fmt::format("pool {}: a node ends when it was not needed for {}",
                            pool.name,
                            duration_text(default_idle_timeout)));
    }

    std::vector<std::string> priced;
    for (const PoolSpec& pool : scenario.fleet)
        if (!pool.price_varies() && !pool.owned &&
            pool.purchase == Purchase::spot) // other purchases have an agreed price
            priced.push_back(pool.name);
    if (priced.size() == 1)
        scenario.assumed.push_back(
            fmt::format("price of pool {} is constant for the whole run", priced.front()));
    else if (!priced.empty())
        scenario.assumed.push_back(fmt::format("prices of pools {} are constant for the whole run",
                                               fmt::join(priced, ", ")));

    const auto without_checkpoint = std::ranges::count_if(
        scenario.classes, [](const ClassSpec& spec) { return !spec.checkpoint; });
    if (preemption_of(scenario.policy) != preemption_none &&
        (without_checkpoint > 0 || scenario.classes.empty()))
        scenario.assumed.emplace_back(
            "a preempted job saves all its work, at no cost, where its class has no checkpoint");

    const auto without_startup =
        std::ranges::count(scenario.classes, Duration{}, &ClassSpec::startup);
    if (scenario.classes.empty())
        scenario.assumed.emplace_back("no startup time declared");
    else if (without_startup > 0)
        scenario.assumed.push_back(fmt::format("no startup time declared ({} {})",
                                               without_startup,
                                               without_startup == 1 ? "class" : "classes"));
}

void add_unmodelled(Scenario& scenario) {
    const auto is_by_use = [](const PoolSpec& pool) {
        return pool.purchase == Purchase::spot || pool.purchase == Purchase::on_demand;
    };
    const bool scales = std::ranges::any_of(scenario.fleet, &PoolSpec::has_range);
    const auto fails = [](const PoolSpec& pool) { return pool.failures.has_value(); };
    const bool some_fail = std::ranges::any_of(scenario.fleet, fails);
    std::vector<std::string_view> missing;
    const bool jobs_fail = std::ranges::any_of(
        scenario.classes, [](const ClassSpec& spec) { return spec.failures.has_value(); });
    if (!some_fail)
        missing.emplace_back(jobs_fail ? "failures of nodes" : "failures");
    const auto is_supplied = [](const PoolSpec& pool) { return pool.availability.has_value(); };
    const bool some_supplied = std::ranges::any_of(scenario.fleet, is_supplied);
    if (!some_supplied)
        missing.emplace_back("reclaim");
    if (!scales)
        missing.emplace_back("autoscaling");
    if (!missing.empty())
        scenario.unmodelled.push_back(fmt::format("{}", fmt::join(missing, ", ")));
    for (const PoolSpec& pool : scenario.fleet) {
        if (some_fail && !fails(pool))
            scenario.unmodelled.push_back(fmt::format("pool {}: failures", pool.name));
        if (some_supplied && pool.purchase == Purchase::spot && !is_supplied(pool))
            scenario.unmodelled.push_back(fmt::format("pool {}: reclaim", pool.name));
        const bool spot = pool.purchase == Purchase::spot;
        if (is_by_use(pool) && !pool.launches())
            scenario.unmodelled.push_back(
                fmt::format("pool {}: nodes are up and paid for the whole run", pool.name));
        if (spot && !pool.price_varies())
            scenario.unmodelled.push_back(
                fmt::format("pool {}: price changes of spot capacity", pool.name));
    }
}

}} // namespace bursar::scenarios
