#include "tools/simulate/run_facts.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/scenario/policy_text.hpp"

#include "tools/simulate/build_version.hpp"

namespace bursar { inline namespace tools {
RunFacts facts_of(const Scenario& scenario, const Compiled& compiled) {
    RunFacts facts;
    facts.version = build_version;
    facts.scenario_name = scenario.name;
    facts.scenario_text = scenario.text;
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

std::string seeds_sentence(const Scenario& scenario) {
    const bool times_by_model = std::ranges::any_of(
        scenario.classes, [](const ClassSpec& one) { return one.training.model.has_value(); });
    return fmt::format("intervals over seeds cover what is drawn ({}), and no other trace, price "
                       "file or error of a model{}",
                       fmt::join(drawn_by_seed(scenario), ", "),
                       times_by_model ? ", but for that of run times in the total cost" : "");
}

namespace {

/// The policy that a run under the choice has, as a scenario would write it.
std::string text_of(const PolicySlot& row, const PolicyChoice& choice) {
    const std::string_view name = row.held(choice);
    const std::optional<PolicyInfo> policy = find_policy(row.name, name);
    return policy ? policy_text(*policy, row.chosen(choice).options) : std::string{name};
}

} // namespace

PolicyLabels labels_of(const Scenario& scenario) {
    PolicyLabels labels;
    for (const PolicySlot& row : policy_slots())
        for (const PolicyLabel& label : policy_labels)
            if (label.name == row.name)
                labels.*label.text = text_of(row, scenario.policy);
    if (scenario.policy.allocator == allocator_none)
        labels.allocator.clear();
    if (scenario.policy.quantum > Duration{})
        labels.rounds = duration_text(scenario.policy.quantum);
    labels.preset = scenario.preset;
    return labels;
}

}} // namespace bursar::tools
