#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::run_speeds_test {

using test::pool_spec;
using test::scenario_of;
using test::trace_of;

TEST_CASE("run times on GPUs that nothing says the speed of are an assumption of every figure") {
    Scenario scenario =
        scenario_of({pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "T4", 1, 8)});
    Trace trace = trace_of({{0, 60, 1}});
    const auto decisive = [&] { return compile(scenario, builtin_catalogue(), trace).decisive; };
    CHECK(decisive() ==
          std::vector<std::string>{"run times are those of the trace on any GPU, not scaled to "
                                   "V100-SXM2-16GB, T4 (no `speed` given)"});
    trace.gpu_type_sets = {{}, {"V100"}, {"V100", "T4"}};
    trace.gpu_types = {1}; // it ran there
    CHECK(decisive().empty());
    trace.gpu_types = {2};
    CHECK(decisive().size() == 1);

    ClassSpec spec;
    spec.speed = {{"T4", 0.25}};
    scenario.classes = {spec};
    CHECK(decisive().front().find("not scaled to V100-SXM2-16GB (no") != std::string::npos);
    scenario.classes.front().speed.push_back({"V100-SXM2-16GB", 1});
    CHECK(decisive().empty());
}

TEST_CASE("a declared speed divides the run time on that GPU, wherever the gang sits") {
    Scenario scenario =
        scenario_of({pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "T4", 1, 8)});
    ClassSpec spec;
    spec.match = ClassMatch{.gpus = CountRange{2, 8}, .tenants = {}};
    spec.speed = {{"T4", 0.25}, {"H100-SXM5-80GB", 3}};
    scenario.classes = {spec, {}};
    const Plan plan =
        compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}, {1, 60, 1}})).plan;
    CHECK(plan.speed_of(0, 0)->speed == reference_speed);
    CHECK(elapsed_ms(60'000, plan.speed_of(0, 1)->speed) == 240'000);
    CHECK(plan.speed_of(0, 1)->all_stalled_slots() == 0);
    CHECK(plan.speed_of(1, 1) == nullptr); // the class without one
}

TEST_CASE("run times of a GPU pass on another as the catalogue compares the two, and are told so") {
    Scenario scenario = scenario_of(
        {pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}}));
    const Plan& plan = compiled.plan;
    CHECK(plan.speed_of(0, 0)->speed == reference_speed);
    // (3350 / 900)^(2/3) (989 / 125)^(1/3)
    CHECK(static_cast<double>(plan.speed_of(0, 1)->speed) / reference_speed ==
          doctest::Approx(4.786).epsilon(0.001));
    CHECK(plan.speed_of(0, 1)->all_stalled_slots() == 0);
    CHECK(compiled.decisive ==
          std::vector<std::string>{
              "run times are those of V100-SXM2-16GB; H100-SXM5-80GB runs its jobs 4.79 times as "
              "fast (catalogue, between 2.79 and 10.5: 3.72 times its memory bandwidth, 7.91 times "
              "its fp16 peak)"});
}

TEST_CASE("what a class declares goes before the catalogue, and is told where the GPU is known") {
    Scenario scenario =
        scenario_of({pool_spec("a", "T4", 1, 8), pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times.gpu = "T4";
    ClassSpec large;
    large.match = ClassMatch{.gpus = CountRange{2, 8}, .tenants = {}};
    large.speed = {{"H100-SXM5-80GB", 9}};
    ClassSpec small;
    small.speed = {{"H100-SXM5-80GB", 7}};
    scenario.classes = {large, small};
    const Compiled compiled =
        compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}, {1, 60, 1}}));
    CHECK(compiled.plan.speed_of(0, 1)->speed == 9 * reference_speed);
    CHECK(compiled.plan.speed_of(1, 1)->speed == 7 * reference_speed);
    CHECK(compiled.decisive ==
          std::vector<std::string>{"run times are those of T4; H100-SXM5-80GB runs its jobs 7 to 9 "
                                   "times as fast (`speed` of its class)"});
}

TEST_CASE("a row that names one GPU ran on that one, whatever the workload's is") {
    Scenario scenario = scenario_of(
        {pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    Trace trace = trace_of({{0, 60, 4}, {1, 60, 4}});
    trace.gpu_type_sets = {{}, {"H100"}, {"H100", "V100"}};
    trace.gpu_types = {1, 2};
    const Plan plan = compile(scenario, builtin_catalogue(), trace).plan;
    CHECK(plan.speed_of(0, 1)->speed == reference_speed);
    CHECK(plan.speed_of(1, 1)->speed > 4 * reference_speed);
}

TEST_CASE("a workload on the GPU it was measured on is the plan it was without one") {
    Scenario scenario = scenario_of({pool_spec("a", "V100-SXM2-16GB", 1, 8)});
    const Trace trace = trace_of({{0, 60, 4}, {1, 60, 1}});
    const Compiled before = compile(scenario, builtin_catalogue(), trace);
    scenario.run_times.gpu = "V100-SXM2-16GB";
    const Compiled after = compile(scenario, builtin_catalogue(), trace);
    CHECK(after.plan.classes.size() == before.plan.classes.size());
    CHECK(after.plan.speeds.empty());
    CHECK(after.decisive.empty());
}

TEST_CASE("GPUs of which too little is published are not scaled to, and it is said what would do") {
    Scenario scenario = scenario_of({pool_spec("a", "TPU-v4", 1, 8)});
    scenario.run_times.gpu = "K80";
    Catalogue catalogue = builtin_catalogue();
    for (Gpu& gpu : catalogue.gpus)
        if (gpu.name == "TPU-v4")
            gpu.memory_bandwidth_gb_s.reset();
    std::string said;
    try {
        compile(scenario, catalogue, trace_of({{0, 60, 1}}));
    } catch (const ScenarioError& error) {
        said = error.what();
    }
    CHECK(said.find("run times of K80 cannot be scaled to TPU-v4 (TPU-v4: memory bandwidth is not "
                    "known") != std::string::npos);
    CHECK(said.find("`speed: {TPU-v4: ...}` of its class") != std::string::npos);
}

} // namespace bursar::run_speeds_test
