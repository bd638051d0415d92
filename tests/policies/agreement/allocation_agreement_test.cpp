#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include "sim/plan/check_plan.hpp"

#include "policies/choice/policy_slots.hpp"

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// The engine follows rows of an allocator; the oracle gives all jobs their pools by the definition
// of fifo-perf, at every decision anew.
namespace bursar::test::allocation_agreement_test {
namespace {

PolicyChoice choice_of(const char* capacity, Duration round) {
    PolicyChoice choice;
    choice.allocator = "fifo-perf";
    choice.capacity = capacity;
    choice.quantum = round;
    return choice;
}

/// Quotas at random, with which every tenant can have all GPUs of a pool that others leave: those
/// of no cohort, and the first one of each, have them as their nominal quota.
void draw_quotas(Plan& plan) {
    std::array<bool, 3> has_lender{true};
    for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant) {
        const auto cohort = drawn::one_of<std::uint16_t>(0, 1, 1, 2);
        plan.tenants.push_back(
            {.cohort = cohort,
             .reclaim = drawn::one_of(Reclaim::never, Reclaim::lower_priority, Reclaim::any),
             .within = drawn::one_of(PreemptWithin::never,
                                     PreemptWithin::lower_priority,
                                     PreemptWithin::lower_or_newer)});
        const bool has_all = cohort == 0 || !std::exchange(has_lender[cohort], true);
        for (const PlanPool& pool : plan.pools) {
            const std::int64_t all = pool.num_gpus() * slots_per_gpu;
            const std::int64_t some = drawn::in_range<std::int64_t>(0, all + 1);
            plan.tenant_quotas.push_back(
                {.nominal = has_all ? all : some,
                 .borrow = TenantQuota::unlimited,
                 .lend = has_all ? all : drawn::in_range<std::int64_t>(0, some + 1)});
        }
    }
}

} // namespace

TEST_CASE("fifo-perf agrees with the naive scheduler, at every event and in rounds") {
    for (const char* capacity : {"count", "nodes"})
        for (const Duration round : {Duration{}, Duration{2'000}})
            CHECK(check_property([&] {
                check_agreement(draw_plan({.max_pools = 3, .with_speeds = true}),
                                choice_of(capacity, round));
            }));
}

TEST_CASE("fifo-perf agrees where jobs fail and nodes come and go") {
    for (const char* capacity : {"count", "nodes"})
        for (const Duration round : {Duration{}, Duration{2'000}})
            CHECK(check_property([&] {
                Plan plan = draw_plan({.max_pools = 3, .with_speeds = drawn::boolean()});
                plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_dependencies(plan);
                if (drawn::boolean())
                    draw_drops(plan);
                check_agreement(plan, choice_of(capacity, round));
            }));
}

TEST_CASE("elastic jobs agree with the naive scheduler, at every event and in rounds") {
    for (const char* capacity : {"count", "nodes"})
        for (const Duration round : {Duration{}, Duration{2'000}})
            CHECK(check_property([&] {
                PolicyChoice choice = choice_of(capacity, round);
                choice.allocator = drawn::one_of("optimus", "edf");
                check_agreement(
                    draw_plan({.max_pools = 3, .with_speeds = true, .with_forms = true}), choice);
            }));
}

TEST_CASE("elastic jobs agree where they fail and nodes come and go") {
    for (const char* capacity : {"count", "nodes"})
        for (const Duration round : {Duration{}, Duration{2'000}})
            CHECK(check_property([&] {
                PolicyChoice choice = choice_of(capacity, round);
                choice.allocator = drawn::one_of("optimus", "edf");
                Plan plan = draw_plan({.max_pools = 3, .with_speeds = true, .with_forms = true});
                plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_dependencies(plan);
                if (drawn::boolean())
                    draw_drops(plan);
                check_agreement(plan, choice);
            }));
}

TEST_CASE("jobs that share GPUs agree with the naive scheduler") {
    for (const char* capacity : {"count", "nodes"}) {
        std::ptrdiff_t num_joined = 0; // few cases may share none
        CHECK(check_property_often(20, [&] {
            PolicyChoice choice = choice_of(capacity, Duration{});
            choice.allocator_options.set("packing", {1});
            choice.allocator_options.set("packing_gain", {drawn::in_range<std::int64_t>(1, 2'000)});
            Plan plan = draw_plan({.max_pools = 3, .with_speeds = true, .with_pairs = true});
            if (drawn::boolean())
                draw_dependencies(plan);
            if (drawn::boolean())
                draw_drops(plan);
            RC_ASSERT(!check_plan(plan));
            check_agreement(plan, choice);
            num_joined += std::ranges::count(
                run_logged(plan, choice).log.attempts, StopCause::shared, &LoggedAttempt::cause);
        }));
        CHECK(num_joined > 0);
    }
}

TEST_CASE("under every allocator no job is lost and every slot is in one leaf") {
    for (const PolicyInfo& allocator : policies_of("allocator")) {
        for (const char* capacity : {"count", "nodes"}) {
            PolicyChoice choice = choice_of(capacity, Duration{2'000});
            choice.allocator = allocator.name;
            if (choice.allocator != "none" && choice.capacity == "nodes")
                choice.allocator_options.set("recompute", {7'000});
            CAPTURE(choice.allocator);
            CHECK(check_property([&] {
                Plan plan = draw_plan({.with_speeds = drawn::boolean(), .with_details = true});
                if (drawn::boolean())
                    plan.world = draw_world(plan);
                if (choice.allocator == "quotas")
                    draw_quotas(plan);
                RC_LOG(describe(plan));
                const LoggedRun run = run_logged(plan, choice);
                check_no_job_is_lost(plan, run);
                check_books_add_up(plan, run.outcome);
            }));
        }
    }
}

} // namespace bursar::test::allocation_agreement_test
