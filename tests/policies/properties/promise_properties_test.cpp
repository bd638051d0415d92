#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Backfill must not delay promises: if no job runs longer than believed, each starts no later than
// any promised start.
namespace bursar::test::promise_properties_test {
namespace {

/// Every registered backfill, by count and with every placement, in order of submission, so that no
/// order puts other jobs before a promised one. Conservative backfilling also in another order,
/// since it promises every job a start.
std::vector<PolicyChoice> every_backfill() {
    std::vector<PolicyChoice> all;
    const auto add = [&](const char* queue, std::string_view backfill) {
        PolicyChoice choice{queue, HeadRule::block, std::string{capacity_count}};
        choice.backfill = backfill;
        all.push_back(choice);
        choice.capacity = capacity_nodes;
        for (const PolicyInfo& placement : policies_of("placement")) {
            choice.placement = placement.name;
            all.push_back(choice);
        }
    };
    for (const PolicyInfo& backfill : policies_of("backfill"))
        if (backfill.name != "none")
            add("fifo", backfill.name);
    add("sjf", "conservative");
    return all;
}

/// A plan with nodes in full, or pools of different speeds, or plain.
Plan draw_any_plan() {
    return draw_plan({.with_speeds = drawn::boolean(), .with_details = drawn::boolean()});
}

/// Exact or too long estimates.
void overestimate(Plan& plan) {
    plan.estimate_ms = plan.work_ms;
    for (std::int64_t& estimate : plan.estimate_ms)
        estimate += 1000 * drawn::in_range(0, 8);
}

void check_promises(const Plan& plan, const PolicyChoice& choice) {
    const LoggedRun run = run_logged(plan, choice);
    std::vector<std::int64_t> start_ms(plan.num_jobs());
    for (const LoggedAttempt& attempt : run.log.attempts)
        start_ms[attempt.job] = attempt.start_ms;
    std::set<std::uint32_t> promised;
    for (const LoggedPromise& promise : run.log.promises) {
        RC_ASSERT(start_ms[promise.job] <= promise.start_ms);
        promised.insert(promise.job);
    }
    RC_ASSERT(promised.size() <=
              run.outcome.num_reservations); // on a full fleet nothing is promised
}

} // namespace

TEST_CASE("no promised start is ever delayed, by any backfill on any capacity") {
    const std::vector<PolicyChoice> all = every_backfill();
    REQUIRE(all.size() >= 3);
    for (const PolicyChoice& choice : all) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] { check_promises(draw_any_plan(), choice); }));
        CHECK(check_property([&] {
            Plan plan = draw_any_plan();
            overestimate(plan);
            check_promises(plan, choice);
        }));
    }
}

} // namespace bursar::test::promise_properties_test
