#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/metrics.hpp"
#include "sim/record/outcome.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::metrics_test {
namespace {

struct Job {
    std::int64_t submit;
    std::int64_t start;
    std::int64_t finish;
    std::uint32_t gpus{1};
    JobPhase phase{JobPhase::finished};
};

struct Run {
    Plan plan;
    JobRows rows;
};

Run run_of(const std::vector<Job>& jobs) {
    Run run;
    for (const Job& job : jobs) {
        run.plan.submit_ms.push_back(job.submit);
        run.plan.work_ms.push_back(job.finish - job.start);
        run.plan.shape.push_back(static_cast<std::uint16_t>(run.plan.shapes.size()));
        run.plan.shapes.push_back({job.gpus, 1});
        run.plan.job_class.push_back(0);
        run.plan.tenant.push_back(0);
        run.plan.end.push_back(JobEnd::completed);
        run.rows.phase.push_back(job.phase);
        run.rows.pool.push_back(0);
        run.rows.start_ms.push_back(job.start);
        run.rows.finish_ms.push_back(job.finish);
    }
    run.plan.classes = {PlanClass{}};
    return run;
}

Metrics measured(const Run& run, Duration end) {
    return measure(run.plan, run.rows, ideal_run_times(run.plan), end);
}

/// numpy.percentile of sorted values, in doubles: exact here, the numbers are small.
double numpy_percentile(std::vector<std::int64_t> values, double q) {
    std::sort(values.begin(), values.end());
    const double rank = q / 100 * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(rank));
    const std::size_t high = std::min(low + 1, values.size() - 1);
    const double weight = rank - static_cast<double>(low);
    return static_cast<double>(values[low]) * (1 - weight) +
           static_cast<double>(values[high]) * weight;
}

double units(int128 hundredths) {
    return static_cast<double>(hundredths) / 100;
}

} // namespace

TEST_CASE("percentiles of 0, 10, ..., 90 are numpy's") {
    std::vector<Job> jobs;
    for (std::int64_t i = 9; i >= 0; --i)
        jobs.push_back({0, i * 10, i * 10 + 1000});
    const Run run = run_of(jobs);
    const Metrics metrics = measured(run, Duration{2000});
    // numpy.percentile(range(0, 100, 10), [50, 90, 99]) = 45, 81, 89.1
    CHECK(metrics.wait.p50_hundredths == 4500);
    CHECK(metrics.wait.p90_hundredths == 8100);
    CHECK(metrics.wait.p99_hundredths == 8910);
    CHECK(metrics.wait.max == 90);
    CHECK(metrics.wait.sum == 450);
    CHECK(metrics.jct.sum == 10'450);
    CHECK(metrics.queued_total == metrics.wait);
    CHECK(metrics.makespan == Duration{1090});
}

TEST_CASE("slowdown is JCT over ideal run time, and undefined for jobs whose ideal is 0") {
    // JCT 40 s over 20 s; JCT 6 s over 2 s, which the bound makes 6 s over 10 s; 0 s.
    const Run run = run_of({{0, 20'000, 40'000}, {0, 4'000, 6'000}, {0, 500, 500}});
    const Metrics metrics = measured(run, Duration{40'000});
    CHECK(metrics.jobs_finished == 3);
    CHECK(metrics.slowdown.count == 2);
    CHECK(metrics.slowdown.sum == 5'000'000);
    CHECK(metrics.slowdown.max == 3'000'000);
    CHECK(metrics.bounded_slowdown.count == 3);
    CHECK(metrics.bounded_slowdown.sum == 2'000'000 + 1'000'000 + 1'000'000);
}

TEST_CASE("lost work and a second start make a job slower than it is alone") {
    // 100 s of work, submitted at 0. It loses 90 s at work, waits 100 s, and then takes 100 s.
    Run run = run_of({{0, 0, 290'000}});
    run.plan.work_ms = {100'000};
    run.rows.last_start_ms = {190'000};
    run.rows.stopped = {{0, 90'000, 0, 90'000, 0}};
    const Metrics metrics = measured(run, Duration{290'000});
    CHECK(metrics.slowdown.sum == 2'900'000);
    CHECK(metrics.bounded_slowdown.sum == 2'900'000);
    CHECK(metrics.queued_total.sum == 100'000);
}

TEST_CASE("the ideal run is on the fastest pool that may and can hold the gang") {
    // Speeds 4, 2, 1 and 8; the last pool may not be used at once, but later.
    Plan plan = test::plan_of(
        {{0, 80, 2, 0b0111}, {0, 80, 4, 0b0111}, {0, 80, 4, 0b0100}},
        {test::pool_of(1, 2), test::pool_of(2, 2), test::pool_of(8, 2), test::pool_of(8, 2)});
    plan.classes = {{.startup = 3 * second,
                     .teardown = 2 * second,
                     .speed_row = 1,
                     .checkpoint = Checkpoint::every,
                     .save = 1 * second,
                     .interval = 10 * second}};
    for (const std::int64_t factor : {4, 2, 1, 8})
        plan.speeds.push_back({.speed = factor * reference_speed});
    // 20 s at work with 1 save, 40 s with 3, 80 s with 7.
    CHECK(ideal_run_times(plan) == std::vector<std::int64_t>{26'000, 48'000, 92'000});
    plan.pools[1].cpu_milli = 2000; // per node, and the gang of 4 wants 6 on two
    plan.shapes[plan.shape[1]].cpu_milli = 6000;
    CHECK(ideal_run_times(plan) == std::vector<std::int64_t>{26'000, 92'000, 92'000});
    plan.speeds[1].interval_ms = 100'000; // which needs no save
    plan.pools[1].cpu_milli = 0;
    CHECK(ideal_run_times(plan) == std::vector<std::int64_t>{26'000, 45'000, 92'000});
    plan.fallbacks = {{.job = JobId{2}, .early_pools = 0b0100, .late_pools = 0b1000}};
    plan.shapes[plan.shape[2]].fallback = 1;
    CHECK(ideal_run_times(plan) == std::vector<std::int64_t>{26'000, 45'000, 15'000});
}

TEST_CASE("only jobs submitted inside the window are measured") {
    Run run = run_of({{0, 0, 10}, {5, 10, 30}, {9, 30, 60}, {10, 60, 70}});
    run.plan.measure_from = Duration{5};
    run.plan.measure_to = Duration{10};
    const Metrics metrics = measured(run, Duration{70});
    CHECK(metrics.jobs_measured == 2);
    CHECK(metrics.jobs_finished == 2);
    CHECK(metrics.jct.sum == 25 + 51);
    CHECK(metrics.makespan == Duration{55});
}

TEST_CASE("finished work is at reference speed, of measured jobs that neither failed nor run on") {
    Run run = run_of({{0, 0, 10, 4},
                      {1, 20, 30, 8},
                      {2, 20, 30, 8},
                      {3, 20, 30, 8},
                      {4, 20, 0, 8, JobPhase::running}});
    run.plan.measure_from = Duration{1};
    run.plan.work_ms = {7, 5, 100, 1'000, 10'000}; // and not the time that GPUs are held
    run.plan.end[2] = JobEnd::failed;
    run.plan.end[3] = JobEnd::cancelled;
    CHECK(measured(run, Duration{50}).finished_work == slot_time(8 * slots_per_gpu, Duration{5}));
}

TEST_CASE("unfinished jobs are counted as censored, with their held time") {
    const Run run = run_of({{0, 0, 10},
                            {1, 20, 0, 4, JobPhase::running},
                            {2, 0, 0, 8, JobPhase::queued},
                            {99, 0, 0, 8, JobPhase::not_submitted}});
    const Metrics metrics = measured(run, Duration{50});
    CHECK(metrics.jobs_measured == 3);
    CHECK(metrics.jobs_finished == 1);
    CHECK(metrics.jobs_censored == 2);
    CHECK(metrics.jobs_not_submitted == 1);
    CHECK(metrics.censored_held == slot_time(4 * slots_per_gpu, Duration{30}));
    CHECK(metrics.jct.count == 1);
}

TEST_CASE("jobs that still wait or run count in wait_at_least and jct_at_least") {
    const Run run = run_of({{0, 0, 10},
                            {1, 20, 0, 4, JobPhase::running},
                            {2, 0, 0, 8, JobPhase::queued},
                            {5, 9, 0, 8, JobPhase::preempted},
                            {99, 0, 0, 8, JobPhase::not_submitted}});
    const Metrics metrics = measured(run, Duration{50});
    CHECK(metrics.wait_at_least.count == 4);
    CHECK(metrics.wait_at_least.sum == 0 + 19 + 48 + 4);
    CHECK(metrics.wait_at_least.max == 48);
    CHECK(metrics.jct_at_least.count == 4);
    CHECK(metrics.jct_at_least.sum == 10 + 49 + 48 + 45);
    CHECK(metrics.jct_at_least.p50_hundredths == 4650);

    const Run finished = run_of({{0, 7, 10}, {0, 20, 30}});
    const Metrics all = measured(finished, Duration{50});
    CHECK(all.wait_at_least == all.wait);
    CHECK(all.jct_at_least == all.jct);
}

TEST_CASE("a preempted job is queued between its attempts, and runs over all of them") {
    // Job 0: waits 10, runs 20, waits 5, runs 0, waits 15, runs 30. Job 1: preempted, waits again.
    // Job 2: preempted once, runs at the end.
    Run run =
        run_of({{0, 10, 80}, {0, 0, 0, 4, JobPhase::preempted}, {5, 10, 0, 2, JobPhase::running}});
    run.rows.last_start_ms = {50, -1, 60};
    run.rows.stopped = {
        {0, 10, 4, 6, 1}, {10, 30, 20, 0, 0}, {35, 35, 0, 0, 0}, {10, 40, 0, 30, 2}};
    const Metrics metrics = measured(run, Duration{100});
    CHECK(metrics.jct.sum == 80);
    CHECK(metrics.wait.sum == 10);
    CHECK(metrics.queued_total.sum == 30);
    // 80 over 70: its plan has 70 ms of work, whatever the rows say of its attempts.
    CHECK(metrics.slowdown.sum == 1'142'857);
    CHECK(metrics.preemptions == 4);
    CHECK(metrics.restarts == 3); // job 1 never came back
    CHECK(metrics.preempted_without_progress == 2);
    CHECK(metrics.attempts.max == 3);
    CHECK(metrics.censored_held == slot_time(4 * slots_per_gpu, Duration{10}) +
                                       slot_time(2 * slots_per_gpu, Duration{30 + 40}));
}

TEST_CASE("only stops by a policy are preemptions") {
    Run run = run_of({{0, 10, 80}, {0, 0, 0, 1, JobPhase::preempted}});
    run.rows.last_start_ms = {50, -1};
    run.rows.stopped = {{10, 30, 0, 20, 0, 0, 0, StopCause::node_failed},
                        {0, 40, 0, 40, 1, 0, 0, StopCause::preempted}};
    Metrics metrics = measured(run, Duration{100});
    CHECK(metrics.migrations == 0);
    CHECK(metrics.preemptions == 1);
    CHECK(metrics.preempted_without_progress == 1);
    CHECK(metrics.restarts == 1);
    CHECK(metrics.attempts.max == 2);
    CHECK(metrics.queued_total.sum == 30);
    run.rows.stopped.front().cause = StopCause::migrated;
    metrics = measured(run, Duration{100});
    CHECK(metrics.migrations == 1);
    CHECK(metrics.preemptions == 1);
}

TEST_CASE("urgent jobs are those above the lowest priority of the plan") {
    Run run = run_of({{0, 7, 10}, {0, 20, 30}, {0, 3, 40}, {5, 6, 50}});
    run.plan.priority = {2, -1, 2, 5};
    CHECK(measured(run, Duration{50}).priority_wait.count == 3);
    CHECK(measured(run, Duration{50}).priority_wait.sum == 7 + 3 + 1);
    run.plan.priority = {2, 2, 2, 2};
    CHECK(measured(run, Duration{50}).priority_wait.count == 0);
}

TEST_CASE("a deadline is met, missed or open, and only measured jobs that have one count") {
    Run run = run_of({{0, 7, 10},
                      {0, 20, 30},
                      {0, 3, 40},
                      {5, 6, 50},
                      {5, 6, 0, 1, JobPhase::running},
                      {5, 0, 0, 1, JobPhase::queued},
                      {6, 7, 20},
                      {6, 7, 20},
                      {60, 0, 0, 1, JobPhase::not_submitted}});
    CHECK(!measured(run, Duration{50}).deadlines);
    run.plan.deadline_ms = {10, 29, no_deadline_ms, 90, 49, 50, 30, 30, 90};
    run.plan.end[6] = JobEnd::failed;
    run.plan.end[7] = JobEnd::cancelled;
    CHECK(measured(run, Duration{50}).deadlines == Deadlines{7, 2, 1, 2, 2, 0});
    CHECK(measured(run, Duration{51}).deadlines == Deadlines{7, 3, 1, 1, 2, 0});
    run.plan.measure_from = Duration{5};
    CHECK(measured(run, Duration{50}).deadlines == Deadlines{5, 1, 1, 2, 1, 0});
}

TEST_CASE("the queue's length is weighted by time") {
    // 60 ms empty, 30 ms of 2 jobs, 10 ms of 5.
    Run run = run_of({{0, 0, 100}});
    run.rows.queue = {{60, 0, 30, 0, 0, 10}, 30 * 16 + 10 * 40, 40};
    const QueueLength queue = measured(run, Duration{100}).queue;
    CHECK(queue.span == Duration{100});
    CHECK(queue.job_ms == 60 + 50);
    CHECK(queue.gpu_ms == 880);
    CHECK(queue.p50_jobs == 0);
    CHECK(queue.p99_jobs == 5);
    CHECK(queue.max_jobs == 5);
    CHECK(queue.max_gpus == 40);
    run.rows.queue.ms_at_length = {10, 0, 90};
    CHECK(measured(run, Duration{100}).queue.p50_jobs == 2);
}

TEST_CASE("without jobs all figures are empty") {
    const Metrics metrics = measure(Plan{}, JobRows{}, {}, Duration{0});
    CHECK(metrics == Metrics{});
    CHECK_FALSE(metrics.makespan);
}

TEST_CASE("percentiles agree with sorting, for any jobs") {
    CHECK(rc::check("nth_element and interpolation", [](const std::vector<std::uint16_t>& waits) {
        RC_PRE(!waits.empty());
        std::vector<Job> jobs;
        std::vector<std::int64_t> values;
        for (const std::uint16_t wait : waits) {
            jobs.push_back({0, wait, wait + 1});
            values.push_back(wait);
        }
        const Run run = run_of(jobs);
        const Distribution got = measured(run, Duration{70'000}).wait;
        RC_ASSERT(got.count == values.size());
        for (const Percentile& one : percentiles)
            RC_ASSERT(std::abs(units((got.*one.hundredths).value()) -
                               numpy_percentile(values, static_cast<double>(one.percent))) < 1e-6);
        RC_ASSERT(got.max == *std::max_element(values.begin(), values.end()));
    }));
}

} // namespace bursar::metrics_test
