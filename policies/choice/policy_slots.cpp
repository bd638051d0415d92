#include "policies/choice/policy_slots.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "policies/allocator/registry.hpp"
#include "policies/backfill/registry.hpp"
#include "policies/broker/registry.hpp"
#include "policies/estimates/registry.hpp"
#include "policies/placement/registry.hpp"
#include "policies/precision/registry.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"
#include "policies/staging/registry.hpp"

namespace bursar { inline namespace policies {

namespace {

/// A slot whose value is a name with options.
template <std::string PolicyChoice::*policy, PolicyOptions PolicyChoice::*options>
constexpr PolicySlot
with_options_in(std::string_view name, std::string_view help, decltype(PolicySlot::policies) list) {
    return {name,
            help,
            list,
            [](const PolicyChoice& choice) -> PolicySetting {
                return {choice.*policy, choice.*options};
            },
            [](PolicyChoice& choice, PolicySetting setting) {
                choice.*policy = std::move(setting.name);
                choice.*options = std::move(setting.options);
            },
            [](const PolicyChoice& choice) -> std::string_view { return choice.*policy; }};
}

/// A slot whose policies have no options.
template <std::string PolicyChoice::*policy>
constexpr PolicySlot
named_in(std::string_view name, std::string_view help, decltype(PolicySlot::policies) list) {
    return {name,
            help,
            list,
            [](const PolicyChoice& choice) -> PolicySetting { return {choice.*policy}; },
            [](PolicyChoice& choice, PolicySetting setting) {
                choice.*policy = std::move(setting.name);
            },
            [](const PolicyChoice& choice) -> std::string_view { return choice.*policy; }};
}

std::vector<PolicyInfo> heads(std::string_view policy_slot) {
    return {{policy_slot, head_block, "while the first job does not fit, no job behind it starts"},
            {policy_slot,
             head_skip,
             "jobs that do not fit are passed over, with no reservation for them"}};
}

std::vector<PolicyInfo> capacities(std::string_view policy_slot) {
    return {{policy_slot, capacity_nodes, "gangs run on nodes, which the placement chooses"},
            {policy_slot, capacity_count, "only the number of free GPUs in a pool counts"}};
}

constexpr PolicySlot head{
    "head",
    "whether a job that does not fit blocks those behind it",
    heads,
    [](const PolicyChoice& choice) -> PolicySetting { return {std::string{name_of(choice.head)}}; },
    [](PolicyChoice& choice, PolicySetting setting) {
        choice.head = setting.name == head_skip ? HeadRule::skip : HeadRule::block;
    },
    [](const PolicyChoice& choice) { return name_of(head_of(choice)); }};

/// Without the key, the queue's order decides.
constexpr PolicySlot preemption() {
    PolicySlot row = with_options_in<&PolicyChoice::preemption, &PolicyChoice::preemption_options>(
        "preemption", "when running jobs are preempted", PreemptionPolicies::infos);
    row.held = preemption_of;
    row.unchosen = "the queue order's own";
    return row;
}

constexpr std::array table{
    with_options_in<&PolicyChoice::queue, &PolicyChoice::queue_options>(
        "queue", "order in which waiting jobs are served", QueuePolicies::infos),
    head,
    with_options_in<&PolicyChoice::backfill, &PolicyChoice::backfill_options>(
        "backfill",
        "which jobs may start before a head that does not fit",
        BackfillPolicies::infos),
    named_in<&PolicyChoice::capacity>(
        "capacity",
        "count: only the number of free GPUs counts; nodes: gangs are placed on nodes",
        capacities),
    with_options_in<&PolicyChoice::placement, &PolicyChoice::placement_options>(
        "placement", "which nodes a gang gets", PlacementPolicies::infos),
    preemption(),
    with_options_in<&PolicyChoice::estimates, &PolicyChoice::estimates_options>(
        "estimates", "run times that the scheduler expects", EstimatePolicies::infos),
    with_options_in<&PolicyChoice::precision, &PolicyChoice::precision_options>(
        "precision",
        "number format that jobs multiply in, where their class names none",
        PrecisionPolicies::infos),
    with_options_in<&PolicyChoice::broker, &PolicyChoice::broker_options>(
        "broker", "which pool is tried first", BrokerPolicies::infos),
    with_options_in<&PolicyChoice::allocator, &PolicyChoice::allocator_options>(
        "allocator",
        "one decision for all jobs: which of them hold GPUs, and of which pool",
        AllocatorPolicies::infos),
    with_options_in<&PolicyChoice::staging, &PolicyChoice::staging_options>(
        "staging",
        "whether waiting jobs stage images and data before running jobs end",
        StagingPolicies::infos),
};

} // namespace

std::span<const PolicySlot> policy_slots() {
    return table;
}

std::vector<PolicyInfo> policy_catalog() {
    std::vector<PolicyInfo> all;
    for (const PolicySlot& row : policy_slots()) {
        const std::vector<PolicyInfo> policies = row.policies(row.name);
        all.insert(all.end(), policies.begin(), policies.end());
    }
    return all;
}

std::vector<PolicyInfo> policies_of(std::string_view policy_slot) {
    const auto row = std::ranges::find(policy_slots(), policy_slot, &PolicySlot::name);
    return row == policy_slots().end() ? std::vector<PolicyInfo>{} : row->policies(row->name);
}

std::optional<PolicyInfo> find_policy(std::string_view policy_slot, std::string_view name) {
    static const std::vector<PolicyInfo> all = policy_catalog(); // runs look up several each
    const auto found = std::ranges::find_if(all, [&](const PolicyInfo& policy) {
        return policy.policy_slot == policy_slot && policy.name == name;
    });
    return found == all.end() ? std::nullopt : std::optional{*found};
}

}} // namespace bursar::policies
