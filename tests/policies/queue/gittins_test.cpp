#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/queue/gittins.hpp"
#include "policies/queue/gittins_levels.hpp"
#include "policies/rules/gittins.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::gittins_test {
namespace {

JobView having_had(std::int64_t attained_ms, std::uint32_t gpus = 1) {
    JobView job;
    job.gpus = gpus;
    job.attained = Duration{attained_ms};
    return job;
}

std::uint64_t index(std::uint64_t ended, std::uint64_t effort) {
    return GittinsRule::last_key - fraction_key(ended, effort);
}

} // namespace

// Sizes 1, 1, 1 and 10. New: up to 1, 3 ends for an effort of 4; up to 10, 4 ends for 13. From 1
// on: 1 end for 9.
TEST_CASE("gittins on two sizes, many small: a job that is not small waits") {
    const GittinsLevels policy{{1, 10, 1, 1}, 32};
    CHECK(policy.key(having_had(0)) == index(3, 4));
    CHECK(policy.key(having_had(1)) == index(1, 9));
    CHECK(policy.key(having_had(9)) == index(1, 9));
    CHECK(policy.key(having_had(0)) < policy.key(having_had(1)));
    CHECK(policy.key(having_had(10)) == GittinsRule::last_key); // longer than any job of the plan
}

// Sizes 1 and nine times 2. New: 1 for 10, or 10 for 19. From 1 on: 9 for 9. A job that has begun
// continues.
TEST_CASE("gittins on two sizes, few small: service makes a job better") {
    const GittinsLevels policy{{1, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 32};
    CHECK(policy.key(having_had(0)) == index(10, 19));
    CHECK(policy.key(having_had(1)) == index(1, 1));
    CHECK(policy.key(having_had(1)) < policy.key(having_had(0)));
}

// Half of the remaining jobs end with each unit of service.
TEST_CASE("gittins on a memoryless distribution: one index for all") {
    std::vector<std::int64_t> sizes;
    for (int size = 1; size <= 9; ++size)
        sizes.insert(sizes.end(), std::size_t{1} << (10 - size), size);
    sizes.insert(sizes.end(), 2, 10'000); // so large that no index reaches there
    const GittinsLevels policy{sizes, 32};
    for (std::int64_t attained = 0; attained < 9; ++attained) {
        CAPTURE(attained);
        CHECK(policy.key(having_had(attained)) == index(1, 2));
    }
    CHECK(policy.key(having_had(9)) == index(2, 2 * 9'991));
}

TEST_CASE("gittins by a file's jobs ignores those of the workload") {
    const Plan plan = test::plan_of({{0, 5, 1}, {0, 7, 2}}, {test::pool_of(1, 4)});
    PolicyOptions options;
    options.set("distribution", {1, 10, 1, 1});
    const GittinsLevels policy = GittinsIndexFirst::from(options, plan);
    const GittinsLevels same{{1, 10, 1, 1}, 32};
    for (std::int64_t attained = 0; attained <= 10; ++attained)
        CHECK(policy.key(having_had(attained)) == same.key(having_had(attained)));
    CHECK(GittinsIndexFirst::from({}, plan).key(having_had(10)) != GittinsRule::last_key);
}

TEST_CASE("gittins counts GPU time, and gives the end of a level") {
    const GittinsLevels policy{{1, 10, 1, 1}, 32};
    CHECK(policy.key(having_had(2, 4)) == index(1, 9));
    CHECK(policy.until_key_changes(having_had(0, 1)) == Duration{1});
    CHECK(policy.until_key_changes(having_had(2, 4)) == Duration{1}); // 2 of GPU time left: 1 ms
    CHECK(policy.until_key_changes(having_had(1, 3)) == Duration{3}); // 7 left
    CHECK(policy.until_key_changes(having_had(10)) == Duration{horizon_ms});
}

TEST_CASE("gittins merges sizes into the levels it was given, and needs no job at all") {
    std::vector<std::int64_t> sizes;
    for (int size = 0; size <= 100; ++size)
        sizes.push_back(size);
    const GittinsLevels policy{sizes, 4}; // levels end at 25, 50, 75 and 100
    CHECK(policy.key(having_had(0)) == policy.key(having_had(24)));
    CHECK(policy.until_key_changes(having_had(26)) == Duration{24});
    CHECK(policy.key(having_had(80)) == index(25, 325)); // 1 + 2 + ... + 25
    CHECK(GittinsLevels{{}, 4}.key(having_had(5)) == GittinsRule::last_key);
}

// Sizes 1, 2, 3 and 10 s; delta 2 s. A job of the first level is judged at 0 s: two end by 2 s,
// with 3 s in all, two take 2 s each. In the second one at 1 s: sizes 2 and 3 end by 3 s, size 10
// takes 2 s. In the last one at 9 s: one of 10 s ends.
TEST_CASE("the index of Tiresias' simulator looks ahead by delta and counts whole sizes") {
    const GittinsLevels policy{{1'000, 10'000, 2'000, 3'000}, 32, 2'000};
    CHECK(policy.key(having_had(0)) == index(2, 7'000));
    CHECK(policy.key(having_had(999)) == index(2, 7'000));
    CHECK(policy.key(having_had(1'000)) == index(2, 7'000)); // 2 + 3 + 2
    CHECK(policy.key(having_had(2'000)) == index(1, 5'000)); // at 2 s: 3 + 2
    CHECK(policy.key(having_had(3'000)) == index(1, 10'000));
    CHECK(policy.key(having_had(10'000)) == GittinsRule::last_key);
}

TEST_CASE("queues come before the index, which orders the jobs of each") {
    PolicyOptions options;
    options.set("distribution", {1'000, 2'000, 2'000, 2'000, 2'000});
    options.set("queues", {500, 1'500});
    const GittinsLevels policy = GittinsIndexFirst::from(options, Plan{});
    const std::uint64_t second = std::uint64_t{1} << GittinsRule::index_bits;
    CHECK(policy.key(having_had(0)) == index(5, 9'000));
    CHECK(policy.key(having_had(500)) == second + index(5, 9'000));
    CHECK(policy.key(having_had(1'000)) == second + index(4, 4'000)); // better than that
    CHECK(policy.key(having_had(1'500)) == 2 * second + index(4, 4'000));
    CHECK(policy.key(having_had(2'000)) == 2 * second + GittinsRule::last_key);
    CHECK(policy.until_key_changes(having_had(0)) == Duration{500});
    CHECK(policy.until_key_changes(having_had(500)) == Duration{500});
    CHECK(policy.until_key_changes(having_had(1'000)) == Duration{500});
    CHECK(policy.until_key_changes(having_had(1'500)) == Duration{500});
    CHECK(policy.until_key_changes(having_had(2'000)) == Duration{horizon_ms});
    CHECK_FALSE(policy.tests_at_events());
    CHECK(policy.own_traits().ties == Ties::turn);
}

TEST_CASE("gittins with Tiresias' wake-ups forecasts the ends of queues only") {
    PolicyOptions options;
    options.set("distribution", {1'000, 2'000});
    options.set("queues", {60'000});
    options.set("wake", {1});
    options.set("ties", {1});
    const GittinsLevels policy = GittinsIndexFirst::from(options, Plan{});
    CHECK(policy.tests_at_events());
    CHECK(policy.own_traits().ties == Ties::submit);
    CHECK(policy.until_key_changes(having_had(500)) == Duration{59'000}); // whole seconds
    CHECK(policy.until_key_changes(having_had(60'000)) == Duration{horizon_ms});
}

// One GPU; sizes 10, 10, 10 and 100. The long one is preempted by a new job once it has had 10 s,
// but not while it may still be short.
TEST_CASE("gittins preempts a job that has turned out to be long") {
    const Plan plan =
        test::plan_of({{0, 100, 1}, {5, 10, 1}, {12, 10, 1}, {60, 10, 1}}, {test::pool_of(1, 1)});
    const PolicyChoice choice{"gittins", HeadRule::skip, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 10'000, 20'000, 60'000});
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{130'000, 20'000, 30'000, 70'000});
}

} // namespace bursar::gittins_test
