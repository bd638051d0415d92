#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/policy_choice.hpp"
#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace policies {

/// A policy as a scenario picks it.
struct PolicySetting {
    std::string name;
    PolicyOptions options{};
};

/// A policy slot: one of the choices that make up a PolicyChoice. Scenario keys and their schema,
/// the catalogue, its marks of defaults and the labels of reports follow from the table of these.
struct PolicySlot {
    std::string_view name; ///< the key under `policy`
    std::string_view help; ///< what is chosen
    std::vector<PolicyInfo> (*policies)(std::string_view policy_slot);
    PolicySetting (*chosen)(const PolicyChoice&);
    void (*choose)(PolicyChoice&, PolicySetting);
    /// The policy that a run under a choice has; where nothing is chosen, the default.
    std::string_view (*held)(const PolicyChoice&);
    /// What decides where nothing is chosen; empty: the policy that a fresh PolicyChoice names.
    std::string_view unchosen{};
};

/// Every policy slot, in the order in which they are listed: the only list.
std::span<const PolicySlot> policy_slots();

/// The policies of every policy slot, one policy slot after the other (policy_slots.hpp).
std::vector<PolicyInfo> policy_catalog();

/// Those of one, in the order of their registry; none where there is no policy slot of that name.
std::vector<PolicyInfo> policies_of(std::string_view policy_slot);

/// The one of that name among them.
std::optional<PolicyInfo> find_policy(std::string_view policy_slot, std::string_view name);

}} // namespace bursar::policies
