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
    std::string_view policy_slot; ///< the one that a message should point at
    std::string problem;
    std::string why;
    std::string suggestion;
};

/// The one place that says which policies go together. Names that are in no list conflict with
/// nothing.
std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice);

/// What is wrong with a choice that no scenario reader has checked, in words; absent: its policies
/// are in the catalogue, with options and numbers in their ranges, and go together.
[[nodiscard]] std::optional<std::string> choice_flaw(const PolicyChoice& choice);

enum class OrdersServed : std::uint8_t {
    none,
    with_keys, ///< those that give each job a key of its own
    all,
};

/// Which queue orders go with a backfill and a preemption, both by name, under `head: block`.
struct Combination {
    std::string_view backfill;
    std::string_view preemption;
    OrdersServed orders{};
    bool needs_rounds{}; ///< else it may have them
};

/// Every backfill with every preemption, as policy_conflict has it: a rule that changes there, or a
/// new row of a registry, is here without a new line.
std::vector<Combination> combinations();

/// The names of the orders that have no keys, in the catalogue's order.
std::vector<std::string> orders_without_keys();

}} // namespace bursar::policies
