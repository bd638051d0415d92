#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::staging_by_hand_test {
namespace {

Run run_of(const Plan& plan, const char* queue = "fifo") {
    const PolicyChoice choice{queue, HeadRule::block, std::string{capacity_count}};
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

/// Start-up of `startup` seconds, `staged` of them for image and data.
Plan with_staging(Plan plan, int startup, int staged, EndPrediction predict, std::uint32_t jobs) {
    for (PlanClass& one : plan.classes) {
        one.startup = startup * second;
        one.staged = staged * second;
    }
    plan.staging = {jobs, predict};
    return plan;
}

StagedAhead used(std::uint32_t job, int staged, int kept) {
    return {job, true, staged * 1'000, kept * 1'000};
}
StagedAhead for_nothing(std::uint32_t job, int staged, int kept) {
    return {job, false, staged * 1'000, kept * 1'000};
}

/// GPU-seconds of a leaf over all pools and tenants.
std::int64_t gpu_seconds(const Outcome& outcome, Leaf leaf) {
    SlotTime sum;
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool)
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            sum += outcome.cell(pool, tenant, leaf);
    return static_cast<std::int64_t>(sum.count() / (slots_per_gpu * 1'000));
}

/// All other leaves are 0.
void check_leaves(const Outcome& outcome, int startup, int useful, int held_free) {
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        CAPTURE(name_of(static_cast<Leaf>(leaf)));
        const std::int64_t got = gpu_seconds(outcome, static_cast<Leaf>(leaf));
        if (static_cast<Leaf>(leaf) == Leaf::over_startup)
            CHECK(got == startup);
        else if (static_cast<Leaf>(leaf) == Leaf::prod_useful)
            CHECK(got == useful);
        else if (static_cast<Leaf>(leaf) == Leaf::idle_no_demand)
            CHECK(got == held_free);
        else
            CHECK(got == 0);
    }
}

} // namespace

TEST_CASE("a queue drains with 15 s between jobs where 5 to 15 min of start-up are staged") {
    for (const int startup : {300, 600, 900}) {
        CAPTURE(startup);
        const Plan plan = with_staging(
            plan_of({{0, 3'600, 8}, {0, 3'600, 8}, {0, 3'600, 8}, {0, 3'600, 8}}, {pool_of(1, 8)}),
            startup,
            startup - 15,
            EndPrediction::exact,
            1);
        const Run run = run_of(plan);
        // The first finds nothing staged. The others stage while the job before them works.
        CHECK(run.outcome.end == (startup + 3 * 15 + 4 * 3'600) * second);
        check_leaves(run.outcome, 8 * (startup + 3 * 15), 8 * 4 * 3'600, 0);
        CHECK(run.jobs.staged == std::vector{used(1, startup - 15, 0),
                                             used(2, startup - 15, 0),
                                             used(3, startup - 15, 0)});

        Plan without = plan;
        without.staging = {};
        const Run plain = run_of(without);
        CHECK(plain.outcome.end == 4 * (startup + 3'600) * second);
        check_leaves(plain.outcome, 8 * 4 * startup, 8 * 4 * 3'600, 0);
        CHECK(plain.jobs.staged.empty());
    }
}

TEST_CASE("a job shorter than the staging of the next one leaves it a part of its start-up") {
    // The second job works for 40 s after 15 s of start-up, so that the third has staged 55 s.
    const Run run =
        run_of(with_staging(plan_of({{0, 200, 4}, {0, 40, 4}, {0, 10, 4}}, {pool_of(1, 4)}),
                            100,
                            85,
                            EndPrediction::exact,
                            1));
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 300'000, 355'000});
    CHECK(run.jobs.staged == std::vector{used(1, 85, 0), used(2, 55, 0)});
    CHECK(run.outcome.end == (355 + 45 + 10) * second);
    check_leaves(run.outcome, 4 * (100 + 15 + 45), 4 * 250, 0);
}

TEST_CASE("jobs stage at once on GPUs that become free one after the other") {
    // On two GPUs jobs end at 140 s and 240 s. The third and the fourth stage before these ends. No
    // end is predicted for the fifth until the third runs.
    const Run run = run_of(with_staging(
        plan_of({{0, 100, 1}, {0, 200, 1}, {0, 300, 1}, {0, 10, 1}, {0, 10, 1}}, {pool_of(1, 2)}),
        40,
        30,
        EndPrediction::exact,
        3));
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 0, 140'000, 240'000, 260'000});
    CHECK(run.jobs.staged == std::vector{used(2, 30, 0), used(3, 30, 0), used(4, 20, 0)});
    CHECK(run.outcome.end == (140 + 10 + 300) * second);
    check_leaves(run.outcome, 2 * 40 + 10 + 10 + 20, 100 + 200 + 300 + 2 * 10, 2 * 450 - 120 - 620);
}

TEST_CASE("an end that comes before its prediction leaves a part to wait for") {
    // The first job works for 200 s, and is expected to work for 240 s: until 340 s.
    Plan plan = with_staging(
        plan_of({{0, 200, 4}, {0, 100, 4}}, {pool_of(1, 4)}), 100, 85, EndPrediction::estimate, 1);
    plan.estimate_ms = {240'000, 100'000};
    const Run run = run_of(plan);
    CHECK(run.jobs.staged == std::vector{used(1, 45, 0)}); // from 255 s to 300 s
    CHECK(run.outcome.end == (300 + 55 + 100) * second);
    check_leaves(run.outcome, 4 * (100 + 55), 4 * 300, 0);
}

TEST_CASE("an end that comes after its prediction occupies disks for longer") {
    Plan plan = with_staging(
        plan_of({{0, 200, 4}, {0, 100, 4}}, {pool_of(1, 4)}), 100, 85, EndPrediction::estimate, 1);
    plan.estimate_ms = {150'000, 100'000};
    const Run run = run_of(plan);
    CHECK(run.jobs.staged == std::vector{used(1, 85, 50)}); // from 165 s to 250 s
    CHECK(run.outcome.end == (300 + 15 + 100) * second);
    check_leaves(run.outcome, 4 * (100 + 15), 4 * 300, 0);
}

TEST_CASE("what is staged on GPUs that become free too late is for nothing") {
    // Two GPUs. The first job is expected to end at 40 s and ends at 310 s, the second at 210 s and
    // ends at 60 s. From 35 s on the third stages on the GPU of the first, and starts on the other.
    Plan plan = with_staging(plan_of({{0, 300, 1}, {0, 50, 1}, {0, 100, 1}}, {pool_of(1, 2)}),
                             10,
                             5,
                             EndPrediction::estimate,
                             1);
    plan.estimate_ms = {30'000, 200'000, 100'000};
    const Run run = run_of(plan);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 0, 60'000});
    CHECK(run.jobs.staged == std::vector{for_nothing(2, 5, 20)});
    CHECK(run.outcome.end == 310 * second);
    check_leaves(run.outcome, 3 * 10, 450, 2 * 310 - 3 * 10 - 450);
}

TEST_CASE("by the history of a class, nothing is staged before one of its jobs has ended") {
    // The first attempt of the class works for 100 s; the second for 200 s, and is expected to do
    // so for 100 s.
    const Run run =
        run_of(with_staging(plan_of({{0, 100, 1}, {0, 200, 1}, {0, 100, 1}}, {pool_of(1, 1)}),
                            10,
                            5,
                            EndPrediction::class_history,
                            1));
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 110'000, 320'000});
    // Expected end 110 + 10 + 100 = 220 s: staged from 215 s to 220 s, and kept until 320 s.
    CHECK(run.jobs.staged == std::vector{used(2, 5, 100)});
    CHECK(run.outcome.end == (320 + 5 + 100) * second);
    check_leaves(run.outcome, 10 + 10 + 5, 400, 0);
}

TEST_CASE("the history of a class counts work, not start-ups that staging made shorter") {
    // Jobs of 1000 s on one node. The first holds its GPUs for 1100 s. Each later one works for as
    // long, whatever part of its start-up it waits for, so all from the third on stage 85 s.
    const Run run = run_of(with_staging(plan_of({{0, 1'000, 2},
                                                 {0, 1'000, 2},
                                                 {0, 1'000, 2},
                                                 {0, 1'000, 2},
                                                 {0, 1'000, 2},
                                                 {0, 1'000, 2}},
                                                {pool_of(1, 2)}),
                                        100,
                                        85,
                                        EndPrediction::class_history,
                                        1));
    CHECK(run.jobs.staged ==
          std::vector{used(2, 85, 0), used(3, 85, 0), used(4, 85, 0), used(5, 85, 0)});
    CHECK(run.outcome.end == (2 * 100 + 4 * 15 + 6 * 1'000) * second);
    check_leaves(run.outcome, 2 * (2 * 100 + 4 * 15), 2 * 6'000, 0);
}

TEST_CASE("a job that others pass has staged for nothing, and stages again") {
    Plan plan = with_staging(plan_of({{0, 100, 1}, {0, 60, 1}, {95, 10, 1}}, {pool_of(1, 1)}),
                             40,
                             30,
                             EndPrediction::exact,
                             1);
    plan.priority = {0, 0, 5};
    const Run run = run_of(plan, "priority");
    // The first ends at 140 s; the second stages from 110 s on if it is next, but the third is
    // from 95 s on. That ends at 140 + 10 + 10 s, and the second has 20 s.
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 160'000, 140'000});
    CHECK(run.jobs.staged == std::vector{used(2, 30, 0), used(1, 20, 0)});
    plan.submit_ms[2] = 120'000;
    const Run late = run_of(plan, "priority");
    // The second has staged from 110 s to 120 s, the third from then to 140 s; it has 20 s to wait.
    CHECK(late.jobs.start_ms == std::vector<std::int64_t>{0, 170'000, 140'000});
    CHECK(late.jobs.staged == std::vector{for_nothing(1, 10, 0), used(2, 20, 0), used(1, 30, 0)});
    check_leaves(late.outcome, 40 + 20 + 10, 170, 0);
}

TEST_CASE("what is staged as the run ends is for nothing") {
    // Jobs work for 200 s after 100 s of start-up; the second stages from 215 s on.
    Plan plan = with_staging(
        plan_of({{0, 200, 4}, {0, 200, 4}}, {pool_of(1, 4)}), 100, 85, EndPrediction::exact, 1);
    plan.until = 200 * second;
    CHECK(run_of(plan).jobs.staged.empty());
    plan.until = 255 * second;
    CHECK(run_of(plan).jobs.staged == std::vector{for_nothing(1, 40, 0)});
    // An end that is late: staged from 165 s to 250 s, and kept until the end of the run.
    plan.staging.predict = EndPrediction::estimate;
    plan.estimate_ms = {150'000, 200'000};
    plan.until = 290 * second;
    CHECK(run_of(plan).jobs.staged == std::vector{for_nothing(1, 85, 40)});
}

TEST_CASE("a job that was stopped starts again with all of its recovery") {
    Plan plan = with_staging(
        plan_of({{0, 100, 1}, {0, 100, 1}}, {pool_of(1, 1)}), 10, 5, EndPrediction::exact, 2);
    plan.classes[0].recovery = 10 * second;
    plan.world = {
        {50'000, StopJob{.job = JobId{0}, .cause = StopCause::node_failed, .hold_ms = 0}}};
    const Run run = run_of(plan);
    CHECK(run.jobs.staged == std::vector<StagedAhead>{used(1, 5, 0)});
    CHECK(run.outcome.cell(0, 0, Leaf::over_recovery) == slot_time(slots_per_gpu, 10 * second));
}

} // namespace bursar::test::staging_by_hand_test
