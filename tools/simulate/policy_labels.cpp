#include "tools/simulate/policy_labels.hpp"

#include <string>
#include <string_view>

#include "policies/policy_slots.hpp"

#include "scenarios/scenario/policy_text.hpp"

namespace bursar {
namespace {

/// The policy that a run under the choice has, as a scenario would write it.
std::string text_of(const PolicySlot& row, const PolicyChoice& choice) {
    const std::string_view name = row.held(choice);
    for (const PolicyInfo& info : row.policies(row.name))
        if (info.name == name)
            return policy_text(info, row.chosen(choice).options);
    return std::string{name};
}

} // namespace

PolicyLabels labels_of(const Scenario& scenario) {
    PolicyLabels labels;
    for (const PolicySlot& row : policy_slots())
        for (const PolicyLabel& label : policy_labels)
            if (label.slot == row.name)
                labels.*label.text = text_of(row, scenario.policy);
    if (scenario.policy.quantum > Duration{})
        labels.rounds = duration_text(scenario.policy.quantum);
    labels.preset = scenario.preset;
    return labels;
}

} // namespace bursar
