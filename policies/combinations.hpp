#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace policies {

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
