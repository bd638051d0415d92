#include "policies/catalog.hpp"

#include <algorithm>

#include "policies/policy_slots.hpp"

namespace bursar { inline namespace policies {

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
    static const std::vector<PolicyInfo> all = policy_catalog(); // runs ask for several each
    const auto found = std::ranges::find_if(all, [&](const PolicyInfo& policy) {
        return policy.policy_slot == policy_slot && policy.name == name;
    });
    return found == all.end() ? std::nullopt : std::optional{*found};
}

}} // namespace bursar::policies
