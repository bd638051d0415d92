#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// Why two policies of a choice cannot be combined with each other.
struct PolicyConflict {
    std::string_view policy_slot; ///< for the message
    std::string problem;
    std::string why;
    std::string suggestion;
};

/// Why the policies of a choice cannot be combined; absent: they can. The only place that decides
/// this. Unknown names cause no conflict.
std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice);

/// What is wrong with a choice that no scenario reader has checked, as a sentence; absent: names,
/// options and numbers are valid and the policies can be combined.
[[nodiscard]] std::optional<std::string> choice_flaw(const PolicyChoice& choice);

enum class OrdersServed : std::uint8_t {
    none,
    without_keys, ///< those of tenants, and by a ratio
    with_keys,    ///< those that give each job one key
    all,
};

/// Which queue orders can be combined with a backfill and a preemption, under `head: block`.
struct Combination {
    std::string_view backfill;
    std::string_view preemption;
    OrdersServed orders{};
    bool needs_rounds{}; ///< false: rounds are optional
};

/// Every backfill with every preemption, computed with policy_conflict() from the registries.
std::vector<Combination> combinations();

/// The names of the orders that have no keys, in the catalogue's order.
std::vector<std::string> orders_without_keys();

}} // namespace bursar::policies
