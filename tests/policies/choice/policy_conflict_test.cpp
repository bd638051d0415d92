#include <string>

#include <doctest/doctest.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"

#include "tests/contains.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/orders_where.hpp"

namespace bursar::policy_conflict_test {

namespace {

using test::contains;
using test::every_combination;
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

/// The policy slot in conflict; empty if there is none.
std::string at_fault(const PolicyChoice& choice) {
    const auto conflict = policy_conflict(choice);
    return std::string{conflict ? conflict->policy_slot : ""};
}

} // namespace

TEST_CASE("every order works without preemption and backfill, under either head rule") {
    for (const PolicyInfo& queue : policies_of("queue")) {
        CAPTURE(queue.name);
        PolicyChoice choice = choice_of(std::string{queue.name}, "none", "none");
        CHECK(at_fault(choice).empty());
        choice.head = HeadRule::skip;
        CHECK(at_fault(choice).empty());
    }
}

TEST_CASE("every order works with EASY, with preemption by priority or value, and with both") {
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

TEST_CASE("backfill works with rounds") {
    PolicyChoice choice = choice_of("fifo", "none", "conservative");
    CHECK(at_fault(choice).empty());
    choice.quantum = minute;
    CHECK(at_fault(choice).empty());
}

TEST_CASE("preemption by quantum needs an order by key; by order, every order has a rule") {
    for (const std::string& queue :
         orders_where([](const OrderTraits& traits) { return traits.by != OrderBy::key; })) {
        CAPTURE(queue);
        CHECK(at_fault(choice_of(queue, "", "none")).empty());
        CHECK(at_fault(choice_of(queue, "quantum", "none")) == "preemption");
        CHECK(at_fault(choice_of(queue, "order", "none")).empty());
        CHECK(at_fault(choice_of(queue, "order", "easy")).empty());
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

TEST_CASE("conservative backfilling refuses preemption") {
    for (const char* preemption : {"priority", "value"})
        CHECK(at_fault(choice_of("fifo", preemption, "conservative")) == "backfill");
}

TEST_CASE("limits on preemption by order go with tenants' orders only") {
    PolicyChoice choice = choice_of("fair-share", "order", "none");
    for (const char* limit : {"max_per_job", "min_run", "grace"}) {
        choice.queue = "fair-share";
        choice.preemption_options = {};
        choice.preemption_options.set(limit, {1});
        CHECK(at_fault(choice).empty());
        choice.queue = "srtf";
        CHECK(at_fault(choice) == "preemption");
    }
}

TEST_CASE("of 780 combinations of order, backfill, preemption, head and rounds 450 are refused") {
    int num_refused = 0;
    int num = 0;
    for (const PolicyInfo& queue : policies_of("queue"))
        for (const PolicyInfo& backfill : policies_of("backfill"))
            for (const PolicyInfo& preemption : policies_of("preemption"))
                for (const HeadRule head : {HeadRule::block, HeadRule::skip})
                    for (const Duration quantum : {Duration{}, minute}) {
                        PolicyChoice choice = choice_of(std::string{queue.name},
                                                        std::string{preemption.name},
                                                        std::string{backfill.name});
                        choice.head = head;
                        choice.quantum = quantum;
                        ++num;
                        num_refused += policy_conflict(choice) ? 1 : 0;
                    }
    CHECK(num == 780);
    CHECK(num_refused == 450);
}

TEST_CASE("preemption by quantum needs rounds") {
    PolicyChoice choice = choice_of("fifo", "quantum", "none");
    CHECK(at_fault(choice).empty());
    choice.quantum = Duration{};
    CHECK(at_fault(choice) == "preemption");
}

namespace {

std::string flaw(const PolicyChoice& choice) {
    return choice_flaw(choice).value_or("");
}

PolicyChoice las_by(const std::string& option, std::vector<std::int64_t> numbers) {
    PolicyChoice choice{.queue = "las"};
    choice.queue_options.set(option, std::move(numbers));
    return choice;
}

} // namespace

TEST_CASE("every combination of policies is a choice without a flaw") {
    for (const PolicyChoice& choice : every_combination())
        CHECK(flaw(choice).empty());
    CHECK(flaw({}).empty());
    CHECK(flaw(las_by("levels", {1'000, 2'000})).empty());
    CHECK(flaw(las_by("by", {1})).empty());
}

TEST_CASE("a choice that no scenario can make is refused with the reason") {
    CHECK(flaw({.queue = "shortest"}) == "unknown queue \"shortest\"");
    CHECK(flaw({.capacity = ""}) == "unknown capacity \"\"");
    CHECK(contains(flaw(las_by("lvels", {1})), "option `lvels` of las"));
    for (const PolicyChoice& wrong : {las_by("levels", {}),
                                      las_by("levels", {2, 1}),
                                      las_by("levels", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                                      las_by("levels", {-1}),
                                      las_by("by", {7}),
                                      las_by("by", {0, 1})})
        CHECK(contains(flaw(wrong), "out of range"));
    PolicyChoice odd;
    odd.head = static_cast<HeadRule>(9);
    CHECK(contains(flaw(odd), "out of range"));
    CHECK(contains(flaw({.queue = "drf", .preemption = "quantum"}), "has no turns"));
}

TEST_CASE("an allocator takes the place of order, preemption and backfill") {
    PolicyChoice choice;
    choice.allocator = "fifo-perf";
    CHECK(at_fault(choice).empty());
    choice.allocator = "max-min";
    CHECK(at_fault(choice) == "allocator"); // without rounds
    choice.quantum = minute;
    CHECK(at_fault(choice).empty());
    const auto with = [&](auto PolicyChoice::*slot, const char* name) {
        PolicyChoice other = choice;
        other.*slot = name;
        return at_fault(other);
    };
    CHECK(with(&PolicyChoice::queue, "sjf") == "queue");
    CHECK(with(&PolicyChoice::preemption, "priority") == "preemption");
    CHECK(with(&PolicyChoice::backfill, "easy") == "backfill");
    CHECK(with(&PolicyChoice::broker, "any") == "broker");
    CHECK(with(&PolicyChoice::broker, "spot-with-fallback") == "broker");
    CHECK(with(&PolicyChoice::broker, "cheapest-now").empty());
}

TEST_CASE("jobs that share GPUs need decisions at every event") {
    PolicyChoice choice;
    choice.allocator = "fifo-perf";
    choice.allocator_options.set("packing", {1});
    CHECK(at_fault(choice).empty());
    choice.quantum = minute;
    CHECK(at_fault(choice) == "allocator");
    choice.allocator_options.set("packing", {0});
    CHECK(at_fault(choice).empty());
}

TEST_CASE("staging needs to know which jobs start next, and when GPUs become free") {
    PolicyChoice choice;
    choice.staging = "exact";
    CHECK(at_fault(choice).empty());
    const auto with = [&](auto PolicyChoice::*slot, auto value) {
        PolicyChoice other = choice;
        other.*slot = value;
        return at_fault(other);
    };
    CHECK(with(&PolicyChoice::queue, "sjf").empty());
    CHECK(with(&PolicyChoice::backfill, "easy").empty());
    CHECK(with(&PolicyChoice::head, HeadRule::skip) == "staging");
    CHECK(with(&PolicyChoice::queue, "srtf") == "staging");
    CHECK(with(&PolicyChoice::queue, "fair-share") == "staging");
    CHECK(with(&PolicyChoice::queue, "ftf") == "staging");
    CHECK(with(&PolicyChoice::preemption, "priority") == "staging");
    CHECK(with(&PolicyChoice::backfill, "conservative") == "staging");
    CHECK(with(&PolicyChoice::allocator, "optimus") == "staging");
    CHECK(with(&PolicyChoice::quantum, minute) == "staging");
    choice.staging = "none";
    CHECK(with(&PolicyChoice::queue, "srtf").empty());
}

} // namespace bursar::policy_conflict_test
