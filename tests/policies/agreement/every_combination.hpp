#pragma once

#include <string>
#include <vector>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"

#include "tests/policies/properties/every_choice.hpp"
#include "tests/properties.hpp"

namespace bursar::test {

/// Every order with every admission, preemption, placement and timing that policy_conflict permits,
/// from the registries: a new row is included automatically.
inline std::vector<PolicyChoice> every_combination() {
    std::vector<PolicyChoice> all;
    for (const PolicyInfo& queue : policies_of("queue"))
        for (const PolicyInfo& backfill : policies_of("backfill"))
            for (const PolicyInfo& preemption : policies_of("preemption"))
                for (const HeadRule head : {HeadRule::block, HeadRule::skip})
                    for (const Duration quantum : {Duration{0}, 2 * second}) {
                        PolicyChoice choice{std::string{queue.name}, head};
                        choice.backfill = backfill.name;
                        choice.preemption = preemption.name;
                        choice.quantum = quantum;
                        if (head_of(choice) == head && !policy_conflict(choice))
                            detail::add_both_capacities(all, choice);
                    }
    return all;
}

namespace detail {

/// Half of past use decays in every period, or three quarters, or all of it.
inline void draw_use(PolicyOptions& options) {
    const std::int64_t period = drawn::one_of(1'000, 2'000, 5'000);
    options.set("period", {period});
    options.set("half_life", {drawn::one_of<std::int64_t>(0, period, period / 2)});
}

inline void draw_queue_options(PolicyChoice& choice) {
    PolicyOptions& options = choice.queue_options;
    const auto draw = [&](const char* option, std::int64_t min, std::int64_t end) {
        options.set(option, {drawn::in_range(min, end)});
    };
    if (choice.queue == "srtf")
        draw("by", 0, 2);
    if (choice.queue == "las") {
        draw("by", 0, 2);
        const std::int64_t first = drawn::in_range(1, 10) * 1'000;
        options.set(options.given().at("by").front() == 0 ? "levels" : "times",
                    {first, first + drawn::in_range(1, 20) * 1'000});
        draw("ties", 0, 2);
    }
    if (choice.queue == "gittins") {
        draw("levels", 1, 6);
        draw("index", 0, 2);
        if (options.given().at("index").front() == 1)
            options.set("delta", {drawn::one_of(1'000, 3'000, 20'000)});
        if (drawn::boolean())
            options.set("distribution", {1'000, 2'000, 2'000, 5'000, 9'000, 40'000});
        if (drawn::boolean())
            options.set("queues", {drawn::one_of(2'000, 8'000), drawn::one_of(10'000, 30'000)});
        draw("ties", 0, 2);
    }
    if (choice.queue == "fair-share" || choice.queue == "multifactor")
        draw_use(options);
    if (choice.queue == "multifactor") {
        for (const char* weight : {"age", "size", "fair_share", "priority"})
            options.set(weight, {drawn::one_of(0, 1, 2, 1'000)});
        options.set("max_age", {drawn::one_of(3'000, 20'000)});
        draw("favor", 0, 2);
    }
}

} // namespace detail

/// The same with random options of the magnitude of jobs of seconds.
inline PolicyChoice draw_options(PolicyChoice choice) {
    detail::draw_queue_options(choice);
    if (choice.capacity == capacity_nodes)
        choice.placement = drawn::one_of("first-fit", "consolidated");
    if (choice.backfill == "conservative" && drawn::boolean())
        choice.backfill_options.set("depth", {drawn::in_range(1, 5)});
    PolicyOptions& options = choice.preemption_options;
    if (choice.preemption == "order")
        options.set("unfinished_recovery", {drawn::in_range(0, 2)});
    if (choice.preemption == "priority" || choice.preemption == "value" ||
        (choice.preemption == "order" && !queue_has_keys(choice))) {
        if (drawn::boolean())
            options.set("max_per_job", {drawn::in_range(0, 3)});
        options.set("min_run", {drawn::one_of(0, 0, 1'000, 3'000)});
        options.set("grace", {drawn::one_of(0, 0, 1'000, 3'000)});
    }
    return choice;
}

} // namespace bursar::test
