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

/// A policy in a scenario.
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
    /// The policy in force under a choice; the default where none is chosen.
    std::string_view (*held)(const PolicyChoice&);
    /// Text for a choice without a name; empty: the default of PolicyChoice applies.
    std::string_view unchosen{};
};

/// Every policy slot, in the order of `bursar policies`. This is the only list.
std::span<const PolicySlot> policy_slots();

/// The policies of every policy slot, slot by slot.
std::vector<PolicyInfo> policy_catalog();

/// The policies of one slot, in the order of their registry; empty for an unknown slot.
std::vector<PolicyInfo> policies_of(std::string_view policy_slot);

/// The policy of that name in a slot.
std::optional<PolicyInfo> find_policy(std::string_view policy_slot, std::string_view name);

}} // namespace bursar::policies
