#include <doctest/doctest.h>

#include "policies/queue/least_attained.hpp"

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

} // namespace bursar::least_attained_test
