#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"

#include "tests/plan_builder.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::deadlines_test {

TEST_CASE("a bill says how many deadlines were missed") {
    Plan plan = plan_of({{0, 100}, {0, 100}, {0, 100}}, {pool_of(1, 1)});
    const auto says = [&](std::string_view sentence) {
        const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
        StringSink table;
        OutputOptions wide;
        wide.width = 200;
        write_terminal_table(result, wide, table);
        StringSink markdown;
        write_markdown(result, {}, markdown);
        const std::string line = "deadlines: " + std::string{sentence} + "\n";
        return (table.text().find(line) != std::string::npos) &&
               (markdown.text().find("- " + line) != std::string::npos);
    };
    CHECK(!says("missed by none of the 3 jobs that have one"));
    plan.deadline_ms = {100'000, 200'000, 300'000};
    CHECK(says("missed by none of the 3 jobs that have one"));
    plan.deadline_ms = {99'999, no_deadline_ms, 299'999};
    CHECK(says("missed by 2 of the 2 jobs that have one"));
    plan.until = 250 * second;
    CHECK(says("missed by 1 of the 2 jobs that have one; of 1 it is not known (cancelled, or "
               "unfinished at the end)"));
    plan.until.reset();
    plan.end[1] = JobEnd::rejected;
    plan.deadline_ms[1] = 500'000;
    plan.num_needed = {0, 1, 0};
    plan.dependent_begin = {0, 0, 0, 0};
    CHECK(says("missed by 2 of the 3 jobs that have one, 1 of them rejected at their submit"));
    const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    const std::vector<Scalar> all = scalars(result);
    const auto missed = std::ranges::find(all, "metrics.deadlines.missed", &Scalar::name);
    REQUIRE(missed != all.end());
    CHECK(missed->value == 2);
    CHECK(result.jobs.state[1] == JobState::rejected);
}

} // namespace bursar::test::deadlines_test
