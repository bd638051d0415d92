#include "tools/simulate/policy_labels.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "policies/catalog.hpp"
#include "policies/policy_slots.hpp"

#include "scenarios/scenario/policy/policy_text.hpp"

namespace bursar { inline namespace tools {
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
    if (scenario.policy.quantum > Duration{})
        labels.rounds = duration_text(scenario.policy.quantum);
    labels.preset = scenario.preset;
    return labels;
}

}} // namespace bursar::tools
