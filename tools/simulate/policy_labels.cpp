#include "tools/simulate/policy_labels.hpp"

#include <string>
#include <string_view>

#include "policies/catalog.hpp"

#include "scenarios/scenario/policy_text.hpp"

namespace bursar {

PolicyLabels labels_of(const Scenario& scenario) {
    const PolicyChoice& policy = scenario.policy;
    const auto label =
        [](std::string_view slot, std::string_view name, const PolicyOptions& options) {
            for (const PolicyInfo& info : policies_of(slot))
                if (info.name == name)
                    return policy_text(info, options);
            return std::string{name};
        };
    PolicyLabels labels;
    labels.queue = label("queue", policy.queue, policy.queue_options);
    labels.head = name_of(head_of(policy));
    labels.capacity = policy.capacity;
    labels.placement = label("placement", policy.placement, policy.placement_options);
    labels.broker = label("broker", policy.broker, policy.broker_options);
    labels.backfill = label("backfill", policy.backfill, policy.backfill_options);
    labels.preemption = label("preemption", preemption_of(policy), policy.preemption_options);
    labels.estimates = label("estimates", policy.estimates, policy.estimates_options);
    if (policy.quantum > Duration{})
        labels.rounds = duration_text(policy.quantum);
    labels.preset = scenario.preset;
    return labels;
}

} // namespace bursar
