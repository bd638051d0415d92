#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/convergence/successive_halving.hpp"
#include "models/errors/model_error.hpp"

namespace bursar {

TEST_CASE("81 trials by threes: five rungs of equal cost") {
    const HalvingPlan plan = successive_halving(81, 1, 3);
    REQUIRE(plan.rungs.size() == 5);
    const std::int64_t trials[] = {81, 27, 9, 3, 1};
    double resource = 1;
    for (std::size_t i = 0; i < 5; ++i, resource *= 3) {
        CHECK(plan.rungs[i].trials == trials[i]);
        CHECK(plan.rungs[i].resource == resource);
    }
    CHECK(plan.cost() == 81 * 5);
}

TEST_CASE("trials that do not divide are rounded down") {
    const HalvingPlan plan = successive_halving(10, 2, 3); // 10, 3, 1
    REQUIRE(plan.rungs.size() == 3);
    CHECK(plan.rungs[1].trials == 3);
    CHECK(plan.cost() == 10 * 2 + 3 * 6 + 1 * 18);
}

TEST_CASE("it ends with one trial and never costs more than n r rungs") {
    CHECK(rc::check([] {
        const std::int64_t trials = *rc::gen::inRange<std::int64_t>(1, 100'000);
        const std::int64_t eta = *rc::gen::inRange<std::int64_t>(2, 10);
        const HalvingPlan plan = successive_halving(trials, 1, eta);
        RC_ASSERT(plan.rungs.front().trials == trials);
        RC_ASSERT(plan.rungs.back().trials < eta);
        RC_ASSERT(plan.cost() <=
                  static_cast<double>(trials) * static_cast<double>(plan.rungs.size()));
    }));
}

TEST_CASE("a search that stops nobody is an error") {
    CHECK_THROWS_AS((void)successive_halving(0, 1, 3), ModelError);
    CHECK_THROWS_AS((void)successive_halving(9, 0, 3), ModelError);
    CHECK_THROWS_AS((void)successive_halving(9, 1, 1), ModelError);
}

} // namespace bursar
