#include <algorithm>
#include <array>

#include "models/units/physics.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array per_byte_units{Unit{"USD/GB", nano_usd_per_usd},
                                    Unit{"USD/GiB", nano_usd_per_usd}};
constexpr Dimension data_prices{
    "a price of data", "0.02 USD/GiB", per_byte_units, 1000 * nano_usd_per_usd, "1000 USD"};

double usd_per_gb(Measure price) {
    constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;
    const double usd = static_cast<double>(price.count) / nano_usd_per_usd;
    return price.unit->name.ends_with("GiB") ? usd * bytes_per_gb / bytes_per_gib : usd;
}

} // namespace

Table<EgressSpec> egress_keys(const PriceContext& context) {
    const QuantityRule<double> price{data_prices, Zero::allowed, usd_per_gb};
    return table<EgressSpec>(
        {{optional("from", &EgressSpec::from, text()), "region of a pool; default: any"},
         {optional("to", &EgressSpec::to, text()), "region of a pool; default: any"},
         {required("price", &EgressSpec::usd_per_gb, money(price, context.currencies)),
          "of the data moved between them"}});
}

void check_egress(const Reader& at, const Scenario& scenario) {
    std::vector<std::string> regions;
    for (const PoolSpec& pool : scenario.fleet)
        regions.push_back(pool.region);
    for (std::size_t i = 0; i < scenario.egress.size(); ++i)
        for (const auto& [key, region] :
             {std::pair{"from", scenario.egress[i].from}, {"to", scenario.egress[i].to}})
            if (region && std::ranges::find(regions, *region) == regions.end())
                at.find("egress")->element(i).mistake_at(key,
                                                         "no pool is in a region " +
                                                             in_quotes(*region),
                                                         {},
                                                         suggestion(*region, regions));
}

}} // namespace bursar::scenarios
