#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "policies/choice/policy_choice.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/policies/agreement/describe.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Properties of any world in which nodes come and go, under any policies.
namespace bursar::test::fleet_properties_test {
namespace {

Plan draw_moving_plan() {
    Plan plan = draw_plan({.max_pools = 3,
                           .max_jobs = 15,
                           .with_speeds = drawn::boolean(),
                           .with_estimates = drawn::boolean()});
    plan.world = draw_world(plan);
    draw_fleet(plan);
    return plan;
}

/// Quotas that let each of their pools have its largest size, alone.
void draw_wide_quotas(Plan& plan) {
    draw_quotas(plan);
    for (PlanQuota& quota : plan.quotas)
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if ((quota.pools >> pool & 1U) != 0)
                quota.max_nodes = std::max(quota.max_nodes, plan.pools[pool].num_nodes);
}

/// Pools that launch nodes for waiting jobs whenever they need them, up to the sizes that the jobs
/// fit.
Plan draw_elastic_plan() {
    Plan plan = draw_plan({.max_pools = 3,
                           .max_jobs = 15,
                           .with_speeds = drawn::boolean(),
                           .with_estimates = drawn::boolean(),
                           .with_details = drawn::boolean()});
    for (PlanPool& pool : plan.pools) {
        pool.purchase = Purchase::on_demand;
        PlanProvisioning& rule = plan.provisioning.emplace_back();
        rule.is_fixed = false;
        rule.follows_queue = true;
        rule.first_nodes = drawn::in_range(0U, pool.num_nodes + 1);
        rule.cancels_boots = drawn::boolean();
        rule.idle_timeout_ms = draw_half_seconds(12);
        rule.launch_every_ms = drawn::one_of(0, 0, 1'500, 4'000);
        if (rule.launch_every_ms > 0 && drawn::boolean())
            rule.max_launches = drawn::in_range(1U, 3U);
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        rule.boot_bits = drawn::in_range(0U, 3U);
        for (std::uint32_t i = 0; i < 1U << rule.boot_bits; ++i)
            plan.boot_ms.push_back(draw_half_seconds(8));
    }
    draw_wide_quotas(plan);
    return plan;
}

void check_all_finish(const Plan& plan, const PolicyChoice& choice) {
    RC_LOG(describe(plan));
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    RC_ASSERT(run.outcome.status == RunStatus::ok);
    RC_ASSERT(run.outcome.num_finished == plan.num_jobs());
}

SlotTime booked(const Outcome& outcome, std::size_t pool) {
    SlotTime sum{};
    for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            sum += outcome.cell(pool, tenant, static_cast<Leaf>(leaf));
    return sum;
}

void check_books(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    const Outcome& outcome = run.outcome;
    RC_ASSERT(outcome.status == RunStatus::ok);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const PoolNodesUsed& nodes = outcome.nodes[pool];
        const std::int64_t slots = std::int64_t{plan.pools[pool].gpus_per_node} * slots_per_gpu;
        RC_ASSERT(booked(outcome, pool) == slot_time(slots, nodes.paid));
        RC_ASSERT(nodes.least_launched <= nodes.most_launched);
        RC_ASSERT(nodes.most_launched <= plan.pools[pool].num_nodes);
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                RC_ASSERT(outcome.cell(pool, tenant, static_cast<Leaf>(leaf)) >= SlotTime{});
    }
    RC_ASSERT(outcome.num_finished + outcome.num_running_at_end + outcome.num_queued_at_end ==
              plan.num_jobs());
    RC_ASSERT(outcome.num_running_at_end == 0U);
    RC_ASSERT(outcome.num_started == outcome.num_finished + run.jobs.stopped.size());
}

} // namespace

TEST_CASE("paid time of nodes that come and go is in the leaves, under every combination") {
    for (const PolicyChoice& combination : every_combination()) {
        CAPTURE(name_of(combination));
        CHECK(check_property([&] { check_books(draw_moving_plan(), draw_options(combination)); }));
    }
}

TEST_CASE("a job that fits the largest size of its pool finishes") {
    for (const PolicyChoice& combination : every_combination()) {
        CAPTURE(name_of(combination));
        CHECK(check_property(
            [&] { check_all_finish(draw_elastic_plan(), draw_options(combination)); }));
    }
}

} // namespace bursar::test::fleet_properties_test
