#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/orders_where.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// The engine reads few jobs per event; the oracle distributes all GPUs again at every event.
namespace bursar::test::preemption_agreement_test {
namespace {

PolicyChoice choice_of(const char* queue, const char* capacity) {
    return {queue, HeadRule::skip, capacity, "consolidated"};
}

using Limits = std::vector<std::int64_t>;

/// Las with two limits, by GPU time or by time.
PolicyChoice las(const char* capacity, bool by_time, bool as_tiresias) {
    PolicyChoice choice = choice_of("las", capacity);
    if (by_time)
        choice.queue_options.set("by", {1});
    choice.queue_options.set(by_time ? "times" : "levels",
                             by_time ? Limits{3'000, 9'000} : Limits{20'000, 60'000});
    if (as_tiresias)
        choice.queue_options.set("wake", {1});
    return choice;
}

void check_with(const PolicyChoice& choice, const PlanRange& range) {
    CAPTURE(name_of(choice));
    CHECK(check_property([&] { check_agreement(draw_plan(range), choice); }));
}

} // namespace

TEST_CASE("srtf agrees with the naive scheduler, saves, restarts and several pools included") {
    for (const char* capacity : {"count", "nodes"}) {
        check_with(choice_of("srtf", capacity), {.max_pools = 1});
        check_with(choice_of("srtf", capacity), {.max_pools = 3});
    }
}

TEST_CASE("srtf agrees if unfinished recoveries add up") {
    for (const char* capacity : {"count", "nodes"}) {
        PolicyChoice choice = choice_of("srtf", capacity);
        choice.preemption_options.set("unfinished_recovery", {1});
        check_with(choice, {});
    }
}

TEST_CASE("srtf by GPU time agrees, under which running jobs overtake each other") {
    for (const char* capacity : {"count", "nodes"}) {
        PolicyChoice choice = choice_of("srtf", capacity);
        choice.queue_options.set("by", {1});
        check_with(choice, {.max_pools = 1});
        check_with(choice, {.max_pools = 3});
        choice.preemption = "none";
        check_with(choice, {});
    }
}

TEST_CASE("srtf agrees if many jobs have outlived their estimates") {
    for (const char* capacity : {"count", "nodes"}) {
        for (const std::int64_t by_gpu_time : {0, 1}) {
            PolicyChoice choice = choice_of("srtf", capacity);
            choice.queue_options.set("by", {by_gpu_time});
            CAPTURE(name_of(choice));
            CHECK(check_property([&] {
                Plan plan = draw_plan({.with_speeds = drawn::boolean()});
                for (std::size_t job = 0; job < plan.num_jobs(); ++job)
                    plan.estimate_ms.push_back(drawn::one_of(0, 0, 1'000, 5'000));
                if (drawn::boolean())
                    plan.world = draw_world(plan);
                check_agreement(plan, choice);
            }));
        }
    }
}

TEST_CASE("las agrees, by GPU time and by time, with exact or Tiresias' wake-ups") {
    for (const char* capacity : {"count", "nodes"}) {
        for (const bool by_time : {false, true}) {
            check_with(las(capacity, by_time, false), {});
            // Tiresias has no start-up, teardown or saves.
            check_with(las(capacity, by_time, true),
                       {.with_overheads = false, .with_every_save = false});
        }
    }
}

TEST_CASE("gittins agrees in queues, with Tiresias' index, wake-ups and ties") {
    for (const char* capacity : {"count", "nodes"}) {
        for (const std::int64_t as_tiresias : {0, 1}) {
            PolicyChoice choice = choice_of("gittins", capacity);
            choice.queue_options.set("levels", {20});
            choice.queue_options.set("index", {as_tiresias});
            choice.queue_options.set("delta", {3'000});
            choice.queue_options.set("queues", Limits{20'000, 60'000});
            choice.queue_options.set("ties", {as_tiresias});
            check_with(choice, {});
            choice.queue_options.set("wake", {1}); // without start-up, teardown or saves
            check_with(choice, {.with_overheads = false, .with_every_save = false});
        }
    }
}

TEST_CASE("fixed orders agree under preemption by order") {
    for (const std::string& queue : orders_where(has_fixed_keys)) {
        for (const char* capacity : {"count", "nodes"}) {
            PolicyChoice choice = choice_of(queue.c_str(), capacity);
            choice.preemption = "order";
            check_with(choice, {});
        }
    }
}

} // namespace bursar::test::preemption_agreement_test
