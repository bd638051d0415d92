#include <doctest/doctest.h>

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::logged_run_test {

TEST_CASE("the log has a job's start and end") {
    const Plan plan = plan_of({{0, 10, 4}, {5, 10, 8}}, {pool_of(1, 8)});
    const LoggedRun run = run_logged(plan, {"fifo", HeadRule::block, "count"});
    REQUIRE(run.log.attempts.size() == 2);
    CHECK(run.log.attempts[1].start_ms == 10'000);
    CHECK(run.log.attempts[1].end_ms == 20'000);
    CHECK_FALSE(run.log.attempts[1].was_stopped());
    REQUIRE(run.log.instants.size() == 4);
    CHECK(run.log.instants[1].free_slots == std::vector<std::int64_t>{4 * slots_per_gpu});
    CHECK(run.log.instants[1].num_pending == 1);
    CHECK(run.log.was_sane);
}

TEST_CASE("for every policy, the lanes of a warp, in any order between their meetings, give the "
          "answer of one lane") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        if (!lanes_serve(choice))
            continue;
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            const Plan plan = draw_plan({.with_speeds = drawn::boolean(),
                                         .with_estimates = drawn::boolean(),
                                         .with_details = drawn::boolean()});
            const Outcome one = run_logged(plan, choice).outcome;
            const Outcome many = run_on_lanes(plan, choice);
            RC_ASSERT(one.num_finished == plan.num_jobs());
            RC_ASSERT(one.fingerprint == many.fingerprint);
            RC_ASSERT(one.events == many.events);
            RC_ASSERT(one.cells == many.cells);
        }));
    }
}

} // namespace bursar::test::logged_run_test
