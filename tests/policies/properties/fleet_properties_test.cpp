#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

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

} // namespace bursar::test::fleet_properties_test
