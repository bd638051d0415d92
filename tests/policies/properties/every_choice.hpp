#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/policy_slots.hpp"
#include "policies/runs/simulate.hpp"

namespace bursar::test {

inline bool is_registered(std::string_view policy_slot, std::string_view name) {
    return find_policy(policy_slot, name).has_value();
}

namespace detail {

/// The registered orders of `queues`.
inline std::vector<std::string> registered_queues(std::initializer_list<const char*> queues) {
    std::vector<std::string> found;
    for (const char* queue : queues)
        if (is_registered("queue", queue))
            found.emplace_back(queue);
    return found;
}

/// By number and by node.
inline void add_both_capacities(std::vector<PolicyChoice>& all, PolicyChoice choice) {
    for (const std::string_view capacity : {capacity_count, capacity_nodes}) {
        choice.capacity = capacity;
        all.push_back(choice);
    }
}

} // namespace detail

/// Levels of service that jobs of seconds reach.
inline PolicyChoice with_small_levels(PolicyChoice choice) {
    if (choice.queue == "las")
        choice.queue_options.set("levels", {3'000, 12'000});
    return choice;
}

/// Choices with every registered policy of every policy slot, combined with policies of other slots
/// that matter to it, deciding at every event. They come from the registries: a new row is included
/// automatically.
inline std::vector<PolicyChoice> every_choice() {
    std::vector<PolicyChoice> all;
    for (const PolicyInfo& queue : policies_of("queue"))
        for (const HeadRule head : {HeadRule::block, HeadRule::skip})
            detail::add_both_capacities(all, with_small_levels({std::string{queue.name}, head}));
    for (const std::string& queue : detail::registered_queues({"fifo", "srtf"}))
        for (const PolicyInfo& placement : policies_of("placement"))
            all.push_back(
                {queue, HeadRule::skip, std::string{capacity_nodes}, std::string{placement.name}});
    for (const std::string& queue : detail::registered_queues({"fifo", "sjf"})) {
        for (const PolicyInfo& backfill : policies_of("backfill")) {
            PolicyChoice choice{queue, HeadRule::block};
            choice.backfill = backfill.name;
            detail::add_both_capacities(all, choice);
        }
    }
    for (const std::string& queue : detail::registered_queues({"fifo", "priority"})) {
        for (const PolicyInfo& preemption : policies_of("preemption")) {
            if (preemption.name == "quantum") // needs rounds
                continue;
            PolicyChoice choice{queue, HeadRule::block};
            choice.preemption = preemption.name;
            detail::add_both_capacities(all, choice);
        }
    }
    return all;
}

/// The same for deciding at rounds of 2 s.
inline std::vector<PolicyChoice> every_choice_at_rounds() {
    std::vector<PolicyChoice> all;
    const auto add = [&](PolicyChoice choice) {
        choice.quantum = 2 * second;
        detail::add_both_capacities(all, with_small_levels(choice));
    };
    for (const PolicyInfo& queue : policies_of("queue"))
        add({std::string{queue.name}, HeadRule::skip});
    for (const std::string& queue : detail::registered_queues({"fifo", "sjf", "priority"})) {
        for (const PolicyInfo& preemption : policies_of("preemption")) {
            PolicyChoice choice{queue, HeadRule::block};
            choice.preemption = preemption.name;
            add(choice);
        }
    }
    return all;
}

inline std::vector<PolicyChoice> every_choice_at_all() {
    std::vector<PolicyChoice> all = every_choice();
    for (PolicyChoice& choice : every_choice_at_rounds())
        all.push_back(std::move(choice));
    return all;
}

/// The name of a choice, for messages.
inline std::string name_of(const PolicyChoice& choice) {
    const std::string head = choice.head == HeadRule::skip ? "skip" : "block";
    return "queue " + choice.queue + ", head " + head + ", capacity " + choice.capacity +
           ", placement " + choice.placement + ", backfill " + choice.backfill + ", preemption " +
           choice.preemption + ", rounds of " + std::to_string(choice.quantum.count()) + " ms";
}

} // namespace bursar::test
