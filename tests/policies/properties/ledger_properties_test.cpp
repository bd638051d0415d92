#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/billing.hpp"

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Exactness: booked time is paid time, and each tenant's time is that of its jobs.
namespace bursar::test::ledger_properties_test {
namespace {

void check_books(const Plan& plan, const LoggedRun& run) {
    const Outcome& outcome = run.outcome;
    const std::size_t no_tenant = plan.num_tenants;
    std::vector<int128> held(plan.pools.size() * plan.num_tenants);
    for (const LoggedAttempt& attempt : run.log.attempts) {
        held[attempt.pool * plan.num_tenants + plan.tenant[attempt.job]] +=
            int128{attempt.end_ms - attempt.start_ms} *
            plan.shapes[plan.shape[attempt.job]].slots();
    }
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        int128 all = 0;
        for (std::size_t tenant = 0; tenant <= no_tenant; ++tenant) {
            int128 of_tenant = 0;
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                const int128 cell = outcome.cell(pool, tenant, static_cast<Leaf>(leaf)).count();
                RC_ASSERT(cell >= 0);
                const LeafGroup group = group_of(static_cast<Leaf>(leaf));
                const bool is_of_no_tenant =
                    group == LeafGroup::unavailable || group == LeafGroup::idle;
                RC_ASSERT(cell == 0 || is_of_no_tenant == (tenant == no_tenant));
                of_tenant += cell;
            }
            if (tenant < no_tenant)
                RC_ASSERT(of_tenant == held[pool * plan.num_tenants + tenant]);
            all += of_tenant;
        }
        const Duration paid = billed(outcome.end, plan.pools[pool].billing_step);
        RC_ASSERT(all == int128{plan.pools[pool].num_gpus() * slots_per_gpu} * paid.count());
    }
}

/// At reference speed, useful time equals the work that users requested.
void check_useful(const Plan& plan, const Outcome& outcome) {
    int128 useful = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        for (std::size_t tenant = 0; tenant < plan.num_tenants; ++tenant)
            useful += outcome.cell(pool, tenant, Leaf::prod_useful).count();
    int128 asked = 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        asked += int128{plan.shapes[plan.shape[job]].slots()} * plan.work_ms[job];
    RC_ASSERT(useful == asked);
}

} // namespace

TEST_CASE("for every policy, the leaves of each pool add up to what is paid, tenant by tenant") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan =
                draw_plan({.with_speeds = drawn::boolean(), .with_details = drawn::boolean()});
            for (PlanPool& pool : plan.pools)
                pool.billing_step = drawn::in_range(1, 5000) * millisecond;
            const LoggedRun run = run_logged(plan, choice);
            check_books(plan, run);
        }));
    }
}

TEST_CASE("for every policy, the useful time is the requested work after any number of stops") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            const Plan plan = draw_plan({.with_details = drawn::boolean()});
            check_useful(plan, run_logged(plan, choice).outcome);
        }));
    }
}

} // namespace bursar::test::ledger_properties_test
