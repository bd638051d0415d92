#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/record/recorder.hpp"

#include "policies/placement/registry.hpp"
#include "policies/runs/engine_types.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/properties.hpp"

namespace bursar::test::detailed_runs_test {
namespace {

/// Jobs with parts of GPUs, CPU and memory, without GPUs, and gangs over racks, on two pools.
Plan draw_plan() {
    Plan plan;
    plan.pools = {pool_of(6, 4), pool_of(3, 8)};
    plan.pool_preference = plan.pools_by_name = {0, 1};
    plan.classes.resize(1);
    plan.pools[0].cpu_milli = 16'000;
    plan.pools[1].memory_mib = 64'000;
    plan.num_levels = 3;
    for (const PlanPool& pool : plan.pools) {
        for (const std::uint32_t size : {1U, 2U, pool.num_nodes}) {
            plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
            for (std::uint32_t node = 0; node < pool.num_nodes; ++node)
                plan.node_group.push_back(node / size);
        }
    }
    for (const std::uint32_t gpus : {0U, 1U, 1U, 2U, 5U, 8U, 12U}) {
        JobShape shape{gpus, drawn::in_range<std::uint64_t>(1, 4)};
        if (gpus == 1)
            shape.gpu_slots = static_cast<std::uint16_t>(125 * drawn::in_range(1, 9));
        shape.cpu_milli = 500 * drawn::in_range(0U, 9U) * (gpus == 0 ? 1 : gpus);
        shape.memory_mib = 1000 * drawn::in_range(0U, 9U) * (gpus == 0 ? 1 : gpus);
        shape.preferred_level = drawn::one_of<std::uint8_t>(0, 1, 2, JobShape::any_level);
        if (gpus <= 8)
            shape.required_level = drawn::one_of<std::uint8_t>(1, 2, JobShape::any_level);
        plan.shapes.push_back(shape);
    }
    std::int64_t submit = 0;
    for (int job = 0; job < 80; ++job) {
        submit += drawn::in_range(0, 4);
        plan.submit_ms.push_back(submit);
        plan.work_ms.push_back(drawn::in_range(0, 30));
        plan.shape.push_back(static_cast<std::uint16_t>(drawn::in_range(0, 7)));
        plan.job_class.push_back(0);
        plan.tenant.push_back(0);
        plan.end.push_back(JobEnd::completed);
    }
    return plan;
}

PolicyChoice draw_choice(std::string_view placement) {
    PolicyChoice choice;
    choice.queue = drawn::one_of<std::string>("fifo", "sjf");
    choice.head = drawn::one_of(HeadRule::block, HeadRule::skip);
    choice.placement = placement;
    choice.broker = drawn::one_of<std::string>("owned-first", "any");
    return choice;
}

Outcome run_once(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace{1}; // grows on the way
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
}

} // namespace

TEST_CASE("with parts of GPUs, CPU and racks every placement finishes and books exactly") {
    for (const PolicyInfo& placement : PlacementPolicies::infos("placement")) {
        CAPTURE(placement.name);
        CHECK(rc::check(std::string{placement.name}, [&] {
            const Plan plan = draw_plan();
            const PolicyChoice choice = draw_choice(placement.name);
            const Outcome outcome = run_once(plan, choice);
            RC_ASSERT(outcome.status == RunStatus::ok);
            RC_ASSERT(outcome.num_finished == plan.num_jobs());
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
                SlotTime booked;
                for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                    booked += outcome.cell(pool, 0, static_cast<Leaf>(leaf)) +
                              outcome.cell(pool, 1, static_cast<Leaf>(leaf));
                RC_ASSERT(booked ==
                          slot_time(plan.pools[pool].num_gpus() * slots_per_gpu, outcome.end));
            }
            SlotTime work;
            for (std::size_t job = 0; job < plan.num_jobs(); ++job)
                work +=
                    slot_time(plan.shapes[plan.shape[job]].slots(), Duration{plan.work_ms[job]});
            RC_ASSERT(outcome.cell(0, 0, Leaf::prod_useful) +
                          outcome.cell(1, 0, Leaf::prod_useful) ==
                      work);
            RC_ASSERT(run_on_lanes(plan, choice).fingerprint == outcome.fingerprint);
        }));
    }
}

TEST_CASE("whole GPUs on one pool give one outcome for any detail of nodes") {
    for (const char* placement : {"first-fit", "consolidated"}) {
        CAPTURE(placement);
        CHECK(check_property(placement, [&] {
            Plan plan = draw_plan();
            plan.pools.resize(1);
            plan.pool_preference = plan.pools_by_name = {0};
            plan.num_levels = 1;
            plan.pools[0].cpu_milli = 0;
            for (JobShape& shape : plan.shapes)
                shape = JobShape{shape.gpus == 0 ? 3 : shape.gpus, 1};
            REQUIRE(detail_of(view_of(plan)).is_plain());
            PolicyChoice choice = draw_choice(placement);
            choice.broker = "owned-first";
            const Outcome plain = run_once(plan, choice);
            choice.broker = "any"; // the placement then compares states of nodes
            RC_ASSERT(run_once(plan, choice).fingerprint == plain.fingerprint);
        }));
    }
}

} // namespace bursar::test::detailed_runs_test
