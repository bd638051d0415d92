#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::job_needs_test {
namespace {

using Numbers = std::vector<std::uint32_t>;
using test::pool_spec;
using test::scenario_of;
using test::trace_of;

/// Five jobs: the second and third wait for the first, the fourth for both, and for the last, which
/// is submitted first.
Trace diamond() {
    Trace trace = trace_of({{1, 10, 1}, {1, 10, 1}, {1, 10, 1}, {1, 10, 1}, {0, 10, 1}});
    for (const Numbers& rows : std::vector<Numbers>{{}, {0}, {0}, {1, 2, 4}, {}})
        trace.needs.add_row(rows);
    trace.think_ms = {0, 0, 0, 7'000, 0};
    return trace;
}

Compiled compiled(const Trace& trace, DependencyRule rule = DependencyRule::afterany) {
    Scenario scenario = scenario_of({pool_spec("p", "V100-SXM2-16GB", 2, 4)});
    scenario.dependencies = rule;
    return compile(scenario, builtin_catalogue(), trace);
}

} // namespace

TEST_CASE("the plan has the jobs that wait, in its own order") {
    const Plan plan = compiled(diamond()).plan; // the last row is its first job
    CHECK(plan.num_needed == Numbers{0, 0, 1, 1, 3});
    CHECK(plan.dependent_begin == Numbers{0, 1, 3, 4, 5, 5});
    CHECK(plan.dependents == Numbers{4, 2, 3, 4, 4});
    CHECK(plan.think_ms == std::vector<std::int64_t>{0, 0, 0, 0, 7'000});
    CHECK(plan.moves());
    const Plan alone = compiled(trace_of({{1, 10, 1}})).plan;
    CHECK(alone.num_needed.empty());
    CHECK(alone.dependent_begin.empty());
}

TEST_CASE("a job that fails ends for afterany, and never does for afterok") {
    Trace trace = diamond();
    trace.end.assign(5, JobEnd::completed);
    trace.end[1] = JobEnd::failed;
    CHECK(compiled(trace).plan.num_needed == Numbers{0, 0, 1, 1, 3});
    CHECK(compiled(trace).plan.dependents.size() == 5);
    const Compiled strict = compiled(trace, DependencyRule::afterok);
    CHECK(strict.plan.num_needed == Numbers{0, 0, 1, 1, 3});
    CHECK(strict.plan.dependents == Numbers{4, 2, 3, 4}); // not of the job that fails
    REQUIRE(strict.notes.warnings.size() == 1);
    CHECK(strict.notes.warnings[0] == "1 job waits for a job that fails or cannot run, and never "
                                      "becomes eligible (dependencies: afterok)");
}

} // namespace bursar::job_needs_test
