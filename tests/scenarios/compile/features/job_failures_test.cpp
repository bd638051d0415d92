#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/job_failures.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/compile/made_scenario.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::job_failures_test {
namespace {

using test::contains;

/// One job of an hour on a pool of eight H100, or on one of eight V100; keys: of its class.
Scenario read(const std::string& keys, const std::string& workload = {}) {
    Scenario scenario = read_scenario_text(
        "bursar: 1\n"
        "workload:\n" +
            workload +
            "  jobs: [{name: a, gpus: 8, duration: 1 h}]\n"
            "  classes: [{" +
            keys +
            "}]\n"
            "fleet:\n"
            "  - {pool: new, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h}\n"
            "  - {pool: old, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h}\n",
        "s.yaml",
        {},
        test::known_names(),
        builtin_catalogue());
    scenario.policy.seed = 7;
    return scenario;
}

Compiled compiled(const Scenario& scenario, std::int64_t hours = 1) {
    return compile(scenario, builtin_catalogue(), test::trace_of({{0, hours * 3600, 8}}));
}

/// By pool.
std::vector<OwnFailures> of_the_job(const Plan& plan) {
    const auto first = plan.own_failures.begin() + std::ptrdiff_t{2} * plan.job_class[0];
    return {first, first + 2};
}

std::string mistake(const std::string& keys, const std::string& workload = {}) {
    try {
        (void)compiled(read(keys, workload));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a class states how often its jobs fail by themselves, and when that is noticed") {
    const Plan plan =
        compiled(read("failures: {per_job_hour: 0.092, per_gpu_hour: 0.001, detect: 2 min}")).plan;
    const OwnFailures own{92'000'000, 1'000'000, 120'000};
    CHECK(plan.own_failures == std::vector<OwnFailures>{own, own});
    CHECK(plan.own_failures[0].rate(1024) == 92'000'000 + 1'024'000'000);
    CHECK(plan.own_failure_seed == 7);
    CHECK(plan.moves());
}

TEST_CASE("a published failure rate of jobs is named") {
    const Plan plan = compiled(read("failures: {like: fitted}")).plan;
    CHECK(static_cast<double>(plan.own_failures[0].per_job) / 1e9 * 24 ==
          doctest::Approx(2.5624149222193577));
    // rsc-1 has no rate of jobs.
    CHECK(contains(mistake("failures: {like: rsc-1}"), "failures.like"));
}

TEST_CASE("nothing is planned if no job fails by itself") {
    CHECK(compiled(read("startup: 1 min")).plan.own_failures.empty());
    CHECK_FALSE(compiled(read("startup: 1 min")).plan.moves());
    CHECK(compiled(read("overflow_restarts: 0")).plan.own_failures.empty());
}

TEST_CASE("only fp16 overflows: on the GPUs whose jobs run in it") {
    Scenario scenario = read("overflow_restarts: 2.4", "  precision: fp16\n");
    const OwnFailures overflows{100'000'000, 0, 0};
    CHECK(of_the_job(compiled(scenario).plan) == std::vector<OwnFailures>{overflows, overflows});
    scenario.policy.precision = "best-supported"; // fp8 on H100, fp16 on V100
    CHECK(of_the_job(compiled(scenario).plan) ==
          std::vector<OwnFailures>{OwnFailures{}, overflows});
    scenario.run_times.precision = Precision::fp32;
    scenario.policy.precision = "as-given";
    CHECK(compiled(scenario).plan.own_failures.empty());
    // In addition to other failures.
    const Plan both = compiled(read("overflow_restarts: 2.4, precision: fp16, "
                                    "failures: {per_job_hour: 0.5}"))
                          .plan;
    CHECK(both.own_failures[1].per_job == 600'000'000);
}

TEST_CASE("a format that is not specified, and rates given in part, are mistakes") {
    CHECK(contains(mistake("overflow_restarts: 1"),
                   "workload.classes[0].overflow_restarts: the number format of its jobs is not "
                   "specified (it counts for jobs in fp16); give `workload.precision`, or a "
                   "`precision` of the class"));
    CHECK(contains(mistake("failures: {detect: 1 min}"),
                   "failures: nothing ever fails; give like, per_job_hour or per_gpu_hour"));
    CHECK(contains(mistake("failures: {like: fitted, per_job_hour: 1}"),
                   "failures.like: cannot be combined with a per_job_hour of your own"));
    CHECK(contains(mistake("failures: {per_job_hour: 61}"), "failures.per_job_hour"));
}

TEST_CASE("failures of nodes are then listed as not modelled") {
    CHECK(read("failures: {per_job_hour: 1}").unmodelled.front() ==
          "failures of nodes, reclaim, autoscaling");
    CHECK(read("startup: 1 min").unmodelled.front() == "failures, reclaim, autoscaling");
}

TEST_CASE("jobs that hardly ever finish are warned of") {
    const Scenario unsaved = read("failures: {per_job_hour: 1}, checkpoint: none");
    CHECK(compiled(unsaved, 9).notes.warnings.empty());
    const Compiled hopeless = compiled(unsaved, 20);
    REQUIRE(hopeless.notes.warnings.size() == 1);
    CHECK(contains(hopeless.notes.warnings[0],
                   "1 job saves nothing on the way and would have to run up to 20 times as long as "
                   "between two of their own failures"));
    CHECK(compiled(read("failures: {per_job_hour: 1}, checkpoint: {every: 10 min, save: 1 s}"), 20)
              .notes.warnings.empty());
}

TEST_CASE("young-daly saves at Daly's interval if jobs fail by themselves") {
    const Plan plan = compiled(read("failures: {per_gpu_hour: 0.125}, "
                                    "checkpoint: {when: young-daly, save: 1 min}"))
                          .plan;
    // Once an hour: sqrt(2 * 1 * 60) min and Daly's correction, which is one minute less.
    CHECK(static_cast<double>(plan.classes[plan.job_class[0]].interval.count()) / 60'000 ==
          doctest::Approx(10.3).epsilon(0.02));
}

} // namespace bursar::job_failures_test
