#include "policies/combinations.hpp"

#include <algorithm>

#include "policies/catalog.hpp"
#include "policies/policy_conflict.hpp"

namespace bursar { inline namespace policies {
namespace {

PolicyChoice choice_of(std::string_view queue, const Combination& combination, Duration quantum) {
    PolicyChoice choice{std::string{queue}};
    choice.backfill = combination.backfill;
    choice.preemption = combination.preemption;
    choice.quantum = quantum;
    return choice;
}

/// Which orders run under a combination.
OrdersServed orders_served(const Combination& combination, Duration quantum) {
    bool keys = true;
    bool others = true;
    for (const PolicyInfo& queue : policies_of("queue")) {
        const bool runs = !policy_conflict(choice_of(queue.name, combination, quantum));
        bool& of_kind = queue.order.by == OrderBy::key ? keys : others;
        of_kind = of_kind && runs;
    }
    if (!keys)
        return OrdersServed::none;
    return others ? OrdersServed::all : OrdersServed::with_keys;
}

} // namespace

std::vector<Combination> combinations() {
    std::vector<Combination> all;
    for (const PolicyInfo& backfill : policies_of("backfill")) {
        for (const PolicyInfo& preemption : policies_of("preemption")) {
            Combination row{backfill.name, preemption.name};
            const OrdersServed at_events = orders_served(row, Duration{});
            const OrdersServed at_rounds = orders_served(row, minute);
            row.orders = std::max(at_events, at_rounds);
            row.needs_rounds = at_events < at_rounds;
            all.push_back(row);
        }
    }
    return all;
}

std::vector<std::string> orders_without_keys() {
    std::vector<std::string> names;
    for (const PolicyInfo& queue : policies_of("queue")) {
        if (queue.order.by != OrderBy::key)
            names.emplace_back(queue.name);
    }
    return names;
}

}} // namespace bursar::policies
