#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

// Quotas by hand, as Kueue's page on cluster queues describes them. One pool; tenant 0 is A,
// tenant 1 is B; both are in one cohort unless said otherwise.
namespace bursar::test::quotas_test {
namespace {

struct Quota {
    std::int64_t nominal{};
    std::int64_t borrow{TenantQuota::unlimited / slots_per_gpu};
    std::int64_t lend{-1}; ///< -1: all of it
    Reclaim reclaim{Reclaim::never};
    PreemptWithin within{PreemptWithin::never};
};

Plan plan_with(const std::vector<JobSpec>& jobs,
               std::uint32_t gpus,
               const std::vector<Quota>& quotas) {
    Plan plan = plan_of(jobs, {pool_of(gpus, 1)});
    plan.num_tenants = static_cast<std::uint32_t>(quotas.size());
    for (const Quota& quota : quotas) {
        plan.tenants.push_back({.cohort = 1, .reclaim = quota.reclaim, .within = quota.within});
        plan.tenant_quotas.push_back(
            {.nominal = quota.nominal * slots_per_gpu,
             .borrow = quota.borrow * slots_per_gpu,
             .lend = (quota.lend < 0 ? quota.nominal : quota.lend) * slots_per_gpu});
    }
    return plan;
}

Run run_of(const Plan& plan) {
    PolicyChoice choice;
    choice.allocator = "quotas";
    choice.capacity = "count";
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

std::int64_t booked_s(const Run& run, Leaf leaf) {
    int128 sum = 0;
    for (std::size_t tenant = 0; tenant <= run.outcome.num_tenants; ++tenant)
        sum += run.outcome.cell(0, tenant, leaf).count();
    return static_cast<std::int64_t>(sum) / slots_per_gpu / 1000;
}

/// Seconds in which jobs ended.
std::vector<std::int64_t> ends_s(const Run& run) {
    std::vector<std::int64_t> ends;
    for (const std::int64_t end : run.jobs.finish_ms)
        ends.push_back(end / 1000);
    return ends;
}
using Ends = std::vector<std::int64_t>;

/// Four jobs of A for 100 s each on one GPU, and one of B from 10 s on.
const std::vector<JobSpec> a_then_b{
    {0, 100, 1, 1, 0}, {0, 100, 1, 1, 0}, {0, 100, 1, 1, 0}, {0, 100, 1, 1, 0}, {10, 50, 1, 1, 1}};

} // namespace

TEST_CASE("a tenant borrows what its cohort leaves, and keeps it unless it is taken back") {
    CHECK(ends_s(run_of(plan_with(a_then_b, 4, {{2}, {2}}))) == Ends{100, 100, 100, 100, 150});
    // The job that started last, of those the last one, goes on when B is done.
    CHECK(ends_s(run_of(plan_with(a_then_b, 4, {{2}, {2, 9, -1, Reclaim::any}}))) ==
          Ends{100, 100, 100, 150, 60});
}

TEST_CASE("nobody borrows outside a cohort") {
    Plan plan = plan_with(a_then_b, 4, {{2}, {2}});
    for (PlanTenant& tenant : plan.tenants)
        tenant.cohort = 0;
    CHECK(ends_s(run_of(plan)) == Ends{100, 100, 200, 200, 60});
}

TEST_CASE("limits of borrowing and lending hold, and what they leave idle is ineligible") {
    const Run borrowing = run_of(plan_with(a_then_b, 4, {{2, 1}, {2}}));
    CHECK(ends_s(borrowing) == Ends{100, 100, 100, 200, 60});
    CHECK(booked_s(borrowing, Leaf::idle_ineligible) == 10 + 40); // before B's job, and after it
    CHECK(booked_s(borrowing, Leaf::idle_no_demand) == 3 * 100);
    CHECK(booked_s(borrowing, Leaf::idle_latency) == 0);
    const Run lending = run_of(plan_with(a_then_b, 4, {{2}, {2, 9, 1}}));
    CHECK(ends_s(lending) == Ends{100, 100, 100, 200, 60});
    CHECK(booked_s(lending, Leaf::idle_ineligible) == 10 + 40);
}

TEST_CASE("a tenant takes back only what is within its nominal quota") {
    std::vector<JobSpec> jobs = a_then_b;
    jobs.push_back({10, 50, 2, 1, 1}); // one GPU above B's nominal quota
    CHECK(ends_s(run_of(plan_with(jobs, 4, {{2}, {2, 9, -1, Reclaim::any}}))) ==
          Ends{100, 100, 140, 190, 60, 110}); // at 60 s, for B's second job
}

TEST_CASE("reclaim: lower-priority spares jobs of the same or a higher priority") {
    Plan plan = plan_with(a_then_b, 4, {{2}, {2, 9, -1, Reclaim::lower_priority}});
    CHECK(ends_s(run_of(plan)) == Ends{100, 100, 100, 100, 150});
    plan.priority = {3, 0, 3, 3, 2};
    CHECK(ends_s(run_of(plan)) == Ends{100, 150, 100, 100, 60});
}

TEST_CASE("jobs that need not stop after all go on") {
    // B's three GPUs: the job that started last is not enough, the one before it is, alone.
    const std::vector<JobSpec> jobs{
        {0, 100, 1, 1, 0}, {1, 100, 3, 1, 0}, {2, 100, 1, 1, 0}, {10, 50, 3, 1, 1}};
    const Run run = run_of(plan_with(jobs, 5, {{2}, {3, 9, -1, Reclaim::any}}));
    CHECK(ends_s(run) == Ends{100, 151, 102, 60});
    CHECK(run.outcome.num_preempted == 1);
}

TEST_CASE("preempt stops a tenant's own jobs, by priority or by submission") {
    const std::vector<JobSpec> jobs{{0, 100, 1, 1, 0}, {0, 100, 1, 1, 0}, {10, 50, 1, 1, 0}};
    Plan plan = plan_with(jobs, 2, {{2, 0, -1, Reclaim::never, PreemptWithin::lower_priority}});
    plan.priority = {1, 0, 0};
    CHECK(ends_s(run_of(plan)) == Ends{100, 100, 150});
    plan.priority = {1, 0, 1};
    CHECK(ends_s(run_of(plan)) == Ends{100, 150, 60});
    // The job that waits was submitted first, but could not start.
    const std::vector<JobSpec> newer{{0, 20, 1, 1, 0}, {0, 10, 2, 1, 0}, {5, 100, 1, 1, 0}};
    CHECK(ends_s(run_of(
              plan_with(newer, 2, {{2, 0, -1, Reclaim::never, PreemptWithin::lower_or_newer}}))) ==
          Ends{20, 30, 115});
    CHECK(ends_s(run_of(plan_with(newer, 2, {{2}}))) == Ends{20, 115, 105});
}

TEST_CASE("jobs within their nominal quota come before jobs that borrow") {
    const std::vector<JobSpec> jobs{
        {0, 10, 1, 1, 0}, {0, 30, 1, 1, 0}, {1, 10, 1, 1, 0}, {2, 10, 1, 1, 1}};
    CHECK(ends_s(run_of(plan_with(jobs, 2, {{1}, {1}}))) == Ends{10, 30, 30, 20});
}

TEST_CASE("what is taken back waits for the job that it is for") {
    // A's last job saves for 5 s; a further one of A waits since 1 s.
    std::vector<JobSpec> jobs = a_then_b;
    jobs.insert(jobs.begin() + 4, {1, 10, 1, 1, 0});
    Plan plan = plan_with(jobs, 4, {{2}, {2, 9, -1, Reclaim::any}});
    plan.classes[0].save = Duration{5'000};
    const Run run = run_of(plan);
    CHECK(ends_s(run) == Ends{100, 100, 100, 155, 110, 65});
    CHECK(run.outcome.num_preempted == 1);
}

TEST_CASE("a job that needs to borrow comes second even if it may stop others") {
    const std::vector<JobSpec> jobs{
        {0, 100, 4, 1, 0}, {0, 100, 4, 1, 0}, {10, 10, 6, 1, 0}, {10, 10, 4, 1, 1}};
    Plan plan = plan_with(
        jobs,
        8,
        {{4, 9, -1, Reclaim::never, PreemptWithin::lower_priority}, {4, 9, -1, Reclaim::any}});
    plan.priority = {0, 0, 5, 0};
    CHECK(ends_s(run_of(plan)) == Ends{110, 120, 30, 20});
}

TEST_CASE("a tenant that stops its own jobs may borrow, so that fewer stop") {
    const std::vector<JobSpec> jobs{{0, 100, 2, 1, 0},
                                    {0, 100, 2, 1, 0},
                                    {0, 100, 2, 1, 0},
                                    {0, 100, 3, 1, 1},
                                    {10, 10, 5, 1, 0}};
    Plan plan =
        plan_with(jobs, 12, {{8, 9, -1, Reclaim::never, PreemptWithin::lower_priority}, {4}});
    plan.priority = {0, 0, 0, 0, 5};
    const Run run = run_of(plan);
    CHECK(ends_s(run) == Ends{100, 100, 110, 100, 20});
    CHECK(run.outcome.num_preempted == 1);
}

TEST_CASE("a job within its nominal quota that waits keeps it from jobs that borrow") {
    // At 10 s the fifth job of B has a GPU, and no quota; at 12 s A's job has both its GPUs.
    const std::vector<JobSpec> jobs{{0, 10, 1, 1, 1},
                                    {0, 12, 1, 1, 1},
                                    {0, 14, 1, 1, 1},
                                    {0, 16, 1, 1, 1},
                                    {0, 10, 1, 1, 1},
                                    {0, 10, 1, 1, 1},
                                    {1, 10, 2, 1, 0}};
    CHECK(ends_s(run_of(plan_with(jobs, 4, {{2}, {2}}))) == Ends{10, 12, 14, 16, 24, 26, 22});
}

TEST_CASE("a borrower that waits for GPUs to be left has no claim on them") {
    // A's first job cleans up until 30 s; B's comes a second before A's next.
    Plan plan =
        plan_with({{0, 10, 8, 1, 0, JobEnd::completed, 1}, {11, 100, 8, 1, 1}, {12, 10, 8, 1, 0}},
                  8,
                  {{8, 9, -1, Reclaim::any}, {0}});
    plan.classes.resize(2, plan.classes[0]);
    plan.classes[1].teardown = Duration{20'000};
    CHECK(ends_s(run_of(plan)) == Ends{30, 140, 40});
}

TEST_CASE("quotas count by pool") {
    // B's quota is on the second pool, where A's job can't be; A's is on the first.
    Plan plan = plan_of({{0, 100, 2, 3, 0}, {0, 100, 2, 3, 1}, {0, 100, 1, 3, 1}},
                        {pool_of(2, 1), pool_of(2, 1)});
    plan.num_tenants = 2;
    plan.tenants.resize(2);
    plan.tenant_quotas = {{2 * slots_per_gpu}, {}, {}, {2 * slots_per_gpu}};
    const Run run = run_of(plan);
    CHECK(ends_s(run) == Ends{100, 100, 200});
}

} // namespace bursar::test::quotas_test
