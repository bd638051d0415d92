#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/tenant_queue.hpp"
#include "sim/plan/job_groups.hpp"
#include "sim/team/team.hpp"

#include "policies/rules/dominant_share.hpp"
#include "policies/runs/engine_types.hpp"

#include "tests/plan_builder.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::dominant_share_test {
namespace {

/// Fills a fleet from a queue of tasks that do not end. Returns the tenants in the order of
/// service.
std::vector<std::uint16_t> served(const Plan& plan) {
    const DominantShareRule policy;
    const JobOrder order = group_by_tenant(plan, policy);
    test::ArenaBlock<TenantQueue<DominantShareRule>> block{[&](ArenaCarver& carver) {
        return TenantQueue<DominantShareRule>{
            carver, RunPlan{view_of(plan)}, view_of(order), policy};
    }};
    TenantQueue<DominantShareRule>& queue = block.content;
    queue.clear();
    for (JobId job{0}; job < plan.num_jobs(); ++job)
        queue.arrive(job);
    std::int64_t cpu = plan.pools[0].cpu_milli;
    std::int64_t memory = plan.pools[0].memory_mib;
    std::vector<std::uint16_t> tenants;
    while (queue.num_jobs() > 0) {
        const Candidate next = queue.first_where(OneLane{}, [&](ShapeId shape) {
            return plan.shapes[shape].cpu_milli <= cpu && plan.shapes[shape].memory_mib <= memory;
        });
        if (next.job == Candidate::no_job())
            break;
        cpu -= plan.shapes[next.shape].cpu_milli;
        memory -= plan.shapes[next.shape].memory_mib;
        tenants.push_back(plan.tenant[next.job]);
        queue.start(next);
    }
    return tenants;
}

/// Figure 1 and Table 1 of the paper: 9 CPU and 18 GB; tasks of user A (tenant 0) need 1 CPU and
/// 4 GB, tasks of user B (tenant 1) 3 CPU and 1 GB. B's tasks were submitted first.
Plan worked_example() {
    std::vector<test::JobSpec> tasks;
    for (int task = 0; task < 10; ++task)
        tasks.push_back({0, 1, task < 5 ? 2U : 1U, 1, static_cast<std::uint16_t>(task < 5)});
    Plan plan = test::plan_of(tasks, {test::pool_of(1, 64)});
    plan.pools[0].cpu_milli = 9'000;
    plan.pools[0].memory_mib = 18 * 1024;
    for (JobShape& shape : plan.shapes) { // A's shape has 1 GPU in this plan, B's 2, only to differ
        const bool of_a = shape.gpus == 1;
        shape.gpus = 0;
        shape.cpu_milli = of_a ? 1'000 : 3'000;
        shape.memory_mib = of_a ? 4 * 1024 : 1 * 1024;
    }
    return plan;
}

} // namespace

TEST_CASE("drf: the worked example of its paper gives 3 tasks to A and 2 to B, in its order") {
    CHECK(served(worked_example()) == std::vector<std::uint16_t>{1, 0, 0, 1, 0});
}

// With weights 1 and 4, B's shares count a quarter. B 3/36, A 8/36, B 6/36; B would be next again,
// but only 2 CPU are left: A 16/36, A 24/36.
TEST_CASE("drf divides the dominant share by the weight") {
    Plan plan = worked_example();
    plan.tenant_weight = {1, 4};
    CHECK(served(plan) == std::vector<std::uint16_t>{1, 0, 1, 0, 0});
    plan.tenant_weight = {2, 8};
    CHECK(served(plan) == std::vector<std::uint16_t>{1, 0, 1, 0, 0});
}

TEST_CASE("drf: an unlimited resource is never the dominant one") {
    const DominantShareRule policy;
    TenantUse use{500, 8'000, 1'024, 0};
    const FleetTotals all{1'000, 10'000, 4'096, 2};
    CHECK(policy.share(use, 1, all) == fraction_key(8, 10));
    CHECK(policy.share(use, 1, {1'000, 0, 4'096, 2}) == fraction_key(1, 2));
    CHECK(policy.share(use, 4, {1'000, 0, 0, 2}) == fraction_key(1, 8));
    use.memory_mib = 4'000;
    CHECK(policy.share(use, 1, all) == fraction_key(4'000, 4'096));
}

} // namespace bursar::dominant_share_test
