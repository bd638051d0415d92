#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/record/metrics.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"

// Waiting jobs that are dropped once they must miss their deadline.
namespace bursar::test::drops_by_hand_test {
namespace {

using Times = std::vector<std::int64_t>;
using Phases = std::vector<JobPhase>;
constexpr JobPhase done = JobPhase::finished;
constexpr JobPhase dropped = JobPhase::dropped;

/// One node of four GPUs; deadlines in seconds of the run, -1: none.
Plan plan_with(const std::vector<JobSpec>& jobs, const Times& deadline_s) {
    Plan plan = plan_of(jobs, {pool_of(1, 4)});
    for (const std::int64_t one : deadline_s)
        plan.deadline_ms.push_back(one < 0 ? no_deadline_ms : 1000 * one);
    plan.classes[0].drops_late = true;
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::timeline, workspace);
}

SlotTime gpu_ms(std::int64_t gpus, std::int64_t ms) {
    return slot_time(gpus * slots_per_gpu, Duration{ms});
}

/// In whose order the jobs below are served as submitted, and no running one is stopped.
std::vector<PolicyChoice> blocking_choices() {
    std::vector<PolicyChoice> all;
    for (const char* queue : {"fifo", "sjf", "fair-share", "drf", "multifactor"})
        for (const char* capacity : {"count", "nodes"}) {
            all.push_back({queue, HeadRule::block, capacity});
            all.push_back({queue, HeadRule::block, capacity});
            all.back().backfill = "easy";
        }
    all.push_back({"fifo", HeadRule::block, "count"});
    all.back().backfill = "conservative";
    return all;
}

} // namespace

TEST_CASE(
    "a job that can still end by its deadline starts, and a millisecond later it is dropped") {
    for (const std::int64_t deadline_s : {30, 29}) {
        // The first ends at 10 s. The second, of 20 s, may start at 10 s, or 9 s, at the latest.
        const Plan plan = plan_with({{0, 10, 4}, {0, 20, 4}}, {-1, deadline_s});
        for (const PolicyChoice& choice : blocking_choices()) {
            CAPTURE(name_of(choice));
            const Run run = run_of(plan, choice);
            const bool meets_it = deadline_s == 30;
            CHECK(run.jobs.phase == Phases{done, meets_it ? done : dropped});
            CHECK(run.jobs.finish_ms == Times{10'000, meets_it ? 30'000 : 9'001});
            CHECK(run.outcome.num_dropped == (meets_it ? 0 : 1));
            CHECK(run.outcome.num_queued_at_end == 0);
            CHECK(run.outcome.end == (meets_it ? 30 : 10) * second);
        }
    }
}

TEST_CASE("a dropped head blocks no job, and holds no GPU, from then on") {
    // The second needs all GPUs, for 10 s, and may start at 5 s at the latest. It blocks the third,
    // which would use the free GPU until 32 s and so delay it.
    const Plan plan = plan_with({{0, 20, 3}, {1, 10, 4}, {2, 30, 1}}, {-1, 15, -1});
    for (const PolicyChoice& choice : blocking_choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.phase == Phases{done, dropped, done});
        CHECK(run.jobs.start_ms[2] == 5'001);
        CHECK(run.outcome.cell(0, 1, Leaf::idle_gang) == gpu_ms(1, 4'001));
        CHECK(run.outcome.cell(0, 1, Leaf::idle_no_demand) == gpu_ms(1, 1'000) + gpu_ms(3, 15'001));
    }
}

TEST_CASE("a job that can't meet its deadline at its submit is dropped there") {
    const Plan plan = plan_with({{0, 10, 4}, {2, 20, 1}}, {-1, 21});
    for (const PolicyChoice& choice : blocking_choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.phase == Phases{done, dropped});
        CHECK(run.jobs.finish_ms[1] == 2'000);
        CHECK(run.jobs.queue.ms_at_length.size() <= 1);
    }
}

TEST_CASE("a preempted job is dropped, and the work that it had kept is lost") {
    // At 5 s the second, with less work left, takes the GPUs. The first has 15 s left for a
    // deadline at 22 s.
    const Plan plan = plan_with({{0, 20, 4}, {5, 10, 4}}, {22, -1});
    PolicyChoice choice{"srtf", HeadRule::skip, "count"};
    choice.preemption = "order";
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.phase == Phases{dropped, done});
    CHECK(run.jobs.finish_ms == Times{7'001, 15'000});
    CHECK(run.outcome.cell(0, 0, Leaf::lost_cancelled) == gpu_ms(4, 5'000));
    CHECK(run.outcome.cell(0, 0, Leaf::prod_useful) == gpu_ms(4, 10'000));
    const Metrics metrics = measure(plan, run.jobs, ideal_run_times(plan), run.outcome.end);
    CHECK(metrics.deadlines == Deadlines{.jobs = 1, .missed = 1, .dropped = 1});
    CHECK(metrics.jobs_censored == 1);
    CHECK(metrics.censored_held == gpu_ms(4, 5'000));
    CHECK(metrics.restarts == 0);
    CHECK(metrics.wait_at_least.max == 0);
    CHECK(metrics.jct_at_least.max == 10'000); // of the second; the first was there for 7.001 s
}

TEST_CASE("a running job is not dropped, though its estimate was wrong") {
    Plan plan = plan_with({{0, 20, 4}, {0, 20, 4}}, {10, 25});
    plan.estimate_ms = {5'000, 5'000};
    const Run run = run_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(run.jobs.phase == Phases{done, done}); // the second starts at 20 s, its last chance
    CHECK(run.jobs.finish_ms == Times{20'000, 40'000});
}

TEST_CASE("the fastest pool decides, whether it has free GPUs or not") {
    // Pool 1 is twice as fast and busy until 30 s: the second of 20 s may wait for it until 12 s.
    Plan plan =
        plan_of({{0, 30, 4, 2}, {0, 40, 4, 1}, {0, 20, 4, 3}}, {pool_of(1, 4), pool_of(1, 4)});
    give_speeds(plan, [](std::uint32_t) { return PlanSpeed{}; });
    for (std::size_t row = 0; row < plan.speeds.size(); row += 2)
        plan.speeds[row + 1].speed = 2 * reference_speed;
    plan.deadline_ms = {no_deadline_ms, no_deadline_ms, 22'000};
    for (PlanClass& one : plan.classes)
        one.drops_late = true;
    const Run run = run_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(run.jobs.phase == Phases{done, done, dropped});
    CHECK(run.jobs.finish_ms[2] == 12'001);
}

TEST_CASE("for jobs that need it, a dropped job has ended, unless it had to complete") {
    Plan plan = plan_with({{0, 10, 4}, {0, 20, 4}, {0, 1, 1}}, {-1, 25, -1});
    plan.num_needed = {0, 0, 1};
    plan.dependent_begin = {0, 0, 1, 1};
    plan.dependents = {2};
    for (const PolicyChoice& choice : blocking_choices()) {
        CAPTURE(name_of(choice));
        plan.needs_completion = false;
        const Run any = run_of(plan, choice);
        CHECK(any.jobs.phase == Phases{done, dropped, done});
        CHECK(any.jobs.eligible_ms[2] == 5'001);
        CHECK(any.jobs.start_ms[2] == 10'000);
        plan.needs_completion = true;
        CHECK(run_of(plan, choice).jobs.phase == Phases{done, dropped, JobPhase::dependent});
    }
}

TEST_CASE("equal runs with dropped jobs have equal fingerprints, others do not") {
    const PolicyChoice choice{"fifo", HeadRule::block, "count"};
    const auto fingerprint = [&](std::int64_t deadline_s) {
        return run_of(plan_with({{0, 10, 4}, {0, 20, 4}}, {-1, deadline_s}), choice)
            .outcome.fingerprint;
    };
    CHECK(fingerprint(25) == fingerprint(25));
    CHECK(fingerprint(25) != fingerprint(26));
}

} // namespace bursar::test::drops_by_hand_test
