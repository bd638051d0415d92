#include <doctest/doctest.h>

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::invariance_properties_test {

TEST_CASE("for every policy, results do not depend on repetition, records or the arena") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            const Plan plan =
                draw_plan({.with_estimates = drawn::boolean(), .with_details = drawn::boolean()});
            const JobOrder order = order_for(plan, choice);
            Workspace roomy;
            const Run jobs = simulate(plan, order, choice, Record::jobs, roomy);
            const Run again = simulate(plan, order, choice, Record::jobs, roomy);
            const Run timeline = simulate(plan, order, choice, Record::timeline, roomy);
            Workspace narrow{1}; // grows during the run, which restarts each time
            const Run grown = simulate(plan, order, choice, Record::jobs, narrow);
            const Run unrecorded{simulate_ledger(plan, order, choice, roomy), {}, {}, {}, {}, {}};
            for (const Run* other : {&unrecorded, &again, &timeline, &grown}) {
                RC_ASSERT(other->outcome.fingerprint == jobs.outcome.fingerprint);
                RC_ASSERT(other->outcome.cells == jobs.outcome.cells);
                RC_ASSERT(other->outcome.events == jobs.outcome.events);
            }
            RC_ASSERT(again.jobs.finish_ms == jobs.jobs.finish_ms);
            RC_ASSERT(jobs.jobs.start_ms == timeline.jobs.start_ms);
            RC_ASSERT(jobs.jobs.finish_ms == timeline.jobs.finish_ms);
            RC_ASSERT(jobs.jobs.finish_ms == grown.jobs.finish_ms);
            RC_ASSERT(run_logged(plan, choice).outcome.fingerprint == jobs.outcome.fingerprint);
        }));
    }
}

} // namespace bursar::test::invariance_properties_test
