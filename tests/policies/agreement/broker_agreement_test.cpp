#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_market.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Engine and naive scheduler under brokers that follow prices or deadlines; the naive one has
// separate code for each.
namespace bursar::test::broker_agreement_test {
namespace {

/// Adds random changes of nodes, stops of jobs and closed pools.
void draw_happenings(Plan& plan) {
    if (drawn::boolean())
        plan.world = draw_world(plan);
    if (drawn::boolean())
        draw_fleet(plan);
    for (std::size_t pool = 0; pool < plan.provisioning.size(); ++pool)
        if (!plan.provisioning[pool].is_fixed)
            plan.pools[pool].purchase = drawn::one_of(Purchase::on_demand, Purchase::spot);
    if (drawn::in_range(0, 3) == 0)
        draw_admission(plan);
}

/// The same, and prices.
Plan draw_world_with_prices() {
    Plan plan = draw_plan({.max_pools = 3,
                           .max_jobs = 12,
                           .with_speeds = drawn::boolean(),
                           .with_estimates = drawn::boolean()});
    draw_market(plan);
    draw_happenings(plan);
    return plan;
}

/// Lets every job use every pool: shapes differ only in size, and are sorted by it.
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

/// A copy of a plan's only pool.
void add_second_pool(Plan& plan) {
    if (plan.pools.size() > 1)
        return;
    plan.pools.push_back(plan.pools.front());
    plan.pool_preference.push_back(1);
    plan.pools_by_name.push_back(1);
}

/// Pools in separate regions that every job may use, and many jobs that are stopped after a save,
/// which is expensive to move.
Plan draw_far_saves() {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 12, .with_every_save = false});
    add_second_pool(plan);
    draw_market(plan);
    let_all_use_all(plan);
    plan.world = draw_world(plan);
    for (int stops = drawn::in_range(5, 20); stops > 0; --stops) {
        const std::int64_t time_ms = draw_half_seconds(80);
        const JobId job{drawn::in_range(0U, static_cast<std::uint32_t>(plan.num_jobs()))};
        plan.world.emplace_back(time_ms, StopJob{job, StopCause::maintenance});
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
    if (drawn::boolean())
        draw_fleet(plan);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.pool_region.push_back(static_cast<std::uint8_t>(pool));
    plan.egress_nano_usd.assign(plan.classes.size(), 1);
    return plan;
}

/// Jobs of up to two minutes, most of which may use every pool, in a world like the first; shorter
/// ones if they fail by their own fault, so that they end.
Plan draw_world_to_migrate_in(const PolicyChoice& choice) {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 12, .with_estimates = drawn::boolean()});
    add_second_pool(plan);
    if (drawn::in_range(0, 3) > 0)
        let_all_use_all(plan);
    const bool some_fail = drawn::in_range(0, 3) == 0;
    for (std::size_t job = 0; job < plan.num_jobs() && !some_fail; ++job) {
        const std::int64_t longer = drawn::one_of(1, 4, 10);
        plan.work_ms[job] *= longer;
        if (!plan.estimate_ms.empty())
            plan.estimate_ms[job] *= longer;
    }
    if (drawn::boolean()) {
        give_speeds(plan, draw_plan_speed);
        for (PlanSpeed& speed : plan.speeds)
            speed.interval_ms *= 1000;
        if (choice.capacity == capacity_nodes && drawn::boolean())
            draw_slow_nodes(plan);
    }
    draw_market(plan);
    draw_happenings(plan);
    if (some_fail) {
        draw_own_failures(plan);
        for (WorldEvent& event : plan.world) // only failures by their own fault
            WorldEvent::each_place(event, []<class Place>(std::string_view, Place& place) {
                if constexpr (std::is_same_v<Place, StopCause>)
                    place = place == StopCause::job_failed ? StopCause::hung : place;
            });
    }
    return plan;
}

/// As in combination_agreement_test.cpp.
bool is_in_doubt(const PolicyChoice& choice) {
    const bool steps = find_policy("queue", choice.queue)->order.motion == KeyMotion::steps;
    const std::string_view preemption = preemption_of(choice);
    return steps && choice.backfill == "easy" &&
           (preemption == "priority" || preemption == "value");
}

} // namespace

TEST_CASE("every combination agrees with the naive scheduler if the cheapest pool comes first") {
    for (const PolicyChoice& combination : every_combination()) {
        if (is_in_doubt(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property([&] {
                PolicyChoice choice = draw_options(combination);
                choice.broker = drawn::one_of("cheapest-now", "cheapest-including-risk");
                choice.broker_options.set("margin", {drawn::one_of(0, 0, 300, 1'000)});
                Plan plan = draw_world_with_prices();
                if (orders_by_kind(choice.broker)) {
                    if (drawn::boolean())
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

TEST_CASE("every combination agrees with the naive scheduler if saved state is in other regions") {
    for (PolicyChoice combination : every_combination()) {
        if (is_in_doubt(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property([&] {
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

TEST_CASE("every combination agrees with the naive scheduler if jobs fall back") {
    for (PolicyChoice combination : every_combination()) {
        combination.broker = "spot-with-fallback";
        if (policy_conflict(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property([&] {
                PolicyChoice choice = draw_options(combination);
                Plan plan = draw_world_with_prices();
                draw_fallbacks(plan);
                if (drawn::in_range(0, 3) == 0)
                    draw_drops(plan);
                choice.broker_options.set("pace", {plan.keeps_pace ? 1 : 0});
                give_orders_of(choice, plan);
                RC_CLASSIFY(run_logged(plan, choice).outcome.num_preempted > 0, "some move back");
                check_agreement(plan, choice);
            }));
        }
    }
}

TEST_CASE("every combination agrees with the naive scheduler if jobs migrate") {
    for (PolicyChoice combination : every_combination()) {
        combination.broker_options.set("migrate", {1});
        if (policy_conflict(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property([&] {
                PolicyChoice choice = draw_options(combination);
                choice.broker =
                    drawn::one_of("owned-first", "cheapest-now", "cheapest-including-risk");
                if (choice.broker != broker_owned_first)
                    choice.broker_options.set("margin", {drawn::one_of(0, 0, 300)});
                choice.broker_options.set("migrate_margin", {drawn::one_of(0, 0, 300, 1'000)});
                choice.broker_options.set("migrate_every",
                                          {drawn::one_of(0, 0, 1'000, 2'500, 10'000)});
                Plan plan = draw_world_to_migrate_in(choice);
                if (drawn::boolean())
                    draw_regions(plan);
                if (orders_by_kind(choice.broker)) {
                    give_order_rows(plan);
                    draw_risks(plan);
                }
                give_orders_of(choice, plan);
                const LoggedRun run = run_logged(plan, choice);
                RC_CLASSIFY(std::ranges::count(
                                run.log.attempts, StopCause::migrated, &LoggedAttempt::cause) > 0,
                            "some migrate");
                check_agreement(plan, choice);
            }));
        }
    }
}

} // namespace bursar::test::broker_agreement_test
