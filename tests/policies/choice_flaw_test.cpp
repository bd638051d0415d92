#include <string>

#include <doctest/doctest.h>

#include "policies/choice_flaw.hpp"

#include "tests/contains.hpp"
#include "tests/policies/agreement/every_combination.hpp"

namespace bursar::test::choice_flaw_test {
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

TEST_CASE("a choice that no scenario can make is refused, with what is wrong") {
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
    CHECK(contains(flaw({.queue = "drf", .preemption = "order"}), "has no order"));
}

} // namespace bursar::test::choice_flaw_test
