#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/plan/check_plan.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::staging_test {
namespace {

bool say(const std::vector<std::string>& notes, std::string_view part) {
    return std::ranges::any_of(notes,
                               [&](const std::string& note) { return test::contains(note, part); });
}

Compiled compiled(const std::string& job_class, const std::string& policy) {
    const std::string text =
        fmt::format("bursar: 1\nworkload:\n  jobs: [{{name: j, gpus: 4, duration: 1 h}}]\n"
                    "  classes: [{{{}}}]\nfleet:\n- {{pool: p, purchase: owned, "
                    "gpu: H100, nodes: 2, gpus_per_node: 8, price: 1 USD/gpu-h}}\npolicy: {}\n",
                    job_class,
                    policy);
    const Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    CHECK(check_plan(out.plan) == std::nullopt);
    return out;
}

std::string error_of(const std::string& job_class) {
    try {
        (void)compiled(job_class, "{capacity: count}");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "";
}

constexpr const char* split = "startup: {pull: 1 min, data: 2 min, init: 10 s}";

} // namespace

TEST_CASE("start-up is the sum of its parts, and image and data may be staged") {
    const PlanClass parts = compiled(split, "{capacity: count}").plan.classes[0];
    CHECK(parts.startup == 190 * second);
    CHECK(parts.staged == 180 * second);
    CHECK(parts.recovery == 190 * second);
    const PlanClass whole = compiled("startup: 190 s", "{capacity: count}").plan.classes[0];
    CHECK(whole.startup == 190 * second);
    CHECK(whole.staged == Duration{});
    const PlanClass some = compiled("startup: {init: 10 s}", "{capacity: count}").plan.classes[0];
    CHECK(some.startup == 10 * second);
    CHECK(error_of("startup: {}") ==
          "s.yaml:4:23: workload.classes[0].startup: names no part (one or more of `pull`, `data` "
          "and `init`)");
}

TEST_CASE("a plan says how many jobs stage, and how ends are predicted") {
    CHECK_FALSE(compiled(split, "{capacity: count}").plan.staging.is_on());
    CHECK_FALSE(compiled(split, "{capacity: count, staging: none}").plan.staging.is_on());
    const PlanStaging usual = compiled(split, "{capacity: count, staging: exact}").plan.staging;
    CHECK(usual.num_jobs == 8);
    CHECK(usual.predict == EndPrediction::exact);
}

TEST_CASE("staging without anything to stage is warned of, and on nodes it assumes their choice") {
    const Compiled nothing = compiled("startup: 190 s", "{capacity: count, staging: exact}");
    CHECK_FALSE(nothing.plan.staging.is_on());
    CHECK(nothing.notes.warnings ==
          std::vector<std::string>{
              "s.yaml:7:36: policy.staging: exact has no effect (no class of the jobs says which "
              "part of its startup is `pull` or `data`); `startup: {pull: 3 min, data: 5 min}`"});
    const Compiled on_nodes = compiled(split, "{staging: exact}");
    CHECK(say(on_nodes.notes.assumed, "jobs get the nodes on which they have staged"));
    CHECK(compiled(split, "{capacity: count, staging: exact}").notes.warnings.empty());
}

} // namespace bursar::staging_test
