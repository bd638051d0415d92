#include <vector>

#include <doctest/doctest.h>

#include "policies/queue/fair_share.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::fair_share_test {
namespace {

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

std::vector<std::int64_t> starts_s(const Run& run) {
    std::vector<std::int64_t> starts = run.jobs.start_ms;
    for (std::int64_t& start : starts)
        start /= 1000;
    return starts;
}

/// Two tenants whose jobs of `work_s` always wait, submitted alternately.
Plan busy_tenants(int jobs, std::int64_t work_s, std::uint16_t tenants) {
    std::vector<test::JobSpec> specs;
    for (int job = 0; job < jobs; ++job)
        for (std::uint16_t tenant = 0; tenant < tenants; ++tenant)
            specs.push_back({0, work_s, 1, 1, tenant});
    return test::plan_of(specs, {test::pool_of(1, 6)});
}

} // namespace

TEST_CASE("fair-share compares GPUs held over weight, exactly") {
    const FairShareRule policy = FairShare::from({});
    const auto share = [&](std::uint64_t gpus, std::uint32_t weight) {
        TenantUse use;
        use.average = gpus * slots_per_gpu << TenantUse::average_bits;
        return policy.share(use, weight, {});
    };
    CHECK(share(0, 1) == share(0, 7));
    CHECK(share(2, 1) < share(3, 1));
    CHECK(share(3, 2) < share(2, 1));
    CHECK(share(4, 2) == share(2, 1));
    CHECK(share(1, 3) == share(333, 999));
    CHECK(share(333, 1000) < share(1, 3));
}

// Tenant 0 came first with all its jobs; 4 GPUs.
//   at 0: jobs 0..3 of tenant 0 start (no other tenant has jobs)
//   at 10: tenant 1 has nothing: its jobs 6, 7 start as GPUs come free in turn
TEST_CASE("fair-share gives the next GPU to the tenant that holds less; ties by submission") {
    const Plan plan = test::plan_of({{0, 10, 1, 1, 0},
                                     {0, 20, 1, 1, 0},
                                     {0, 30, 1, 1, 0},
                                     {0, 40, 1, 1, 0},
                                     {1, 50, 1, 1, 0},
                                     {1, 50, 1, 1, 0},
                                     {2, 50, 1, 1, 1},
                                     {2, 50, 1, 1, 1}},
                                    {test::pool_of(1, 4)});
    const PolicyChoice choice{"fair-share", HeadRule::block, "count", ""};
    // 10: 0 holds 3, 1 holds 0 -> job 6.   20: 2 and 1 -> job 7.   30: 1 and 2 -> job 4.
    // 40: 1 and 2 -> job 5.
    CHECK(starts_s(run_of(plan, choice)) == std::vector<std::int64_t>{0, 0, 0, 0, 30, 40, 10, 20});
}

TEST_CASE("fair-share: weights 2 and 1 hold 4 and 2 of 6 GPUs; doubling both changes nothing") {
    Plan plan = busy_tenants(30, 10, 2);
    plan.tenant_weight = {2, 1};
    const PolicyChoice choice{"fair-share", HeadRule::block, "count", ""};
    const Run run = run_of(plan, choice);
    for (std::int64_t at_s = 0; at_s < 70; at_s += 10) { // until tenant 0 has none left
        CAPTURE(at_s);
        int started[2] = {0, 0};
        for (std::size_t job = 0; job < plan.num_jobs(); ++job)
            if (run.jobs.start_ms[job] == at_s * 1000)
                ++started[plan.tenant[job]];
        CHECK(started[0] == 4);
        CHECK(started[1] == 2);
    }
    plan.tenant_weight = {4, 2};
    CHECK(run_of(plan, choice).jobs.start_ms == run.jobs.start_ms);
}

TEST_CASE("fair-share: tenants with equal work finish within one job of each other") {
    const Plan plan = busy_tenants(20, 10, 3);
    const Run run = run_of(plan, {"fair-share", HeadRule::block, "count", ""});
    std::vector<std::int64_t> last(3, 0);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        last[plan.tenant[job]] = std::max(last[plan.tenant[job]], run.jobs.finish_ms[job]);
    CHECK(last == std::vector<std::int64_t>{100'000, 100'000, 100'000});
}

// One GPU. Tenant 0 uses it for 100 s, then both wait with jobs of 10 s. By current use they
// alternate (no tenant holds GPUs when the GPU becomes free, so submit order decides); with a
// half-life of 1,000 s tenant 1 is served until it has caught up.
TEST_CASE("fair-share with a half-life compensates past use") {
    std::vector<test::JobSpec> specs{{0, 100, 1, 1, 0}};
    for (int job = 0; job < 12; ++job)
        specs.push_back({1, 10, 1, 1, static_cast<std::uint16_t>(job % 2)});
    const Plan plan = test::plan_of(specs, {test::pool_of(1, 1)});
    PolicyChoice choice{"fair-share", HeadRule::block, "count", ""};
    const auto firsts = [&] { // the tenants of the first six starts after 100 s
        const Run run = run_of(plan, choice);
        std::vector<int> tenants(6);
        for (std::size_t job = 1; job < plan.num_jobs(); ++job) {
            const std::int64_t turn = run.jobs.start_ms[job] / 10'000 - 10;
            if (turn < 6)
                tenants[static_cast<std::size_t>(turn)] = plan.tenant[job];
        }
        return tenants;
    };
    CHECK(firsts() == std::vector<int>{0, 1, 0, 1, 0, 1});
    choice.queue_options.set("half_life", {1'000'000});
    choice.queue_options.set("period", {1'000});
    CHECK(firsts() == std::vector<int>{1, 1, 1, 1, 1, 1});
}

} // namespace bursar::fair_share_test
