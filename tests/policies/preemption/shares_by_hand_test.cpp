#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

// Preemption by the order of tenants: who stops whom, worked by hand.
namespace bursar::test::shares_by_hand_test {
namespace {

using Jobs = std::vector<std::uint32_t>;

/// One node of `gpus`; job j is of tenant[j].
Plan plan_of_tenants(const std::vector<JobSpec>& jobs,
                     std::vector<std::uint16_t> tenant,
                     std::uint32_t gpus) {
    Plan plan = plan_of(jobs, {pool_of(1, gpus)});
    plan.num_tenants = 1U + *std::ranges::max_element(tenant);
    plan.tenant = std::move(tenant);
    return plan;
}

Run run_of(const Plan& plan, std::string queue, HeadRule head = HeadRule::skip) {
    PolicyChoice choice{std::move(queue), head, "count"};
    choice.preemption = "order";
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

Jobs stopped_jobs(const Run& run) {
    Jobs jobs;
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        jobs.push_back(attempt.job);
    std::ranges::sort(jobs);
    return jobs;
}

/// Tenant 0 runs four jobs of 1 GPU, one a second, on all four GPUs; at 10 s tenant 1 submits four.
Plan four_jobs_each() {
    return plan_of_tenants({{0, 100, 1},
                            {1, 100, 1},
                            {2, 100, 1},
                            {3, 100, 1},
                            {10, 100, 1},
                            {10, 100, 1},
                            {10, 100, 1},
                            {10, 100, 1}},
                           {0, 0, 0, 0, 1, 1, 1, 1},
                           4);
}

const char* const orders[] = {"fair-share", "drf"};

} // namespace

TEST_CASE("a tenant without GPUs takes half of them from one that holds all, and no more") {
    // After two stops both hold 2, and a third would leave tenant 0 with less than tenant 1 has
    // with it.
    const Plan plan = four_jobs_each();
    for (const char* queue : orders) {
        CAPTURE(queue);
        const Run run = run_of(plan, queue);
        CHECK((stopped_jobs(run) == Jobs{2, 3})); // those that started last
        CHECK(run.jobs.start_ms[4] == 10'000);
        CHECK(run.jobs.start_ms[5] == 10'000);
        CHECK(run.jobs.start_ms[6] >= 100'000);
        CHECK(run.jobs.finish_ms[0] == 100'000);
        CHECK(run.jobs.finish_ms[1] == 101'000);
    }
}

TEST_CASE("of jobs of one shape only the first in order asks, which may be of the larger tenant") {
    // Tenant 0 runs four jobs of 1 GPU, and tenant 1 submits two. Job 4 stops job 3, which under
    // multifactor (by age) and ftf then comes before job 5.
    const Plan plan = plan_of_tenants(
        {{0, 100, 1}, {1, 100, 1}, {2, 100, 1}, {3, 100, 1}, {10, 50, 1}, {10, 50, 1}},
        {0, 0, 0, 0, 1, 1},
        4);
    const Run by_age = run_of(plan, "multifactor");
    // At 60 s job 3 starts again, and job 5 stops another.
    CHECK((stopped_jobs(by_age) == Jobs{2, 3}));
    CHECK(by_age.jobs.start_ms[4] == 10'000);
    CHECK(by_age.jobs.start_ms[5] == 60'000);
    const Run by_rho = run_of(plan, "ftf"); // at 60 s job 5 is the worst off
    CHECK((stopped_jobs(by_rho) == Jobs{3}));
    CHECK(by_rho.jobs.start_ms[4] == 10'000);
    CHECK(by_rho.jobs.start_ms[5] == 60'000);
    CHECK((stopped_jobs(run_of(plan, "fair-share")) == Jobs{2, 3}));
}

TEST_CASE("by weight, a tenant of weight 3 takes three GPUs of four") {
    Plan plan = four_jobs_each();
    plan.tenant_weight = {1, 3};
    for (const char* queue : orders) {
        CAPTURE(queue);
        CHECK((stopped_jobs(run_of(plan, queue)) == Jobs{1, 2, 3}));
    }
}

TEST_CASE("a gang larger than the difference of two shares is not stopped") {
    // Tenant 0 holds all 8 GPUs with one gang; without it, it would hold less than tenant 1.
    const Plan one = plan_of_tenants({{0, 100, 8}, {10, 5, 1}}, {0, 1}, 8);
    CHECK(stopped_jobs(run_of(one, "fair-share")).empty());
    // With two gangs of 4 it keeps 4: at least as much as the 4 of the other, and more than 1.
    const Plan two = plan_of_tenants({{0, 100, 4}, {0, 100, 4}, {10, 5, 4}}, {0, 0, 1}, 8);
    CHECK((stopped_jobs(run_of(two, "fair-share")) == Jobs{1}));
    const Plan larger = plan_of_tenants({{0, 100, 4}, {0, 100, 4}, {10, 5, 5}}, {0, 0, 1}, 8);
    CHECK(stopped_jobs(run_of(larger, "fair-share")).empty());
}

TEST_CASE("victims: of the tenant with the largest share, of lower priority, and so in turn") {
    // Tenant 0 holds 4 GPUs, tenant 1 holds 2, tenant 2 wants 2: both are of tenant 0, the jobs of
    // lower priority first, then the last to start.
    Plan plan = plan_of_tenants(
        {{0, 100, 1}, {1, 100, 1}, {2, 100, 1}, {3, 100, 1}, {4, 100, 2}, {10, 5, 2}},
        {0, 0, 0, 0, 1, 2},
        6);
    CHECK((stopped_jobs(run_of(plan, "fair-share")) == Jobs{2, 3}));
    plan.priority = {0, 1, 1, 1, 0, 0};
    CHECK((stopped_jobs(run_of(plan, "fair-share")) == Jobs{0, 3}));
}

TEST_CASE("a stop costs the save and the recovery, and the victim waits for its tenant's share") {
    Plan plan = plan_of_tenants({{0, 100, 1}, {0, 100, 1}, {10, 20, 1}}, {0, 0, 1}, 2);
    plan.classes[0].save = 3 * second;
    plan.classes[0].recovery = 5 * second;
    const Run run = run_of(plan, "fair-share");
    CHECK((stopped_jobs(run) == Jobs{1}));
    CHECK(run.jobs.start_ms[2] == 13'000);           // after the save of the victim
    CHECK(run.jobs.last_start(1) == 33'000);         // when tenant 1 has ended
    CHECK(run.jobs.finish_ms[1] == 33'000 + 95'000); // recovery, and 90 s of work left
    CHECK(run.outcome.num_preempted == 1);
}

TEST_CASE("with drf a tenant's share is that of its dominant resource") {
    // Both tenants hold 2 GPUs of 4. Tenant 0 holds 12 of 16 CPU as well, and tenant 1 2 of them:
    // with another 1 GPU, tenant 1 has 3/4 of the GPUs, and tenant 0 without a job 6/16 of the CPU.
    Plan plan =
        plan_of_tenants({{0, 100, 1}, {1, 100, 1}, {2, 100, 1}, {10, 5, 1}}, {0, 0, 0, 1}, 3);
    CHECK((stopped_jobs(run_of(plan, "drf")) == Jobs{2}));
    // Tenant 1's job takes nearly all memory: with it, tenant 1 has the larger share, and no job is
    // stopped.
    plan.pools[0].memory_mib = 300;
    plan.shapes.push_back(plan.shapes[plan.shape[3]]);
    plan.shapes.back().memory_mib = 290;
    plan.shape[3] = static_cast<std::uint16_t>(plan.shapes.size() - 1);
    for (const char* capacity : {"count", "nodes"}) {
        PolicyChoice choice{"drf", HeadRule::skip, capacity};
        choice.preemption = "order";
        Workspace workspace;
        const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
        CHECK(stopped_jobs(run).empty());
    }
}

TEST_CASE("with a lease, an attempt is not stopped before it has held its GPUs so long") {
    const Plan plan = plan_of_tenants({{0, 100, 1}, {0, 100, 1}, {10, 5, 1}}, {0, 0, 1}, 2);
    PolicyChoice choice{"ftf", HeadRule::skip, "count"};
    choice.preemption = "order";
    choice.preemption_options.set("min_run", {30'000});
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms[2] == 30'000);
}

} // namespace bursar::test::shares_by_hand_test
