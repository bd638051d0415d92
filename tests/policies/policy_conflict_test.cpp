#include <string>

#include <doctest/doctest.h>

#include "policies/catalog.hpp"
#include "policies/policy_conflict.hpp"

#include "tests/policies/orders_where.hpp"

namespace bursar::policy_conflict_test {
namespace {

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

TEST_CASE("every order goes with EASY, with preemption by priority or value, and with both") {
    for (const PolicyInfo& queue : policies_of("queue")) {
        CAPTURE(queue.name);
        for (const char* preemption : {"none", "priority", "value"}) {
            for (const char* backfill : {"none", "easy"}) {
                PolicyChoice choice = choice_of(std::string{queue.name}, preemption, backfill);
                CHECK(at_fault(choice).empty());
                choice.quantum = minute;
                CHECK(at_fault(choice).empty());
            }
        }
    }
}

TEST_CASE("promises can be of rounds") {
    PolicyChoice choice = choice_of("fifo", "none", "conservative");
    CHECK(at_fault(choice).empty());
    choice.quantum = minute;
    CHECK(at_fault(choice).empty());
}

TEST_CASE("only orders by key hand all GPUs out anew") {
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.by != OrderBy::key; })) {
        CAPTURE(queue);
        CHECK(at_fault(choice_of(queue, "", "none")).empty());
        for (const char* preemption : {"order", "quantum"})
            CHECK(at_fault(choice_of(queue, preemption, "none")) == "preemption");
    }
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.by == OrderBy::key; })) {
        CAPTURE(queue);
        for (const char* preemption : {"order", "quantum"})
            CHECK(at_fault(choice_of(queue, preemption, "none")).empty());
    }
}

TEST_CASE("backfill needs a head that blocks") {
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.preempts; })) {
        CAPTURE(queue);
        CHECK(at_fault(choice_of(queue, "", "easy")) == "backfill");
        CHECK(at_fault(choice_of(queue, "none", "easy")).empty());
    }
    for (const char* backfill : {"easy", "conservative"}) {
        CHECK(at_fault(choice_of("fifo", "order", backfill)) == "backfill");
        PolicyChoice skips = choice_of("fifo", "none", backfill);
        skips.head = HeadRule::skip;
        CHECK(at_fault(skips) == "backfill");
    }
}

TEST_CASE("who is promised a start is not kept from it by preemption") {
    for (const char* preemption : {"priority", "value"})
        CHECK(at_fault(choice_of("fifo", preemption, "conservative")) == "backfill");
}

TEST_CASE("preemption by quantum needs rounds") {
    PolicyChoice choice = choice_of("fifo", "quantum", "none");
    CHECK(at_fault(choice).empty());
    choice.quantum = Duration{};
    CHECK(at_fault(choice) == "preemption");
}

} // namespace bursar::policy_conflict_test
