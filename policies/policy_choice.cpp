#include "policies/policy_choice.hpp"

#include "policies/estimates/registry.hpp"
#include "policies/placement/registry.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar {

HeadRule head_of(const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    return preemption == PreemptByOrder::name || preemption == PreemptByQuantum::name
               ? HeadRule::skip
               : choice.head;
}

std::string_view preemption_of(const PolicyChoice& choice) {
    if (!choice.preemption.empty())
        return choice.preemption;
    bool preempts = false;
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        preempts = RuleOf<P>::traits.preempts;
    });
    return preempts ? PreemptByOrder::name : NoPreemption::name;
}

bool draws_at_random(const PolicyChoice& choice) {
    bool draws = false;
    if (choice.capacity != capacity_count)
        PlacementPolicies::with(choice.placement,
                                [&]<class P>(std::type_identity<P>) { draws = P::traits.seed; });
    EstimatePolicies::with(choice.estimates,
                           [&]<class P>(std::type_identity<P>) { draws = draws || P::draws; });
    return draws;
}

} // namespace bursar
