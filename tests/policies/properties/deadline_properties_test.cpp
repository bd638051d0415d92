#include <algorithm>
#include <cstdint>

#include <doctest/doctest.h>

#include "sim/engine/broker/fallbacks.hpp"

#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_market.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::deadline_properties_test {
namespace {

/// Makes the nodes of on-demand pools boot for the jobs that wait. Every job has a deadline and may
/// use all pools.
void draw_boots(Plan& plan) {
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        if (plan.deadline_ms[job] == no_deadline_ms)
            plan.deadline_ms[job] = plan.submit_ms[job] + drawn::in_range(0, 120) * 500;
    for (JobShape& shape : plan.shapes)
        shape.permitted_pools = (std::uint64_t{1} << plan.pools.size()) - 1;
    for (const PlanPool& pool : plan.pools) {
        PlanProvisioning& rule = plan.provisioning.emplace_back();
        if (pool.purchase == Purchase::spot)
            continue;
        rule.is_fixed = false;
        rule.follows_queue = true;
        rule.idle_timeout_ms = drawn::in_range(0, 8) * 500;
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        rule.boot_bits = drawn::in_range(0U, 2U);
        for (std::uint32_t i = 0; i < 1U << rule.boot_bits; ++i)
            plan.boot_ms.push_back(drawn::in_range(0, 20) * 500);
    }
}

/// Spot nodes go without notice and come back; on-demand nodes stay, or boot, and there is room for
/// all jobs.
Plan draw_spot_and_on_demand(bool boots) {
    Plan plan =
        draw_plan({.max_pools = 3, .with_speeds = drawn::boolean(), .with_room_for_all = true});
    for (PlanPool& pool : plan.pools)
        pool.purchase = drawn::one_of(Purchase::spot, Purchase::on_demand);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        for (int outages = drawn::in_range(0, 6); outages > 0; --outages) {
            const std::int64_t at_ms = drawn::in_range(0, 60) * 500;
            const std::int64_t back_ms = at_ms + drawn::in_range(1, 40) * 500;
            for (std::uint32_t node = 0; node < plan.pools[pool].num_nodes; ++node) {
                if (plan.pools[pool].purchase != Purchase::spot)
                    continue;
                const StopCause cause = StopCause::reclaimed_unsaved;
                plan.world.emplace_back(at_ms, NodeOffline{PoolId{pool}, node, cause});
                plan.world.emplace_back(back_ms, NodeOnline{PoolId{pool}, node, cause});
            }
        }
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
    for (std::int64_t& deadline : plan.deadline_ms)
        if (deadline != no_deadline_ms)
            deadline += drawn::in_range(0, 60) * 500;
    if (boots)
        draw_boots(plan);
    draw_fallbacks(plan);
    const std::int64_t longest_boot_ms =
        plan.boot_ms.empty() ? 0 : *std::ranges::max_element(plan.boot_ms);
    for (JobFallback& own : plan.fallbacks) {
        const PlanClass& job_class = plan.classes[plan.job_class[own.job]];
        own.boot_ms = longest_boot_ms;
        own.loss_ms = horizon_ms;
        if (saves_on_the_way(job_class.checkpoint)) {
            std::int64_t longest_ms = 0;
            for (PoolId pool{0}; pool < plan.pools.size(); ++pool)
                longest_ms = std::max(longest_ms, view_of(plan).interval_on(job_class, pool));
            own.loss_ms = longest_ms + (job_class.save + job_class.write).count();
        }
    }
    return plan;
}

} // namespace

TEST_CASE(
    "a job that could meet its deadline on demand at arrival meets it, under any spot supply") {
    CHECK(check_property([] {
        Plan plan = draw_spot_and_on_demand(drawn::boolean());
        PolicyChoice choice{"fifo", HeadRule::skip};
        choice.capacity = drawn::one_of<std::string>("count", "nodes");
        choice.broker = "spot-with-fallback";
        choice.broker_options.set("pace", {plan.keeps_pace ? 1 : 0});
        give_orders_of(choice, plan);
        RC_CLASSIFY(!plan.fallbacks.empty());
        const LoggedRun run = run_logged(plan, choice);
        const PlanView view = view_of(plan);
        for (const JobFallback& own : plan.fallbacks) {
            const Progress progress{
                plan.work_ms[own.job], 0, plan.classes[plan.job_class[own.job]].startup.count()};
            if (last_safe_ms(view, own, progress) < plan.submit_ms[own.job])
                continue;
            std::int64_t finish_ms = horizon_ms;
            for (const LoggedAttempt& attempt : run.log.attempts)
                if (attempt.job == own.job && attempt.cause == StopCause::none)
                    finish_ms = attempt.end_ms;
            RC_ASSERT(finish_ms <= plan.deadline_ms[own.job]);
        }
    }));
}

} // namespace bursar::test::deadline_properties_test
