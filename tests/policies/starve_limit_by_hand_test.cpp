#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

// Preempted jobs of las and gittins that go back to the first queue once they have waited long.
namespace bursar::test::starve_limit_by_hand_test {
namespace {

using Times = std::vector<std::int64_t>;

PolicyChoice las(std::int64_t starve_limit) {
    PolicyChoice choice{"las", HeadRule::skip, "count"};
    choice.preemption = "order";
    choice.queue_options.set("levels", {10'000});
    choice.queue_options.set("starve_limit", {starve_limit});
    return choice;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("a job that has waited as long as it ran goes to the end of the first queue") {
    // One GPU, and a first queue that ends at 10 s. The first job leaves it at 10 s; at 20 s it has
    // waited for as long as it ran, and goes behind the jobs of 8 and 12 s, before that of 25 s.
    const Plan plan = plan_of({{0, 30}, {5, 10}, {8, 10}, {12, 10}, {25, 10}}, {pool_of(1, 1)});
    CHECK(run_of(plan, las(0)).jobs.start_ms == Times{0, 10'000, 20'000, 30'000, 40'000});
    const Run promoted = run_of(plan, las(1));
    CHECK(promoted.jobs.start_ms == Times{0, 10'000, 20'000, 30'000, 50'000});
    // Its service counts anew: it is preempted at 10 s and, after 10 s more, at 50 s.
    CHECK(promoted.jobs.finish_ms == Times{70'000, 20'000, 30'000, 40'000, 60'000});
    CHECK(promoted.outcome.num_preempted == 2);
    // At twice its time it would go behind the last job, as without.
    CHECK(run_of(plan, las(2)).jobs.start_ms == run_of(plan, las(0)).jobs.start_ms);
}

TEST_CASE("waits add up until a job is promoted, over the times that it runs in between") {
    // The first job waits from 10 to 20 s, runs to 25 s with 15 s of service, and waits again. At
    // 45 s it has waited for 30 s, twice as long, and goes behind the job of 31 s, before that of
    // 50 s.
    const Plan plan =
        plan_of({{0, 30}, {5, 10}, {25, 10}, {26, 10}, {31, 10}, {50, 10}}, {pool_of(1, 1)});
    CHECK(run_of(plan, las(0)).jobs.start_ms == Times{0, 10'000, 25'000, 35'000, 45'000, 55'000});
    const Run promoted = run_of(plan, las(2));
    CHECK(promoted.jobs.start_ms == Times{0, 10'000, 25'000, 35'000, 45'000, 65'000});
    CHECK(promoted.jobs.finish_ms[0] == 80'000);
}

TEST_CASE("the queues of gittins have the same promotions") {
    const Plan plan = plan_of({{0, 30}, {5, 10}, {8, 10}, {12, 10}, {25, 10}}, {pool_of(1, 1)});
    PolicyChoice choice{"gittins", HeadRule::skip, "count"};
    choice.preemption = "order";
    choice.queue_options.set("queues", {10'000});
    choice.queue_options.set("levels", {1});
    choice.queue_options.set("starve_limit", {1});
    CHECK(run_of(plan, choice).jobs.start_ms == Times{0, 10'000, 20'000, 30'000, 50'000});
}

TEST_CASE("promotions that could promote no job are refused") {
    PolicyChoice choice = las(1);
    CHECK(!policy_conflict(choice));
    choice.preemption = "none";
    REQUIRE(policy_conflict(choice));
    CHECK(policy_conflict(choice)->problem == "starve_limit of las has no effect");
    PolicyChoice gittins{"gittins", HeadRule::skip, "count"};
    gittins.preemption = "order";
    gittins.queue_options.set("starve_limit", {1});
    REQUIRE(policy_conflict(gittins));
    CHECK(policy_conflict(gittins)->why == "there is no first queue");
    gittins.queue_options.set("queues", {10'000});
    CHECK(!policy_conflict(gittins));
    CHECK(!policy_conflict(las(0)));
}

} // namespace bursar::test::starve_limit_by_hand_test
