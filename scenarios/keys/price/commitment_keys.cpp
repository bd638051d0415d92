#include <algorithm>
#include <array>
#include <string>

#include "models/market/owned_cost.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array spend_units{Unit{"USD/h", nano_usd_per_usd},
                                 Unit{"USD/d", nano_usd_per_usd},
                                 Unit{"USD/month", nano_usd_per_usd},
                                 Unit{"USD/y", nano_usd_per_usd}};
constexpr Dimension spends{
    "a spend", "40 USD/h", spend_units, 1'000'000'000 * nano_usd_per_usd, "1000000000 USD"};

Duration period_of(std::string_view unit) {
    if (unit.ends_with("/h"))
        return hour;
    if (unit.ends_with("/d"))
        return day;
    return unit.ends_with("/y") ? year : month;
}

} // namespace

Table<CommitmentSpec> commitment_keys(const PriceContext& context) {
    using T = CommitmentSpec;
    const QuantityRule<Spend> spend{spends, Zero::refused, [](Measure measure) {
                                        return Spend{measure.count, period_of(measure.unit->name)};
                                    }};
    return table<T>({{required("name", &T::name, identifier()), "of the commitment, unique"},
                     {required("spend", &T::spend, money(spend, context.currencies)),
                      "what is owed in each period, used or not; a month is 730 h"},
                     {required("pools", &T::pools, one_or_list_of(text())),
                      "the pools whose cost counts towards it"}});
}

void check_commitments(const Reader& at, const Scenario& scenario) {
    const auto written = at.find("commitments");
    std::vector<std::string> pools;
    for (const PoolSpec& pool : scenario.fleet)
        pools.push_back(pool.name);
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < scenario.commitments.size(); ++i) {
        const CommitmentSpec& one = scenario.commitments[i];
        const Reader here = written->element(i);
        for (std::size_t before = 0; before < i; ++before)
            if (scenario.commitments[before].name == one.name)
                here.mistake_at("name", "duplicate name", "names of commitments are unique");
        for (const std::string& pool : one.pools)
            if (std::ranges::find(pools, pool) == pools.end())
                here.mistake_at(
                    "pools", "no pool is named " + in_quotes(pool), {}, suggestion(pool, pools));
            else if (std::ranges::find(taken, pool) != taken.end())
                here.mistake_at("pools",
                                in_quotes(pool) + " counts towards a commitment already",
                                "a dollar is spent once");
            else
                taken.push_back(pool);
    }
}

}} // namespace bursar::scenarios
