#include "policies/choice/policy_choice.hpp"

#include <algorithm>

#include "policies/choice/policy_slots.hpp"
#include "policies/preemption/registry.hpp"

namespace bursar { inline namespace policies {

bool queue_has_keys(const PolicyChoice& choice) {
    const auto queue = find_policy("queue", choice.queue);
    return !queue || queue->order.by == OrderBy::key;
}

bool hands_out_anew(const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    return preemption == PreemptByQuantum::name ||
           (preemption == PreemptByOrder::name && queue_has_keys(choice));
}

HeadRule head_of(const PolicyChoice& choice) {
    const bool decides_for_all = hands_out_anew(choice) || choice.allocator != allocator_none;
    return decides_for_all ? HeadRule::skip : choice.head;
}

std::string_view preemption_of(const PolicyChoice& choice) {
    if (!choice.preemption.empty())
        return choice.preemption;
    const auto queue = find_policy("queue", choice.queue);
    return queue && queue->order.preempts ? PreemptByOrder::name : NoPreemption::name;
}

bool draws_at_random(const PolicyChoice& choice) {
    const auto draws = [](std::string_view policy_slot, std::string_view name) {
        const auto policy = find_policy(policy_slot, name);
        return policy && policy->draws;
    };
    return (choice.capacity != capacity_count && draws("placement", choice.placement)) ||
           draws("estimates", choice.estimates);
}

namespace {

/// Whether a file replaces the run times that the queue's order needs.
bool goes_by_file(const PolicyChoice& choice) {
    const auto queue = find_policy("queue", choice.queue);
    return queue && std::ranges::any_of(queue->options, [&](const OptionInfo& option) {
               return option.kind == OptionKind::gpu_time_file &&
                      choice.queue_options.given().contains(option.name);
           });
}

} // namespace

bool needs_run_times(const PolicyChoice& choice) {
    const auto needs = [](std::string_view policy_slot, std::string_view name) {
        const auto policy = find_policy(policy_slot, name);
        return policy && policy->needs_run_times;
    };
    return (needs("queue", choice.queue) && !goes_by_file(choice)) ||
           needs("allocator", choice.allocator) || needs("backfill", choice.backfill) ||
           needs("preemption", preemption_of(choice)) || needs("staging", choice.staging);
}

}} // namespace bursar::policies
