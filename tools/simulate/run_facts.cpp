#include "tools/simulate/run_facts.hpp"

#include <string>
#include <utility>

#include "scenarios/compile/compiled/compiled.hpp"

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
    facts.assumed = scenario.assumed;
    facts.unmodelled = scenario.unmodelled;
    Notes notes = compiled.notes;
    notes.assumed = assumed_under(scenario.policy, std::move(notes.assumed));
    facts.add(std::move(notes));
    facts.trace_notes = compiled.trace_notes;
    return facts;
}

}} // namespace bursar::tools
