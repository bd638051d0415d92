#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::run_speeds_test {

using test::pool_spec;
using test::scenario_of;
using test::trace_of;

TEST_CASE("run times on GPUs of unknown speed are an assumption about every figure") {
    Scenario scenario =
        scenario_of({pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "T4", 1, 8)});
    Trace trace = trace_of({{0, 60, 1}});
    const auto decisive = [&] {
        return compile(scenario, builtin_catalogue(), trace).notes.decisive;
    };
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

TEST_CASE("a declared speed divides the run time on that GPU, at any place of the gang") {
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

TEST_CASE("run times of one GPU are scaled to another by the catalogue, with a note") {
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
    CHECK(compiled.notes.decisive ==
          std::vector<std::string>{
              "run times are those of V100-SXM2-16GB; H100-SXM5-80GB runs its jobs 4.79 times as "
              "fast (catalogue, between 2.66 and 11.1: 3.72 times its memory bandwidth, 7.91 times "
              "its fp16 peak)"});
}

TEST_CASE("a pair of GPUs that was measured on many workloads has their speed, with its source") {
    Scenario scenario = scenario_of(
        {pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "A100-SXM4-80GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}}));
    CHECK(static_cast<double>(compiled.plan.speed_of(0, 1)->speed) / reference_speed ==
          doctest::Approx(2.847).epsilon(0.001));
    CHECK(compiled.notes.decisive ==
          std::vector<std::string>{
              "run times are those of V100-SXM2-16GB; A100-SXM4-80GB runs its jobs 2.85 times as "
              "fast (measured on 9 workloads, 1.9 to 5.17: lambdal/deeplearning-benchmark "
              "aa5addb6a5)"});
}

TEST_CASE("a pair of GPUs that was measured on one workload keeps the catalogue's wider range") {
    Scenario scenario =
        scenario_of({pool_spec("a", "H200-SXM", 1, 8), pool_spec("b", "B200-SXM", 1, 8)});
    scenario.run_times.gpu = "H200-SXM";
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}}));
    REQUIRE(compiled.notes.decisive.size() == 1);
    const std::string& note = compiled.notes.decisive.front();
    CHECK(note.find("(catalogue, between 1.18 and 3.19: 1.67 times") != std::string::npos);
    CHECK(note.find("; measured on 1 workload, 1.18 to 2.03: DeepSpeed with Liger") !=
          std::string::npos);
}

TEST_CASE("speeds of a class override the catalogue, and are noted if the GPU is known") {
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
    CHECK(compiled.notes.decisive ==
          std::vector<std::string>{"run times are those of T4; H100-SXM5-80GB runs its jobs 7 to 9 "
                                   "times as fast (`speed` of its class)"});
}

TEST_CASE("a row that names one GPU ran on that one, for any GPU of the workload") {
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

TEST_CASE("rows that state their GPU are each scaled from it") {
    Scenario scenario = scenario_of(
        {pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times.gpu = "T4";
    Trace trace = trace_of({{0, 60, 4}, {1, 60, 4}, {2, 60, 4}});
    trace.ran_on_gpus = {"", "H100", "V100"};
    trace.ran_on = {1, 2, 0};
    const auto speed = [&](std::size_t job, std::size_t pool) {
        const Plan plan = compile(scenario, builtin_catalogue(), trace).plan;
        return static_cast<double>(plan.speed_of(job, pool)->speed) / reference_speed;
    };
    CHECK(speed(0, 1) == 1);
    CHECK(speed(0, 0) == doctest::Approx(1 / 4.786).epsilon(0.001));
    CHECK(speed(1, 0) == 1);
    CHECK(speed(1, 1) == doctest::Approx(4.786).epsilon(0.001));
    CHECK(speed(2, 0) > 1); // the workload's T4 is slower

    ClassSpec spec; // a different scale
    spec.speed = {{"V100-SXM2-16GB", 2}, {"H100-SXM5-80GB", 6}};
    scenario.classes = {spec};
    CHECK(speed(0, 0) == doctest::Approx(1.0 / 3).epsilon(0.001));
    CHECK(speed(1, 1) == 3);
    CHECK(speed(2, 1) == 6); // against the workload's run time
}

TEST_CASE("a workload on the GPU it was measured on compiles as without it") {
    Scenario scenario = scenario_of({pool_spec("a", "V100-SXM2-16GB", 1, 8)});
    const Trace trace = trace_of({{0, 60, 4}, {1, 60, 1}});
    const Compiled before = compile(scenario, builtin_catalogue(), trace);
    scenario.run_times.gpu = "V100-SXM2-16GB";
    const Compiled after = compile(scenario, builtin_catalogue(), trace);
    CHECK(after.plan.classes.size() == before.plan.classes.size());
    CHECK(after.plan.speeds.empty());
    CHECK(after.notes.decisive.empty());
}

TEST_CASE("GPUs with too few published facts are refused, with a suggestion") {
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
    CHECK(said.find("run times of K80 cannot be scaled to TPU-v4: TPU-v4: memory bandwidth is not "
                    "known") != std::string::npos);
    CHECK(said.find("`speed: {TPU-v4: ...}` of its class") != std::string::npos);
}

TEST_CASE("jobs measured in one format gain in another as much as was measured on that GPU") {
    Scenario scenario = scenario_of(
        {pool_spec("a", "V100-SXM2-16GB", 1, 8), pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times = {"V100-SXM2-16GB", Precision::fp32};
    const Trace trace = trace_of({{0, 60, 4}});
    const auto speed_in = [&](std::size_t pool) {
        const Plan plan = compile(scenario, builtin_catalogue(), trace).plan;
        return static_cast<double>(plan.speed_of(0, pool)->speed) / reference_speed;
    };
    // (3350 / 900)^(2/3) (67 / 15.7)^(1/3), strictly in fp32
    CHECK(speed_in(1) == doctest::Approx(3.896).epsilon(0.001));
    scenario.policy.precision = "best-supported";
    CHECK(speed_in(0) == doctest::Approx(2.409).epsilon(0.001)); // fp16
    CHECK(speed_in(1) == doctest::Approx(3.896).epsilon(0.001)); // fp32 to fp8: not measured
    const std::vector<std::string> said =
        compile(scenario, builtin_catalogue(), trace).notes.decisive;
    REQUIRE(said.size() == 3);
    CHECK(said[1] == "jobs measured in fp32 run in fp8 on H100-SXM5-80GB, and no faster or slower "
                     "for it: by how much was not measured");
    CHECK(said[2] == "jobs measured in fp32 run in fp16 on V100-SXM2-16GB, 2.41 times as fast "
                     "(measured on 9 jobs, between 0.997 and 4.75)");
}

TEST_CASE("a class that pins its format keeps it, one that forbids some gets another") {
    Scenario scenario = scenario_of({pool_spec("a", "A100-SXM4-80GB", 1, 8)});
    scenario.run_times = {"A100-SXM4-80GB", Precision::fp32};
    scenario.policy.precision = "best-supported";
    ClassSpec spec;
    const auto speed = [&] {
        scenario.classes = {spec};
        const Plan plan = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}})).plan;
        const PlanSpeed* found = plan.speed_of(0, 0);
        return found == nullptr ? 1.0 : static_cast<double>(found->speed) / reference_speed;
    };
    CHECK(speed() == doctest::Approx(1.498).epsilon(0.001)); // bf16
    spec.training.precision = Precision::fp32;
    CHECK(speed() == 1);
    scenario.run_times.precision = Precision::bf16; // the measured format is now forbidden
    CHECK(speed() == doctest::Approx(1 / 1.498).epsilon(0.001));
    spec.training.precision.reset();
    spec.forbidden = {Precision::bf16};
    CHECK(speed() == 1); // fp16: not measured against each other
    spec.training.precision = Precision::fp8;
    spec.forbidden.clear();
    CHECK_THROWS_WITH_AS(
        (void)speed(),
        doctest::Contains("workload.classes[0]: A100-SXM4-80GB has no fp8, which is the "
                          "`precision` of its class (it has fp32, tf32, fp16, bf16); keep the "
                          "class off that pool by `pools`"),
        ScenarioError);
}

TEST_CASE("a policy of formats reports run times with an unknown format") {
    Scenario scenario = scenario_of({pool_spec("a", "A100-SXM4-80GB", 1, 8)});
    scenario.run_times.gpu = "A100-SXM4-80GB";
    scenario.policy.precision = "best-supported";
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 4}}));
    CHECK(compiled.plan.speeds.empty());
    CHECK(compiled.notes.decisive ==
          std::vector<std::string>{"policy.precision changes no run times whose number format "
                                   "is not specified (`workload.precision`)"});
}

TEST_CASE("types of jobs run at their measured speed, others by the catalogue") {
    Scenario scenario = scenario_of({pool_spec("p", "P100-PCIe-16GB", 1, 8),
                                     pool_spec("k", "K80", 1, 8),
                                     pool_spec("v", "V100-SXM2-16GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    auto table = std::make_shared<ThroughputTable>("folder/measured.json");
    table->add("lm", "V100-SXM2-16GB", 2, 10);
    table->add("lm", "P100-PCIe-16GB", 2, 4);
    table->add("lm", "K80", 2, 0);
    scenario.run_times.measured = table;
    Trace trace = trace_of({{0, 60, 4}, {1, 60, 4}});
    trace.names = "lmx";
    trace.name_end = {2, 3};
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace);
    const Plan& plan = compiled.plan;
    CHECK(plan.speed_of(0, 0)->speed == std::llround(0.4 * reference_speed));
    CHECK(plan.shapes[plan.shape[0]].permitted_pools == 0b101); // it does not run on K80
    CHECK(plan.shapes[plan.shape[1]].permitted_pools == 0b111);
    CHECK(plan.speed_of(1, 0)->speed ==
          std::llround(std::cbrt(std::pow(732.0 / 900, 2) * 18.7 / 125) * reference_speed));
    REQUIRE(compiled.notes.decisive.size() == 4);
    CHECK(compiled.notes.decisive[0] ==
          "run times are those of V100-SXM2-16GB; P100-PCIe-16GB runs its "
          "jobs 0.4 times as fast (measured, measured.json)");
    CHECK(compiled.notes.decisive[3] ==
          "types of jobs measured at 0 steps a second do not run there: K80");

    ClassSpec spec;
    spec.job_type = "lm"; // overrides the names of its jobs
    scenario.classes = {spec};
    const Plan typed = compile(scenario, builtin_catalogue(), trace).plan;
    CHECK(typed.speed_of(1, 0)->speed == typed.speed_of(0, 0)->speed);
}

TEST_CASE("options about run times that no job uses are warned of") {
    Scenario scenario = scenario_of({pool_spec("v", "V100-SXM2-16GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    const Trace trace = trace_of({{0, 60, 4}});
    CHECK(compile(scenario, builtin_catalogue(), trace).notes.warnings.empty());
    auto table = std::make_shared<ThroughputTable>("measured.json");
    table->add("lm", "V100-SXM2-16GB", 2, 10);
    scenario.run_times.measured = table;
    const std::vector<std::string> said =
        compile(scenario, builtin_catalogue(), trace).notes.warnings;
    REQUIRE(said.size() == 1);
    CHECK(said[0] == "s.yaml: workload.speeds: no job is of a type in measured.json (a type is "
                     "A3C of the key \"('A3C', 1)\" in files of Gavel, application and batch size "
                     "as in \"cifar10 128\" in profiles of Pollux); `job_type` of the classes");
    ClassSpec spec;
    spec.job_type = "lm";
    scenario.classes = {spec};
    CHECK(compile(scenario, builtin_catalogue(), trace).notes.warnings.empty());
}

TEST_CASE("either end of a range can be taken instead of its likely value") {
    Scenario scenario = scenario_of({pool_spec("b", "H100-SXM5-80GB", 1, 8)});
    scenario.run_times.gpu = "V100-SXM2-16GB";
    scenario.run_times.precision = Precision::fp16;
    const auto speed = [&](RangeValue range) {
        scenario.run_times.range = range;
        const Plan plan = compile(scenario, builtin_catalogue(), trace_of({{0, 60, 1}})).plan;
        return static_cast<double>(plan.speed_of(0, 0)->speed) / reference_speed;
    };
    CHECK(speed(RangeValue::low) == doctest::Approx(2.659).epsilon(0.001));
    CHECK(speed(RangeValue::likely) == doctest::Approx(4.786).epsilon(0.001));
    CHECK(speed(RangeValue::high) == doctest::Approx(11.077).epsilon(0.001));
    // fp16 to fp8, measured between 0.957 and 1.641.
    scenario.policy.precision = "best-supported";
    CHECK(speed(RangeValue::low) == doctest::Approx(2.659 * 0.957).epsilon(0.001));
    CHECK(speed(RangeValue::high) == doctest::Approx(11.077 * 1.641).epsilon(0.001));
}

} // namespace bursar::run_speeds_test
