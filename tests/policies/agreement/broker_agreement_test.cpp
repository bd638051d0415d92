#include <iostream>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_market.hpp"
#include "tests/policies/properties/random_plan.hpp"

// Engine and naive scheduler under brokers that follow prices or deadlines: the naive one knows
// each of them by code of its own.
namespace bursar::test::broker_agreement_test {
namespace {

/// Nodes that may come and go, jobs that may be stopped, prices.
Plan draw_world_with_prices() {
    Plan plan = draw_plan({.max_pools = 3,
                           .max_jobs = 12,
                           .with_speeds = *rc::gen::arbitrary<bool>(),
                           .with_estimates = *rc::gen::arbitrary<bool>()});
    draw_market(plan);
    if (*rc::gen::arbitrary<bool>())
        plan.world = draw_world(plan);
    if (*rc::gen::arbitrary<bool>())
        draw_fleet(plan);
    for (std::size_t pool = 0; pool < plan.provisioning.size(); ++pool)
        if (!plan.provisioning[pool].is_fixed)
            plan.pools[pool].purchase = *rc::gen::element(Purchase::on_demand, Purchase::spot);
    if (*rc::gen::inRange(0, 3) == 0)
        draw_admission(plan);
    return plan;
}

/// As combination_agreement_test.cpp says.
bool is_in_doubt(const PolicyChoice& choice) {
    const bool steps = find_policy("queue", choice.queue)->order.motion == KeyMotion::steps;
    const std::string_view preemption = preemption_of(choice);
    return steps && choice.backfill == "easy" &&
           (preemption == "priority" || preemption == "value");
}

} // namespace

TEST_CASE("every combination agrees with the naive scheduler where the cheapest pool comes first") {
    for (const PolicyChoice& combination : every_combination()) {
        if (is_in_doubt(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(rc::check([&] {
                PolicyChoice choice = draw_options(combination);
                choice.broker = *rc::gen::element("cheapest-now", "cheapest-including-risk");
                choice.broker_options.set("margin", {*rc::gen::element(0, 0, 300, 1'000)});
                Plan plan = draw_world_with_prices();
                if (orders_by_kind(choice.broker)) {
                    if (*rc::gen::arbitrary<bool>())
                        draw_regions(plan);
                    give_order_rows(plan);
                    draw_risks(plan);
                }
                give_orders_of(choice, plan);
                check_agreement(plan, choice);
            }));
        }
    }
}

TEST_CASE("every combination agrees with the naive scheduler where jobs fall back") {
    for (PolicyChoice combination : every_combination()) {
        combination.broker = "spot-with-fallback";
        if (policy_conflict(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(rc::check([&] {
                PolicyChoice choice = draw_options(combination);
                Plan plan = draw_world_with_prices();
                draw_fallbacks(plan);
                choice.broker_options.set("pace", {plan.keeps_pace ? 1 : 0});
                give_orders_of(choice, plan);
                RC_CLASSIFY(run_logged(plan, choice).outcome.num_preempted > 0, "some move back");
                check_agreement(plan, choice);
            }));
        }
    }
}

} // namespace bursar::test::broker_agreement_test
