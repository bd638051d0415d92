#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "policies/choice/policy_slots.hpp"
#include "policies/queue/registry.hpp"

namespace bursar::test {

/// The names of the registered queue orders whose traits pass the test, so that tests include a new
/// row automatically.
template <class Test>
std::vector<std::string> orders_where(const Test& test) {
    std::vector<std::string> names;
    for (const PolicyInfo& order : policies_of("queue"))
        QueuePolicies::with(order.name, [&]<class P>(std::type_identity<P>) {
            if (test(RuleOf<P>::traits))
                names.emplace_back(order.name);
        });
    return names;
}

inline bool has_fixed_keys(const OrderTraits& traits) {
    return traits.by == OrderBy::key && traits.motion == KeyMotion::fixed;
}

} // namespace bursar::test
