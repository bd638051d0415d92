#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "reports/document/render.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/summary/explained_job.hpp"

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

TEST_CASE("a dropped job is in every file as one that left the queue and missed its deadline") {
    // The second may start at 50 s at the latest. The third is preempted at 105 s by the fourth,
    // which has less work, and could no longer go on at 111 s.
    Plan plan = plan_of({{0, 100}, {0, 120}, {0, 130}, {105, 20}}, {pool_of(1, 1)});
    plan.deadline_ms = {no_deadline_ms, 170'000, 236'000, 200'000};
    plan.classes[0].drops_late = true;
    PolicyChoice choice{"srtf", HeadRule::skip, "count"};
    choice.preemption = "order";
    const Result result = result_of(plan, choice);
    CHECK(result.jobs.state ==
          std::vector{
              JobState::completed, JobState::dropped, JobState::dropped, JobState::completed});
    const File jobs{result, "jobs"};
    CHECK(jobs.text(1, "final_state") == "dropped");
    CHECK(jobs.text(1, "first_start").empty());
    CHECK(jobs.text(1, "wait_s").empty());
    CHECK(jobs.text(1, "pool").empty());
    CHECK(jobs.text(1, "attempts") == "0");
    CHECK(jobs.text(1, "slo_met") == "0");
    CHECK(jobs.micro(1, "gpu_hours") == 0);
    CHECK(jobs.text(2, "final_state") == "dropped");
    CHECK(jobs.text(2, "finish").empty());
    CHECK(jobs.micro(2, "wait_s") == 100'000'000);
    CHECK(jobs.text(2, "pool") == result.pools[0].name);
    CHECK(jobs.text(2, "attempts") == "1");
    CHECK(jobs.micro(2, "lost_gpu_hours") == 1'389); // 5 s
    CHECK(jobs.micro(2, "productive_gpu_hours") == 0);
    CHECK(jobs.text(3, "slo_met") == "1");
    CHECK(result.metrics.deadlines ==
          Deadlines{.jobs = 3, .missed = 2, .met = 1, .rejected = 0, .dropped = 2});
    OutputOptions wide;
    wide.width = 200;
    StringSink table;
    write_terminal_table(result, wide, table);
    CHECK(table.text().find("missed by 2 of the 3 jobs that have one, 2 of them dropped from the "
                            "queue") != std::string::npos);
    CHECK(table.text().find("2 jobs finished, 2 dropped from the queue, as they cannot meet their "
                            "deadline") != std::string::npos);
    StringSink page;
    render_markdown(explained_job(result, 2), page);
    CHECK(page.text().find("dropped, as it can no longer meet its deadline") != std::string::npos);
}

} // namespace bursar::test::deadlines_test
