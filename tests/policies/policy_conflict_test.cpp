#include <string>

#include <doctest/doctest.h>

#include "policies/catalog.hpp"
#include "policies/policy_conflict.hpp"

#include "tests/policies/orders_where.hpp"

namespace bursar::policy_conflict_test {
namespace {

using test::has_fixed_keys;
using test::orders_where;

PolicyChoice choice_of(std::string queue, std::string preemption, std::string backfill) {
    PolicyChoice choice;
    choice.queue = std::move(queue);
    choice.preemption = std::move(preemption);
    choice.backfill = std::move(backfill);
    if (choice.preemption == "quantum")
        choice.quantum = minute;
    return choice;
}

/// The policy slot that is at fault; empty where none is.
std::string at_fault(const PolicyChoice& choice) {
    const auto conflict = policy_conflict(choice);
    return std::string{conflict ? conflict->policy_slot : ""};
}

} // namespace

TEST_CASE("every order goes with no preemption and no backfill, under either head rule") {
    for (const PolicyInfo& queue : policies_of("queue")) {
        CAPTURE(queue.name);
        PolicyChoice choice = choice_of(std::string{queue.name}, "none", "none");
        CHECK(at_fault(choice).empty());
        choice.head = HeadRule::skip;
        CHECK(at_fault(choice).empty());
    }
}

TEST_CASE("orders that rank waiting jobs anew neither preempt nor reserve") {
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.by != OrderBy::key; })) {
        CAPTURE(queue);
        CHECK(at_fault(choice_of(queue, "", "none")).empty());
        for (const char* preemption : {"order", "priority", "quantum", "value"})
            CHECK(at_fault(choice_of(queue, preemption, "none")) == "preemption");
        CHECK(at_fault(choice_of(queue, "", "easy")) == "backfill");
    }
    for (const std::string& queue : orders_where([](const OrderTraits& traits) {
             return has_fixed_keys(traits) && !traits.preempts;
         })) {
        CAPTURE(queue);
        for (const char* preemption : {"order", "priority", "quantum", "value"})
            CHECK(at_fault(choice_of(queue, preemption, "none")).empty());
        CHECK(at_fault(choice_of(queue, "", "easy")).empty());
    }
}

TEST_CASE("backfill needs a head that blocks and jobs that run on") {
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.preempts; })) {
        CAPTURE(queue);
        CHECK(at_fault(choice_of(queue, "", "easy")) == "backfill");
        CHECK(at_fault(choice_of(queue, "none", "easy")).empty());
    }
    CHECK(at_fault(choice_of("fifo", "priority", "easy")) == "backfill");
    PolicyChoice skips = choice_of("fifo", "", "easy");
    skips.head = HeadRule::skip;
    CHECK(at_fault(skips) == "backfill");
}

TEST_CASE("a reservation is for an instant, not for a round") {
    PolicyChoice choice = choice_of("fifo", "none", "easy");
    choice.quantum = minute;
    CHECK(at_fault(choice) == "rounds");
}

TEST_CASE("preemption by quantum needs rounds") {
    PolicyChoice choice = choice_of("fifo", "quantum", "none");
    CHECK(at_fault(choice).empty());
    choice.quantum = Duration{};
    CHECK(at_fault(choice) == "preemption");
}

} // namespace bursar::policy_conflict_test
