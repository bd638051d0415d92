#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/queue/least_attained.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::least_attained_test {
namespace {

JobView job_of(std::uint32_t gpus, Duration attained) {
    JobView job;
    job.gpus = gpus;
    job.attained = attained;
    return job;
}

} // namespace

TEST_CASE("las counts GPU time in Tiresias' levels unless told otherwise") {
    const LeastAttainedRule las = LeastAttainedFirst::from({});
    CHECK(las.key(job_of(1, 3249 * second)) == 0);
    CHECK(las.key(job_of(1, 3250 * second)) == 1);
    CHECK(las.key(job_of(4, 812'499 * millisecond)) == 0); // 3249.996 GPU-s
    CHECK(las.key(job_of(4, 812'500 * millisecond)) == 1);
    CHECK(las.key(job_of(8, 900 * second)) == 2);
    CHECK(las.key(job_of(8, 1000 * hour)) == 2);
}

TEST_CASE("a level ends when its limit is reached, to the millisecond, rounded up") {
    PolicyOptions options;
    options.set("levels", {1000, 4000});
    const LeastAttainedRule las = LeastAttainedFirst::from(options);
    const JobView job = job_of(3, Duration{100}); // 300 of 1000 GPU-ms
    CHECK(las.until_key_changes(job) == Duration{234});
    CHECK(las.key(job_of(3, Duration{100 + 233})) == 0);
    CHECK(las.key(job_of(3, Duration{100 + 234})) == 1);
    CHECK(las.until_key_changes(job_of(3, Duration{2000})) == Duration{horizon_ms}); // the last one
}

TEST_CASE("las by time ignores the size of the gang") {
    PolicyOptions options;
    options.set("by", {1});
    options.set("times", {60'000});
    const LeastAttainedRule las = LeastAttainedFirst::from(options);
    CHECK(las.key(job_of(64, 59'999 * millisecond)) == 0);
    CHECK(las.key(job_of(64, 60'000 * millisecond)) == 1);
    CHECK(las.until_key_changes(job_of(64, 20 * second)) == 40 * second);
}

TEST_CASE("with Tiresias' wake-ups the forecast confuses time with GPU time, in whole seconds") {
    PolicyOptions options;
    options.set("wake", {1});
    const LeastAttainedRule las = LeastAttainedFirst::from(options);
    CHECK(las.tests_at_events());
    CHECK_FALSE(LeastAttainedFirst::from({}).tests_at_events());
    // floor((3250 - 100) / 4) = 787, where the level really ends after 712.5 s more.
    CHECK(las.until_key_changes(job_of(4, 100 * second)) == 787 * second);
    CHECK(LeastAttainedFirst::from({}).until_key_changes(job_of(4, 100 * second)) ==
          712'500 * millisecond);
}

// Three GPUs. The first job holds two of them until 10 s. The second asks for all three, and the
// third takes the free one at 2 s.
TEST_CASE("with ties by submit an earlier job of its level stops a running one") {
    const Plan plan = test::plan_of({{0, 10, 2}, {1, 20, 3}, {2, 38, 1}}, {test::pool_of(1, 3)});
    PolicyChoice choice{"las", HeadRule::skip, "count", ""};
    choice.queue_options.set("levels", {1'000'000});
    Workspace workspace;
    const Run running = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(running.outcome.num_preempted == 0);
    CHECK(running.jobs.finish_ms == std::vector<std::int64_t>{10'000, 60'000, 40'000});
    choice.queue_options.set("ties", {1});
    CHECK(LeastAttainedFirst::from(choice.queue_options).own_traits().ties == Ties::submit);
    const Run submit = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    // At 10 s the second job stops the third, which has had 8 s.
    CHECK(submit.outcome.num_preempted == 1);
    CHECK(submit.jobs.finish_ms == std::vector<std::int64_t>{10'000, 30'000, 60'000});
}

} // namespace bursar::least_attained_test
