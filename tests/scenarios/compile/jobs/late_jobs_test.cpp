#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/plan/check_plan.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::late_jobs_test {
namespace {

using test::contains;

Compiled compiled(const std::string& jobs,
                  const std::string& job_class,
                  const std::string& more = "",
                  const std::string& allocator = "none") {
    const std::string text = fmt::format(
        "bursar: 1\nworkload:\n  jobs: [{}]\n  classes: [{{{}}}]\n  {}\nfleet:\n- {{pool: a, "
        "purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8, price: 1 USD/gpu-h}}\n",
        jobs,
        job_class,
        more.empty() ? "gpu: H100" : more);
    Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    scenario.policy.allocator = allocator;
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    CHECK(check_plan(out.plan) == std::nullopt);
    return out;
}

std::vector<JobEnd> ends(const Compiled& compiled) {
    return compiled.plan.end;
}

constexpr JobEnd kept = JobEnd::completed;
constexpr JobEnd rejected = JobEnd::rejected;

/// The second of these has a second too little, the third no deadline.
const std::string three_jobs =
    "{name: a, gpus: 1, duration: 1 h, deadline: 3610 s}, {name: b, gpus: 1, duration: 1 h, "
    "deadline: 3609 s}, {name: c, gpus: 1, duration: 1 h}";

} // namespace

TEST_CASE("a job that could not meet its deadline even at once is rejected, if its class says so") {
    const std::string times = "startup: 7 s, teardown: 3 s";
    CHECK(ends(compiled(three_jobs, times)) == std::vector{kept, kept, kept});
    CHECK(ends(compiled(three_jobs, times + ", late: keep")) == std::vector{kept, kept, kept});
    CHECK(ends(compiled(three_jobs, times + ", late: reject-at-arrival")) ==
          std::vector{kept, rejected, kept});
    CHECK(ends(compiled(three_jobs, times + ", late: reject-at-arrival, deadline: 2 h")) ==
          std::vector{kept, kept, kept});
}

TEST_CASE("a rejected job never waits for GPUs, and those that need it take it as ended") {
    const std::string jobs = three_jobs + ", {name: d, gpus: 1, duration: 1 h, after: [a, b]}";
    const std::string late = "startup: 10 s, late: reject-at-arrival";
    const Compiled any = compiled(jobs, late);
    CHECK(any.plan.num_needed == std::vector<std::uint32_t>{0, 1, 0, 1});
    const Compiled ok = compiled(jobs, late, "dependencies: afterok");
    CHECK(ok.plan.num_needed == std::vector<std::uint32_t>{0, 1, 0, 2});
    CHECK(compiled(three_jobs, late).plan.num_needed == std::vector<std::uint32_t>{0, 1, 0});

    PolicyChoice choice;
    Workspace workspace;
    const Run run =
        simulate(any.plan, order_for(any.plan, choice), choice, Record::jobs, workspace);
    CHECK(run.outcome.num_finished == 3);
    CHECK(run.jobs.phase ==
          std::vector{
              JobPhase::finished, JobPhase::dependent, JobPhase::finished, JobPhase::finished});
    CHECK(run.jobs.start_ms[3] == 3610 * 1000);
}

TEST_CASE("an elastic job has the time of its fastest form where an allocator may give it that") {
    const std::string job = "{name: a, gpus: 1, duration: 1 h, deadline: 31 min}";
    const std::string elastic =
        "late: reject-at-arrival, elastic: {gpus: 1..2, speedup: {1: 1, 2: 2}}";
    CHECK(ends(compiled(job, elastic, "", "optimus")) == std::vector{kept});
    CHECK(ends(compiled(job, elastic)) == std::vector{rejected});
}

TEST_CASE("`late: drop` drops waiting jobs, and rejects none") {
    const Compiled late = compiled(three_jobs, "startup: 7 s, teardown: 3 s, late: drop");
    CHECK(ends(late) == std::vector{kept, kept, kept});
    CHECK(late.plan.drops_late());
    CHECK(!late.plan.needs_completion);
    CHECK(!compiled(three_jobs, "late: keep").plan.drops_late());
    PolicyChoice choice;
    Workspace workspace;
    const Run run =
        simulate(late.plan, order_for(late.plan, choice), choice, Record::jobs, workspace);
    // Eight GPUs: the first and the third start at once, and the second could not be in time then.
    CHECK(run.jobs.phase == std::vector{JobPhase::finished, JobPhase::dropped, JobPhase::finished});
    CHECK(run.jobs.finish_ms[1] == 0);
}

TEST_CASE("a job that needs a dropped one goes on, unless that must complete") {
    const std::string jobs = three_jobs + ", {name: d, gpus: 1, duration: 1 h, after: [b]}";
    const auto phase = [&](const std::string& more) {
        const Compiled out = compiled(jobs, "startup: 10 s, late: drop", more);
        PolicyChoice choice;
        Workspace workspace;
        return simulate(out.plan, order_for(out.plan, choice), choice, Record::jobs, workspace)
            .jobs.phase[3];
    };
    CHECK(phase("dependencies: afterany") == JobPhase::finished);
    CHECK(phase("dependencies: afterok") == JobPhase::dependent);
}

TEST_CASE("a job is dropped by the form that it may have") {
    const std::string job =
        "{name: x, gpus: 8, duration: 25 min}, {name: a, gpus: 1, duration: 1 h, deadline: 56 min}";
    const std::string elastic = "late: drop, elastic: {gpus: 1..2, speedup: {1: 1, 2: 2}}";
    const auto phase = [&](const std::string& allocator) {
        const Compiled out = compiled(job, elastic, "", allocator);
        PolicyChoice choice;
        choice.allocator = allocator;
        Workspace workspace;
        return simulate(out.plan, order_for(out.plan, choice), choice, Record::jobs, workspace)
            .jobs.phase[1];
    };
    CHECK(phase("optimus") == JobPhase::finished); // by 55 min, with two GPUs
    CHECK(phase("fifo-perf") == JobPhase::dropped);
}

TEST_CASE("`late` where no job has a deadline is refused") {
    try {
        compiled("{name: a, gpus: 1, duration: 1 h}", "late: reject-at-arrival");
        FAIL("it was taken");
    } catch (const ScenarioError& error) {
        CHECK(contains(error.what(),
                       "workload.classes[0].late: has no effect (no job has a deadline)"));
    }
}

} // namespace bursar::late_jobs_test
