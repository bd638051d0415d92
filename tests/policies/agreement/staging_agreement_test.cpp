#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/orders_where.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Data that is staged ahead, planned by the engine from instant to instant, against the oracle,
// which sorts all predicted ends after every pass.
namespace bursar::test::staging_agreement_test {
namespace {

void draw_staging(Plan& plan) {
    for (PlanClass& one : plan.classes) {
        one.startup = drawn::in_range(0, 9) * second;
        one.staged =
            Duration{drawn::in_range<std::int64_t>(0, one.startup.count() / 500 + 1) * 500};
    }
    plan.staging = {
        static_cast<std::uint32_t>(drawn::in_range(1, 6)),
        drawn::one_of(EndPrediction::exact, EndPrediction::estimate, EndPrediction::class_history)};
    RC_LOG(std::to_string(plan.staging.num_jobs) + " jobs stage, prediction " +
           std::to_string(static_cast<int>(plan.staging.predict)));
    for (const PlanClass& one : plan.classes)
        RC_LOG("staged " + std::to_string(one.staged.count()) + " of startup " +
               std::to_string(one.startup.count()));
}

std::vector<PolicyChoice> choices() {
    std::vector<PolicyChoice> all;
    for (const std::string& queue : orders_where(has_fixed_keys))
        for (const std::string capacity : {"count", "nodes"}) {
            all.push_back({queue, HeadRule::block, capacity});
            all.push_back({queue, HeadRule::block, capacity});
            all.back().backfill = "easy";
        }
    return all;
}

} // namespace

TEST_CASE("staging ahead of starts agrees with the naive scheduler") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_plan({.max_jobs = 30,
                                   .with_speeds = drawn::boolean(),
                                   .with_estimates = drawn::boolean()});
            draw_staging(plan);
            check_agreement(plan, choice);
        }));
    }
}

TEST_CASE("staging agrees where nodes go and jobs are stopped or wait for others") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_plan({.with_speeds = drawn::boolean()});
            draw_staging(plan);
            plan.world = draw_world(plan);
            if (drawn::boolean())
                draw_dependencies(plan);
            if (drawn::boolean())
                draw_drops(plan);
            check_agreement(plan, choice);
        }));
    }
}

} // namespace bursar::test::staging_agreement_test
