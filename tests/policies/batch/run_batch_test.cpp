#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/batch/device_images.hpp"
#include "policies/batch/run_batch.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/engine_runs/lane_device.hpp"
#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_bill.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_market.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::run_batch_test {
namespace {

/// Plans, their orders under some choices, and every pair as a request.
struct Drawn {
    std::vector<Plan> plans;
    std::vector<PolicyChoice> choices;
    std::vector<JobOrder> orders; ///< [plan][choice]
    std::vector<BatchRequest> requests;
};

Drawn draw() {
    static const std::vector<PolicyChoice> all = every_combination();
    Drawn drawn;
    for (int i = 0; i < 3; ++i) {
        Plan plan = draw_plan({.max_pools = 3, .max_jobs = 12, .with_estimates = true});
        if (drawn::boolean())
            draw_market(plan);
        if (drawn::boolean())
            give_grid(plan);
        if (drawn::boolean()) {
            plan.world = draw_world(plan);
            draw_fleet(plan);
        }
        drawn.plans.push_back(std::move(plan));
    }
    while (drawn.choices.size() < 4) {
        PolicyChoice choice = draw_options(all[drawn::in_range<std::size_t>(0, all.size())]);
        if (lanes_serve(drawn.plans[0], choice) && lanes_serve(drawn.plans[1], choice) &&
            lanes_serve(drawn.plans[2], choice))
            drawn.choices.push_back(std::move(choice));
    }
    for (const Plan& plan : drawn.plans)
        for (const PolicyChoice& choice : drawn.choices)
            drawn.orders.push_back(order_for(plan, choice));
    for (std::size_t i = 0; i < drawn.orders.size(); ++i)
        drawn.requests.push_back({&drawn.plans[i / drawn.choices.size()],
                                  &drawn.orders[i],
                                  drawn.choices[i % drawn.choices.size()],
                                  drawn::boolean()});
    return drawn;
}

void check_equal(const Outcome& own, const Outcome& other) {
    RC_ASSERT(own.fingerprint == other.fingerprint);
    RC_ASSERT(own.status == other.status);
    RC_ASSERT(own.end == other.end);
    RC_ASSERT(own.cells == other.cells);
    RC_ASSERT(own.money == other.money);
    RC_ASSERT(own.grid == other.grid);
    RC_ASSERT(own.events == other.events);
    RC_ASSERT(own.num_preempted == other.num_preempted);
    RC_ASSERT(own.num_preempted_without_progress == other.num_preempted_without_progress);
    RC_ASSERT(own.num_reservations == other.num_reservations);
    RC_ASSERT(own.nodes.size() == other.nodes.size());
    for (std::size_t pool = 0; pool < own.nodes.size(); ++pool) {
        RC_ASSERT(own.nodes[pool].paid == other.nodes[pool].paid);
        RC_ASSERT(own.nodes[pool].num_launches == other.nodes[pool].num_launches);
        RC_ASSERT(own.nodes[pool].num_failures == other.nodes[pool].num_failures);
    }
}

/// 40 jobs of 1 GPU, 20 of which run at once.
Plan plan_of_many() {
    return plan_of(std::vector<JobSpec>(40, JobSpec{0, 10, 1}), {pool_of(5, 4)});
}

} // namespace

TEST_CASE("a batch gives the results of single runs, for any number of teams") {
    CHECK(check_property("", [] {
        const Drawn drawn = draw();
        LaneDevice device{std::size_t{1} << 28, drawn::in_range(1U, 3U)};
        std::vector<int> num_told(drawn.requests.size());
        run_batch(device, drawn.requests, [&](std::size_t i, const Run& run) {
            ++num_told[i];
            const BatchRequest& request = drawn.requests[i];
            Workspace workspace;
            const Run alone =
                simulate(*request.plan, *request.order, request.choice, Record::jobs, workspace);
            check_equal(run.outcome, alone.outcome);
            RC_ASSERT(run.jobs == (request.keeps_rows ? alone.jobs : JobRows{}));
            RC_ASSERT(run.paid == (request.keeps_rows ? alone.paid : std::vector<PaidNodes>{}));
        });
        RC_ASSERT(num_told == std::vector<int>(num_told.size(), 1));
        RC_ASSERT(device.free_bytes() == std::size_t{1} << 28); // all memory is freed
    }));
}

TEST_CASE(
    "a batch is served in parts where memory is short, and refused where one run has no room") {
    const Plan plan = plan_of_many();
    const PolicyChoice choice{.queue = "sjf", .capacity = "count"};
    const JobOrder order = order_for(plan, choice);
    const std::vector<BatchRequest> requests(50, BatchRequest{&plan, &order, choice});
    Workspace workspace;
    const std::uint64_t expected = simulate_ledger(plan, order, choice, workspace).fingerprint;
    const auto batches_with = [&](std::size_t bytes) {
        LaneDevice device{bytes, 2};
        std::size_t num_told = 0;
        run_batch(device, requests, [&](std::size_t, const Run& run) {
            CHECK(run.outcome.fingerprint == expected);
            ++num_told;
        });
        CHECK(num_told == requests.size());
        return device.num_served();
    };
    CHECK(batches_with(std::size_t{1} << 26) == 1);
    CHECK(batches_with(std::size_t{1} << 16) > 1);
    CHECK_THROWS_WITH_AS(batches_with(std::size_t{1} << 13),
                         doctest::Contains("more than the device's memory has"),
                         BatchError);
    CHECK_THROWS_WITH_AS(batches_with(64), doctest::Contains("a plan takes"), BatchError);
}

TEST_CASE("plans that do not fit into a device's memory together run in parts") {
    const PolicyChoice choice{.queue = "sjf", .capacity = "count"};
    std::vector<Plan> plans(20, plan_of_many());
    std::vector<JobOrder> orders;
    std::vector<BatchRequest> requests;
    for (Plan& plan : plans) {
        plan.work_ms[0] +=
            1'000 * static_cast<std::int64_t>(orders.size()); // each has a different result
        orders.push_back(order_for(plan, choice));
    }
    for (int again = 0; again < 2; ++again)
        for (std::size_t i = 0; i < plans.size(); ++i)
            requests.push_back({&plans[i], &orders[i], choice});
    LaneDevice device{std::size_t{1} << 16};
    std::vector<int> num_told(requests.size());
    run_batch(device, requests, [&](std::size_t i, const Run& run) {
        ++num_told[i];
        Workspace workspace;
        const BatchRequest& asked = requests[i];
        CHECK(run.outcome.fingerprint ==
              simulate_ledger(*asked.plan, *asked.order, choice, workspace).fingerprint);
    });
    CHECK(num_told == std::vector<int>(num_told.size(), 1));
    CHECK(device.num_served() > 1);
}

TEST_CASE("a run that a device cannot make is reported, and the others complete") {
    const Plan small = plan_of_many();
    const Plan large = plan_of(std::vector<JobSpec>(4'000, JobSpec{0, 10, 1}), {pool_of(5, 4)});
    const PolicyChoice choice{.queue = "sjf", .capacity = "count"};
    const PolicyChoice on_nodes{.queue = "srtf"}; // lanes serve its rule only by count
    const JobOrder of_small = order_for(small, choice);
    const JobOrder of_large = order_for(large, choice);
    const JobOrder of_nodes = order_for(small, on_nodes);
    const std::vector<BatchRequest> requests{{&large, &of_large, choice},
                                             {&small, &of_small, choice},
                                             {&small, &of_nodes, on_nodes},
                                             {&small, &of_small, choice}};
    const auto told_with = [&](std::size_t bytes) {
        LaneDevice device{bytes};
        std::vector<std::string> told(requests.size());
        run_batch(
            device,
            requests,
            [&](std::size_t i, const Run&) { told[i] += "made"; },
            [&](std::size_t i, const std::string& why) { told[i] += why; });
        return told;
    };
    const std::vector<std::string> told = told_with(std::size_t{1} << 16);
    CHECK(told[0].starts_with("a plan takes "));
    CHECK(told[1] == "made");
    CHECK(told[2] == "the device has no kernel for its policies on plain nodes");
    CHECK(told[3] == "made");
    CHECK(told_with(image_bytes(large) + image_bytes(of_large) + 2'000)[0].starts_with(
        "a run takes "));
    CHECK(told_with(std::size_t{1} << 24)[0] == "made");
}

TEST_CASE("a run with more stopped attempts than its space is repeated with enough") {
    // Four jobs are stopped every 5 s, and finish 100 s of work after the last stop.
    Plan plan = plan_of(std::vector<JobSpec>(4, JobSpec{0, 100, 1}), {pool_of(4, 1)});
    for (std::int64_t round = 1; round <= 20; ++round)
        for (std::uint32_t job = 0; job < 4; ++job)
            plan.world.emplace_back(5'000 * round, StopJob{JobId{job}, StopCause::maintenance});
    const PolicyChoice choice{.queue = "sjf", .capacity = "count"};
    const JobOrder order = order_for(plan, choice);
    const BatchRequest request{&plan, &order, choice, true};
    LaneDevice device;
    Workspace workspace;
    const Run alone = simulate(plan, order, choice, Record::jobs, workspace);
    REQUIRE(alone.jobs.stopped.size() == 76);
    run_batch(device, {&request, 1}, [&](std::size_t, const Run& run) {
        CHECK(run.jobs == alone.jobs);
        CHECK(run.paid == alone.paid);
    });
    CHECK(device.num_served() > 1);
}

TEST_CASE("a run that outgrows its arena in a batch is repeated in a larger one") {
    // The first arena has room for a quarter of the jobs to wait after a stop; here all of them do.
    Plan plan = plan_of_many();
    for (std::uint32_t job = 0; job < 40; ++job)
        plan.world.emplace_back(5'000, StopJob{JobId{job}, StopCause::maintenance});
    plan.pools[0].num_nodes = 10;
    const PolicyChoice choice{.queue = "srtf", .capacity = "count"};
    const JobOrder order = order_for(plan, choice);
    const BatchRequest request{&plan, &order, choice};
    LaneDevice device;
    Workspace workspace;
    const Outcome expected = simulate_ledger(plan, order, choice, workspace);
    run_batch(device, {&request, 1}, [&](std::size_t, const Run& run) {
        CHECK(run.outcome.fingerprint == expected.fingerprint);
    });
    CHECK(expected.num_started == 80);
    CHECK(device.num_served() == 3); // room for 11 waiting jobs, for 22, for all
}

} // namespace bursar::test::run_batch_test
