#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/runs/simulate.hpp"

#include "tests/oracle/time_stepping.hpp"
#include "tests/plan_builder.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::agreement_test {
namespace {

/// A random small world: few GPUs, many ties, some jobs of zero length.
struct World {
    std::vector<JobSpec> jobs;
    std::vector<PlanPool> pools;
    std::vector<std::uint16_t> preference; ///< the broker's order of the pools
    Duration startup{};
    Duration teardown{};
};

World draw_world() {
    World world;
    const int num_pools = drawn::in_range(1, 4);
    std::uint32_t largest_node = 1;
    for (int p = 0; p < num_pools; ++p) {
        world.pools.push_back(pool_of(drawn::in_range(1U, 5U), drawn::in_range(1U, 5U)));
        largest_node = std::max(largest_node, world.pools.back().gpus_per_node);
    }
    for (std::uint16_t p = 0; p < num_pools; ++p)
        world.preference.push_back(p);
    std::rotate(world.preference.begin(),
                world.preference.begin() + drawn::in_range(0, num_pools),
                world.preference.end());
    if (drawn::boolean()) {
        world.startup = drawn::in_range(0, 4) * second;
        world.teardown = drawn::in_range(0, 3) * second;
    }
    const int num_jobs = drawn::in_range(1, 25);
    std::int64_t submit = 0;
    for (int j = 0; j < num_jobs; ++j) {
        submit += j == 0 ? 0 : drawn::in_range(0, 6);
        JobSpec job{submit,
                    drawn::in_range(0, 12),
                    1,
                    drawn::in_range<std::uint64_t>(1, 1U << static_cast<unsigned>(num_pools))};
        std::uint32_t most = 0; // the largest pool it may use bounds its gang
        for (int p = 0; p < num_pools; ++p) {
            const auto gpus =
                static_cast<std::uint32_t>(world.pools[static_cast<std::size_t>(p)].num_gpus());
            if ((job.permitted_pools >> p & 1U) != 0)
                most = std::max(most, gpus);
        }
        job.gpus = drawn::in_range(1U, most + 1);
        world.jobs.push_back(job);
    }
    return world;
}

Plan plan_of_world(const World& world) {
    Plan plan = plan_of(world.jobs, world.pools);
    plan.pool_preference = world.preference;
    plan.classes[0] = {world.startup, world.teardown};
    return plan;
}

std::vector<oracle::Pace> paces_of(const Plan& plan, std::size_t job) {
    std::vector<oracle::Pace> paces;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if (const PlanSpeed* speed = plan.speed_of(job, pool)) {
            paces.push_back({speed->speed, {}});
            std::ranges::copy(speed->stalled_slots, paces.back().idle_slots.begin());
        }
    }
    return paces;
}

oracle::Schedule ask_oracle(const Plan& plan, const PolicyChoice& choice) {
    std::vector<oracle::Job> jobs;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const PlanClass& job_class = plan.classes[plan.job_class[job]];
        jobs.push_back({plan.submit_ms[job],
                        plan.work_ms[job],
                        (job_class.startup + job_class.teardown).count(),
                        plan.gpus(job),
                        plan.shapes[plan.shape[job]].permitted_pools,
                        paces_of(plan, job)});
    }
    std::vector<oracle::Pool> pools;
    for (const PlanPool& pool : plan.pools) {
        pools.push_back({std::to_string(pools.size()), pool.num_nodes, pool.gpus_per_node});
    }
    oracle::Rules rules;
    rules.pool_preference.assign(plan.pool_preference.begin(), plan.pool_preference.end());
    rules.queue = choice.queue == "sjf" ? oracle::QueueRule::sjf : oracle::QueueRule::fifo;
    rules.head = choice.head == HeadRule::skip ? oracle::HeadRule::skip : oracle::HeadRule::block;
    rules.capacity =
        choice.capacity == "count" ? oracle::CapacityRule::count : oracle::CapacityRule::nodes;
    rules.placement = choice.placement == "first-fit" ? oracle::PlacementRule::first_fit
                                                      : oracle::PlacementRule::consolidated;
    return oracle::TimeStepper{jobs, pools, rules}.run();
}

void check_agreement(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace{1}; // grows during the run, which also tests the doubling
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    const oracle::Schedule expected = ask_oracle(plan, choice);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        RC_ASSERT(run.jobs.phase[job] == JobPhase::finished);
        RC_ASSERT(run.jobs.start_ms[job] == expected.start_ms[job]);
        RC_ASSERT(run.jobs.finish_ms[job] == expected.finish_ms[job]);
        RC_ASSERT(run.jobs.pool[job] == expected.pool[job]);
    }
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const auto idle = [&](Leaf leaf) {
            return static_cast<std::int64_t>(
                run.outcome.cell(pool, run.outcome.num_tenants, leaf).count());
        };
        RC_ASSERT(idle(Leaf::idle_no_demand) == expected.idle[pool].no_demand);
        RC_ASSERT(idle(Leaf::idle_ineligible) == expected.idle[pool].ineligible);
        RC_ASSERT(idle(Leaf::idle_fragmented) == expected.idle[pool].fragmented);
        RC_ASSERT(idle(Leaf::idle_gang) == expected.idle[pool].gang);
        RC_ASSERT(idle(Leaf::idle_latency) == 0);
        const auto work = [&](Leaf leaf) { // of the one tenant
            return static_cast<std::int64_t>(run.outcome.cell(pool, 0, leaf).count());
        };
        RC_ASSERT(work(Leaf::stall_input) == expected.work[pool].stalled[0]);
        RC_ASSERT(work(Leaf::stall_comm) == expected.work[pool].stalled[1]);
        RC_ASSERT(work(Leaf::stall_bubble) == expected.work[pool].stalled[2]);
        RC_ASSERT(work(Leaf::stall_sync) == expected.work[pool].stalled[3]);
        RC_ASSERT(work(Leaf::stall_interference) == expected.work[pool].stalled[4]);
        RC_ASSERT(work(Leaf::prod_useful) == expected.work[pool].working);
    }
}

} // namespace

TEST_CASE("the engine and a brute-force time stepper give the same schedule and ledger") {
    for (const char* queue : {"fifo", "sjf"}) {
        for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
            for (const char* capacity : {"count", "nodes"}) {
                for (const char* placement : {"first-fit", "consolidated"}) {
                    const PolicyChoice choice{queue, head, capacity, placement};
                    CAPTURE(queue);
                    CAPTURE(static_cast<int>(head));
                    CAPTURE(capacity);
                    CAPTURE(placement);
                    CHECK(rc::check(std::string{queue} + " " + capacity + " " + placement,
                                    [&] { check_agreement(plan_of_world(draw_world()), choice); }));
                }
            }
        }
    }
}

TEST_CASE("they agree if speeds differ by pool and part of the time at work is stalled") {
    for (const char* queue : {"fifo", "sjf"}) {
        for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
            const PolicyChoice choice{queue, head, "nodes", "consolidated"};
            CAPTURE(queue);
            CAPTURE(static_cast<int>(head));
            CHECK(check_property([&] {
                Plan plan = plan_of_world(draw_world());
                to_milliseconds(plan);
                give_speeds(plan, draw_plan_speed);
                check_agreement(plan, choice);
            }));
        }
    }
}

} // namespace bursar::test::agreement_test
