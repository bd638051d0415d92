#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Backfilling against its definitions, in larger worlds than in the tests of all combinations:
// several pools, many ties, jobs of zero length, exact, too long and too short estimates.
namespace bursar::test::backfill_agreement_test {
namespace {

std::vector<PolicyChoice> choices(const char* backfill) {
    std::vector<PolicyChoice> all;
    for (const std::string queue : {"fifo", "sjf", "priority"}) {
        PolicyChoice choice{queue, HeadRule::block, std::string{capacity_count}};
        choice.backfill = backfill;
        all.push_back(choice);
        choice.capacity = capacity_nodes;
        for (const std::string placement : {"first-fit", "consolidated"}) {
            choice.placement = placement;
            all.push_back(choice);
        }
    }
    return all;
}

Plan draw_large_plan() {
    return draw_plan(
        {.max_jobs = 40, .with_speeds = drawn::boolean(), .with_estimates = drawn::boolean()});
}

/// Sets the length, or the estimate, of about every other job to 0.
Plan without_length(Plan plan) {
    for (PlanClass& job_class : plan.classes)
        job_class.startup = job_class.teardown = Duration{};
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (drawn::boolean())
            plan.work_ms[job] = 0;
        if (!plan.estimate_ms.empty() && drawn::boolean())
            plan.estimate_ms[job] = 0;
    }
    return plan;
}

/// All jobs get promises, or a few at once.
PolicyChoice draw_depth(PolicyChoice choice) {
    if (drawn::boolean())
        choice.backfill_options.set("depth", {drawn::in_range(1, 5)});
    return choice;
}

std::vector<std::int64_t> conservative_starts(const Plan& plan) {
    PolicyChoice choice{"fifo", HeadRule::block, std::string{capacity_count}};
    choice.backfill = "conservative";
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).jobs.start_ms;
}

} // namespace

TEST_CASE("EASY agrees with the naive scheduler, for any estimates") {
    for (const PolicyChoice& choice : choices("easy")) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] { check_agreement(draw_large_plan(), choice); }));
        CHECK(check_property([&] { check_agreement(without_length(draw_large_plan()), choice); }));
    }
}

TEST_CASE("conservative backfilling agrees with the naive scheduler, for any estimates") {
    for (const PolicyChoice& choice : choices("conservative")) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] { check_agreement(draw_large_plan(), draw_depth(choice)); }));
        CHECK(check_property(
            [&] { check_agreement(without_length(draw_large_plan()), draw_depth(choice)); }));
    }
}

TEST_CASE("a job of zero length holds nothing") {
    // 16 GPUs: the second waits for all of them until 3 s, and has them for an instant. The third
    // runs at once, and the fourth fits beside the first until 3 s. The fifth does not.
    const Plan plan =
        plan_of({{0, 3, 3}, {0, 0, 16}, {0, 0, 8}, {0, 3, 7}, {0, 1, 10}}, {pool_of(1, 16)});
    CHECK(conservative_starts(plan) == std::vector<std::int64_t>{0, 3'000, 0, 0, 3'000});
}

TEST_CASE("no reservation spans the instant of a job of zero length") {
    // The third starts when the second has ended; the fourth comes after it, as its promise is
    // later.
    const Plan plan = plan_of({{0, 3, 3}, {0, 0, 16}, {0, 5, 8}, {0, 0, 16}}, {pool_of(1, 16)});
    CHECK(conservative_starts(plan) == std::vector<std::int64_t>{0, 3'000, 3'000, 8'000});
}

} // namespace bursar::test::backfill_agreement_test
