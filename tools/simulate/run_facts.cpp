#include "tools/simulate/run_facts.hpp"

#include <string>
#include <utility>

#include "scenarios/compile/assumed_under.hpp"

#include "tools/simulate/policy_labels.hpp"
#include "tools/simulate/version.hpp"

namespace bursar { inline namespace tools {

RunFacts facts_of(const Scenario& scenario, const Compiled& compiled) {
    RunFacts facts;
    facts.version = version;
    facts.scenario_name = scenario.name;
    facts.scenario_hash = scenario.hash;
    facts.seed = scenario.policy.seed;
    facts.policy = labels_of(scenario);
    for (const PoolSpec& pool : scenario.fleet)
        facts.price_basis.push_back(pool.price_basis);
    for (const Currency& currency : scenario.currencies)
        if (currency.code == scenario.bill_currency)
            facts.currency = BillCurrency{
                currency.code, currency.nano_usd, currency.day.value_or(""), currency.source};
    for (const Finding& warning : scenario.warnings)
        facts.warnings.push_back(warning.text());
    for (const std::string& warning : compiled.warnings)
        facts.warnings.push_back(warning);
    facts.decisive = compiled.decisive;
    facts.assumed = scenario.assumed;
    for (std::string& assumed : assumed_under(scenario.policy, compiled.assumed))
        facts.assumed.push_back(std::move(assumed));
    facts.unmodelled = scenario.unmodelled;
    facts.unmodelled.insert(
        facts.unmodelled.end(), compiled.unmodelled.begin(), compiled.unmodelled.end());
    facts.trace_notes = compiled.trace_notes;
    return facts;
}

}} // namespace bursar::tools
