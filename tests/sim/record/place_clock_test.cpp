#include <vector>

#include <doctest/doctest.h>

#include "sim/record/level_effect.hpp"
#include "sim/record/metrics.hpp"

#include "policies/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::place_clock_test {
namespace {

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

/// Two nodes of two GPUs; two jobs of one GPU, then one of two, then one of one. First-fit lays the
/// small ones on the first node, worst-fit would not.
Plan scattered() {
    return plan_of({{0, 100}, {0, 40}, {0, 100}, {10, 50, 2}}, {pool_of(2, 2)});
}

} // namespace

TEST_CASE("a head that fits by count and not by place waits for a place") {
    // Node 0 holds jobs 0 and 1, node 1 job 2; from 40 on one GPU is free on each node, and job 3
    // of two GPUs fits neither until 100.
    const Plan plan = scattered();
    const Run run = run_of(plan, {.placement = "first-fit"});
    REQUIRE(run.jobs.place_wait.has_value());
    CHECK(run.jobs.start_ms[3] == 100'000);
    CHECK(run.jobs.place_wait->job_ms == 60'000);
    CHECK(run.jobs.place_wait->slot_ms == 60'000 * 2 * slots_per_gpu);
    const Run skipping = run_of(plan, {.head = HeadRule::skip, .placement = "first-fit"});
    CHECK(skipping.jobs.place_wait == run.jobs.place_wait);
}

TEST_CASE("counted capacity knows no places to wait for") {
    CHECK_FALSE(run_of(scattered(), {.capacity = "count"}).jobs.place_wait.has_value());
}

TEST_CASE("only the measured window counts") {
    Plan plan = scattered();
    plan.measure_from = 50 * second;
    plan.measure_to = 70 * second;
    CHECK(run_of(plan, {.placement = "first-fit"}).jobs.place_wait->job_ms == 20'000);
}

TEST_CASE("as many jobs wait for places as the free GPUs would hold, the smallest first") {
    // From 40 on two GPUs are free on two nodes; three jobs of two GPUs wait: one would fit.
    const Plan plan = plan_of({{0, 100}, {0, 40}, {0, 100}, {10, 50, 2}, {10, 50, 2}, {10, 50, 2}},
                              {pool_of(2, 2)});
    const Run run = run_of(plan, {.head = HeadRule::skip, .placement = "first-fit"});
    CHECK(run.jobs.place_wait->job_ms == 60'000);
}

TEST_CASE("what a place gained and lost is the same work at other levels") {
    // One class: 1 at a node, 1/2 in a rack, 1/4 anywhere. Held for 100 and 200 ms.
    Plan plan = plan_of({{0, 100}, {0, 100}}, {pool_of(4, 2)});
    plan.num_levels = 3;
    plan.node_group = {0, 1, 2, 3, 0, 0, 1, 1, 0, 0, 0, 0};
    plan.level_begin = {0, 4, 8};
    plan.speeds.resize(3);
    for (std::size_t level = 0; level < 3; ++level)
        plan.speeds[level].speed = reference_speed >> level;
    plan.classes = {{.speed_row = 1}};
    JobRows rows;
    rows.phase = {JobPhase::finished, JobPhase::finished};
    rows.pool = {0, 0};
    rows.level = {0, 1};
    rows.start_ms = {0, 0};
    rows.finish_ms = {100, 200};
    const std::optional<LevelEffect> effect = level_effect(plan, rows, Duration{200});
    REQUIRE(effect.has_value());
    const std::int64_t slots = plan.shapes[0].slots();
    CHECK(effect->gained_slot_ms == slots * (300 + 200)); // 400 ms each at the widest
    CHECK(effect->lost_slot_ms == slots * (0 + 100));     // 100 ms each at the narrowest

    rows.stopped = {{.stop_ms = 60,
                     .kept_ms = 60,
                     .job = 1,
                     .level = 2}}; // 60 ms spread out first, the work of 15
    rows.last_start_ms = {0, 60};
    rows.finish_ms[1] = 260;
    const std::optional<LevelEffect> after = level_effect(plan, rows, Duration{260});
    CHECK(after->gained_slot_ms == slots * (300 + 200 + 0));
    CHECK(after->lost_slot_ms == slots * (0 + 100 + 45));
    plan.measure_from = Duration{1};
    CHECK(level_effect(plan, rows, Duration{260})->gained_slot_ms == 0);
    plan.num_levels = 1;
    CHECK_FALSE(level_effect(plan, rows, Duration{260}).has_value());
}

} // namespace bursar::test::place_clock_test
