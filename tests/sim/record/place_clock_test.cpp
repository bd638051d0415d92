#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/setup/members.hpp"
#include "sim/record/metrics.hpp"
#include "sim/record/place_clock.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::test::place_clock_test {
namespace {

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

/// Two nodes of two GPUs; two jobs of one GPU, then one of two, then one of one. First-fit places
/// the small ones on the first node, worst-fit would not.
Plan scattered() {
    return plan_of({{0, 100}, {0, 40}, {0, 100}, {10, 50, 2}}, {pool_of(2, 2)});
}

/// Jobs with separate shapes that come, start and are stopped, while the free GPUs of two pools and
/// the shapes that fit change.
struct DrawnRun {
    std::int64_t now_ms{};
    std::uint32_t next_arrival{};
    const JobShape* shapes{};
    std::vector<std::int64_t> free{};
    std::vector<bool> shape_fits{};

    [[nodiscard]] const JobShape* shapes_of(const JobShape*) const { return shapes; }
};
struct SomeWait {
    static constexpr QueueMembers has{};
    [[nodiscard]] std::uint32_t num_jobs() const { return 1; }
};
struct DrawnCapacity {
    const DrawnRun& run;
    [[nodiscard]] std::int64_t free_slots(PoolId pool) const { return run.free[pool]; }
    [[nodiscard]] bool fits(const JobShape& shape) const {
        return run.shape_fits[static_cast<std::size_t>(&shape - run.shapes)];
    }
};

/// A clock that watches all jobs of a plan, with its memory.
struct WatchedPlan {
    explicit WatchedPlan(const Plan& plan) : by_slots{shapes_by_slots(plan)}, memory(4'096) {
        ArenaCarver carver{reinterpret_cast<std::byte*>(memory.data())};
        clock = PlaceClock{carver, view_of(plan), PlaceWatch::all, by_slots.data()};
        clock.clear();
    }
    WatchedPlan(const WatchedPlan&) = delete;
    WatchedPlan& operator=(const WatchedPlan&) = delete;

    std::vector<ShapeId> by_slots;
    std::vector<std::uint64_t> memory;
    PlaceClock clock;
};

} // namespace

TEST_CASE("waiting jobs are found with and without separate shapes") {
    CHECK(check_property([] {
        const std::size_t num_jobs = drawn::in_range(1, 80);
        std::vector<JobSpec> jobs(num_jobs);
        for (JobSpec& job : jobs)
            job = {0, 100};
        Plan plan = plan_of(jobs, {pool_of(4, 8), pool_of(4, 8)});
        plan.shapes.clear();
        for (std::size_t job = 0; job < num_jobs; ++job) {
            plan.shapes.push_back({drawn::in_range(1U, 9U), drawn::in_range(1U, 4U)});
            plan.shape[job] = static_cast<std::uint16_t>(job);
        }
        Plan own_shapes = plan;
        own_shapes.fallbacks.resize(1);
        WatchedPlan one{plan};
        WatchedPlan other{own_shapes};
        DrawnRun run{.shapes = plan.shapes.data()};
        std::vector<bool> waits(num_jobs, true);
        while (run.next_arrival < num_jobs) {
            run.now_ms += 10;
            run.next_arrival += drawn::in_range(1U, 4U);
            run.next_arrival = std::min(run.next_arrival, static_cast<std::uint32_t>(num_jobs));
            for (JobId job{0}; job < run.next_arrival; ++job) {
                if (drawn::in_range(0, 3) != 0)
                    continue;
                for (PlaceClock* clock : {&one.clock, &other.clock}) {
                    if (waits[job])
                        clock->started(job);
                    else
                        clock->preempted(job);
                }
                waits[job] = !waits[job];
            }
            run.free = *rc::gen::container<std::vector<std::int64_t>>(
                2, rc::gen::inRange<std::int64_t>(0, 20 * slots_per_gpu));
            run.shape_fits =
                *rc::gen::container<std::vector<bool>>(num_jobs, rc::gen::arbitrary<bool>());
            one.clock.settled(run, SomeWait{}, DrawnCapacity{run});
            other.clock.settled(run, SomeWait{}, DrawnCapacity{run});
        }
        RC_ASSERT(one.clock.take(run.now_ms + 10) == other.clock.take(run.now_ms + 10));
    }));
}

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

TEST_CASE("the time of a job in the queue is divided by what it lacked") {
    const auto waits_of = [](const Plan& plan, const PolicyChoice& choice) {
        Workspace workspace;
        const JobOrder order = order_for(plan, choice);
        return simulate(plan, order, choice, Record::timeline, workspace).jobs.waits;
    };
    // From 10 to 40 three of four GPUs are held, and job 3 needs two; to 100 two are free on
    // different nodes.
    const auto scattered_waits = waits_of(scattered(), {.placement = "first-fit"});
    REQUIRE(scattered_waits.size() == 4);
    CHECK(scattered_waits[0] == WaitTimes{});
    CHECK(scattered_waits[3] == WaitTimes{0, 60'000, 0, 30'000});
    // Job 2 could start beside job 0 at once, but may not pass job 1, which needs all GPUs.
    const Plan blocked = plan_of({{0, 100}, {10, 50, 2}, {20, 50}}, {pool_of(1, 2)});
    const auto blocked_waits = waits_of(blocked, {});
    CHECK(blocked_waits[1] == WaitTimes{0, 0, 0, 90'000});
    CHECK(blocked_waits[2] == WaitTimes{80'000, 0, 0, 50'000});
    CHECK(run_of(blocked, {}).jobs.waits.empty()); // they are kept with the timeline
}

TEST_CASE("jobs never wait for a place on counted capacity") {
    CHECK_FALSE(run_of(scattered(), {.capacity = "count"}).jobs.place_wait.has_value());
}

TEST_CASE("only the measured window counts") {
    Plan plan = scattered();
    plan.measure_from = 50 * second;
    plan.measure_to = 70 * second;
    CHECK(run_of(plan, {.placement = "first-fit"}).jobs.place_wait->job_ms == 20'000);
}

TEST_CASE("as many jobs wait for a place as fit into the free GPUs, the smallest first") {
    // From 40 on two GPUs are free on two nodes; three jobs of two GPUs wait: one would fit.
    const Plan plan = plan_of({{0, 100}, {0, 40}, {0, 100}, {10, 50, 2}, {10, 50, 2}, {10, 50, 2}},
                              {pool_of(2, 2)});
    const Run run = run_of(plan, {.head = HeadRule::skip, .placement = "first-fit"});
    CHECK(run.jobs.place_wait->job_ms == 60'000);
}

TEST_CASE("the effect of a place is the difference to the same work at other levels") {
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
