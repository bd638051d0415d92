#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

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

/// Lets every job use every pool: shapes are told apart by their size alone, and in its order.
void let_all_use_all(Plan& plan) {
    std::map<std::int64_t, std::uint16_t> numbers;
    for (JobShape& shape : plan.shapes) {
        shape.permitted_pools = (std::uint64_t{1} << plan.pools.size()) - 1;
        numbers[shape.slots()] = 0;
    }
    std::vector<JobShape> shapes;
    for (auto& [slots, number] : numbers) {
        number = static_cast<std::uint16_t>(shapes.size());
        shapes.push_back(*std::ranges::find(plan.shapes, slots, &JobShape::slots));
    }
    for (std::uint16_t& shape : plan.shape)
        shape = numbers.at(plan.shapes[shape].slots());
    plan.shapes = shapes;
}

/// Pools in regions of their own, all of which every job may use, and many jobs that are stopped
/// once their work is saved, which it is dear to move.
Plan draw_far_saves() {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 12, .with_every_save = false});
    if (plan.pools.size() == 1) {
        plan.pools.push_back(plan.pools.front());
        plan.pool_preference.push_back(1);
        plan.pools_by_name.push_back(1);
    }
    draw_market(plan);
    let_all_use_all(plan);
    plan.world = draw_world(plan);
    for (int stops = *rc::gen::inRange(5, 20); stops > 0; --stops) {
        WorldEvent& event = plan.world.emplace_back();
        event.time_ms = draw_half_seconds(80);
        event.job = JobId{*rc::gen::inRange(0U, static_cast<std::uint32_t>(plan.num_jobs()))};
        event.kind = WorldEventKind::stop_job;
        event.cause = StopCause::maintenance;
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
    if (*rc::gen::arbitrary<bool>())
        draw_fleet(plan);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.pool_region.push_back(static_cast<std::uint8_t>(pool));
    plan.egress_nano_usd.assign(plan.classes.size(), 1);
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

TEST_CASE("every combination agrees with the naive scheduler where what is saved is far away") {
    for (PolicyChoice combination : every_combination()) {
        if (is_in_doubt(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(rc::check([&] {
                PolicyChoice choice = draw_options(combination);
                choice.broker = "cheapest-including-risk";
                Plan plan = draw_far_saves();
                give_order_rows(plan);
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
