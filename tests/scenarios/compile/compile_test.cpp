#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::compile_test {

using test::pool_spec;
using test::scenario_of;
using test::trace_of;

namespace {

std::string mistakes_of(const Scenario& scenario, const Trace& trace) {
    try {
        compile(scenario, builtin_catalogue(), trace);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("rows are sorted by submit time; equal times keep the order of the file") {
    Trace trace = trace_of({{9, 1, 1}, {5, 2, 1}, {5, 3, 1}, {0, 4, 1}});
    trace.names = "abcd";
    trace.name_end = {1, 2, 3, 4};
    const Compiled compiled =
        compile(scenario_of({pool_spec("p", "V100-SXM2-16GB", 1, 8)}), builtin_catalogue(), trace);
    CHECK(compiled.plan.work_ms == std::vector<std::int64_t>{4000, 2000, 3000, 1000});
    CHECK(compiled.labels.job(0) == "d");
    CHECK(compiled.labels.job(3) == "a");
}

TEST_CASE("the first class that matches takes a job, the last one the rest") {
    Scenario scenario = scenario_of({pool_spec("p", "V100-SXM2-16GB", 2, 8)});
    ClassSpec large;
    large.match = ClassMatch{.gpus = CountRange{8, std::nullopt}, .tenants = {}};
    large.startup.whole = minute;
    ClassSpec theirs;
    theirs.match = ClassMatch{.gpus = {}, .tenants = {"b"}};
    ClassSpec rest;
    rest.teardown = second;
    scenario.classes = {large, theirs, rest};
    Trace trace = trace_of({{0, 1, 8}, {1, 1, 4}, {2, 1, 4}, {3, 1, 16}});
    trace.tenants = {"a", "b"};
    trace.tenant = {0, 1, 0, 1};
    const Plan plan = compile(scenario, builtin_catalogue(), trace).plan;
    CHECK(plan.job_class == std::vector<std::uint16_t>{0, 1, 2, 0});
    CHECK(plan.classes[0].startup == minute);
    CHECK(plan.classes[2].teardown == second);
    CHECK(plan.num_tenants == 2);
}

TEST_CASE("a job may use the pools of its class and of its GPU types") {
    Scenario scenario = scenario_of({pool_spec("b", "V100-SXM2-16GB", 1, 8),
                                     pool_spec("a", "T4", 4, 4),
                                     pool_spec("c", "T4", 1, 2)});
    ClassSpec small;
    small.match = ClassMatch{.gpus = CountRange{1, 1}, .tenants = {}};
    small.pools = {"a"};
    scenario.classes = {small, {}};
    Trace trace = trace_of({{0, 1, 1}, {1, 1, 2}, {2, 1, 4}, {3, 1, 8}});
    trace.gpu_type_sets = {{}, {"V100M16"}, {"T4", "V100"}};
    trace.gpu_types = {0, 1, 2, 0};
    const Plan plan = compile(scenario, builtin_catalogue(), trace).plan;
    const auto pools = [&](std::size_t job) {
        return plan.shapes[plan.shape[job]].permitted_pools;
    };
    CHECK(pools(0) == 0b010); // its class
    CHECK(pools(1) == 0b001); // V100M16 is another name of pool b's GPU
    CHECK(pools(2) == 0b111); // c is permitted, although its 2 GPUs are too few
    CHECK(pools(3) == 0b111);
    CHECK(plan.pools_by_name == std::vector<std::uint16_t>{1, 0, 2});
    // Shapes in the order of the idle split: fewest pools first, then by the pools' names.
    CHECK(plan.shapes.front().permitted_pools == 0b010);
    CHECK(plan.shapes.back().gpus == 8);
}

TEST_CASE("the broker's order: owned, reserved, on demand, spot; then the scenario's") {
    std::vector<PoolSpec> fleet{pool_spec("d", "T4", 1, 1),
                                pool_spec("s", "T4", 1, 1),
                                pool_spec("o", "T4", 1, 1),
                                pool_spec("r", "T4", 1, 1)};
    fleet[0].purchase = Purchase::on_demand;
    fleet[1].purchase = Purchase::spot;
    fleet[3].purchase = Purchase::reserved;
    fleet[3].term = 30 * day;
    fleet[0].billing.granularity = hour;
    const Plan plan = compile(scenario_of(fleet), builtin_catalogue(), trace_of({{0, 1, 1}})).plan;
    CHECK(plan.pool_preference == std::vector<std::uint16_t>{2, 3, 0, 1});
    CHECK(plan.pools[0].billing_step == hour);
    CHECK(plan.pools[3].billing_step == 30 * day);
}

TEST_CASE("until last-submit is the submit of the last job that runs") {
    Scenario scenario = scenario_of({pool_spec("p", "T4", 1, 8)});
    scenario.until_last_submit = true;
    const Trace trace = trace_of({{7, 1, 1}, {0, 100, 1}});
    CHECK(compile(scenario, builtin_catalogue(), trace).plan.until == 7 * second);
    CHECK(mistakes_of(scenario, trace_of({{0, 1, 1}, {0, 9, 1}})).find(": until: a run until") !=
          std::string::npos);
    scenario.measure_to = 8 * second;
    CHECK(mistakes_of(scenario, trace).find("measure.to: the measured time is longer") !=
          std::string::npos);
    scenario.measure_from = 7 * second;
    CHECK(mistakes_of(scenario, trace).find("measure.from: nothing is measured") !=
          std::string::npos);
}

TEST_CASE("a run that begins in the middle of a trace is warned of, unless it has time to fill") {
    Scenario scenario = scenario_of({pool_spec("p", "T4", 1, 8)});
    TraceOptions options = *std::get<TraceWorkload>(scenario.workload);
    options.select.from = "2017-10-09";
    scenario.workload = options;
    Trace trace = trace_of({{0, 100, 1}});
    const auto warnings = [&] {
        return compile(scenario, builtin_catalogue(), trace).notes.warnings;
    };
    CHECK(warnings().empty());
    trace.num_cut_off = 7;
    CHECK(warnings() ==
          std::vector<std::string>{
              "t.csv: select.from: the run begins with an empty cluster, so waits are too short (7 "
              "jobs submitted before 2017-10-09 would still be running); begin a week earlier, and "
              "give `measure: {from: 7 d}`"});
    scenario.measure_from = 7 * day;
    CHECK(warnings().empty());
}

TEST_CASE("a job that can never run is an error with its line, or a counted warning") {
    Scenario scenario = scenario_of({pool_spec("p", "V100-SXM2-16GB", 2, 8)});
    const Trace trace = trace_of({{5, 1, 64}, {7, 1, 1}, {9, 1, 17}});
    CHECK(mistakes_of(scenario, trace) ==
          "t.csv:2: a job of 64 GPUs can never run, as on line 4 (the largest pool it may use, "
          "\"p\", has 2 nodes of 8); a larger pool, or `select: {gpus: ..N}`");

    TraceOptions skipping = *std::get<TraceWorkload>(scenario.workload);
    skipping.on_bad_row = OnBadRow::skip;
    scenario.workload = skipping;
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace);
    CHECK(compiled.plan.num_jobs() == 1);
    CHECK(compiled.plan.submit_ms.front() == 7000); // the zero is still the first selected submit
    REQUIRE(compiled.notes.warnings.size() == 2);
    CHECK(compiled.notes.warnings[0].find("2 jobs skipped") == 0);
    CHECK(compiled.notes.warnings[1].find(
              "t.csv:2: a job of 64 GPUs can never run, as on line 4") == 0);
    CHECK(mistakes_of(scenario_of({pool_spec("p", "T4", 1, 8)}), trace_of({{0, 1, 4294967290}}))
              .find("4294967290 GPUs can never run") != std::string::npos);

    CHECK(mistakes_of(scenario, trace_of({{0, 1, 64}})).find("no job is left") !=
          std::string::npos);
}

TEST_CASE("jobs left out for one reason are reported once") {
    const Scenario scenario = scenario_of({pool_spec("p", "T4", 4, 8)});
    Trace trace = trace_of({});
    trace.gpu_type_sets = {{}, {"V100"}};
    for (int row = 0; row < 51; ++row) {
        trace.submit_ms.push_back(row);
        trace.duration_ms.push_back(1000);
        trace.gpus.push_back(1);
        trace.line.push_back(static_cast<std::uint64_t>(row) + 2);
        trace.gpu_types.push_back(row == 50 ? 0 : 1);
    }
    CHECK(mistakes_of(scenario, trace) ==
          "t.csv:2: a job of 1 GPU can never run, as on lines 3, 4, 5 and 46 more (no pool has a "
          "GPU it may use: V100); a pool of that GPU, by a name of `bursar catalog`; in csv "
          "`columns: {gpus: gpus}` lets jobs run on any");
}

TEST_CASE("classes without jobs, and names that no job has, are warned of") {
    Scenario scenario = scenario_of({pool_spec("p", "T4", 4, 8)});
    ClassSpec misspelt;
    misspelt.match = ClassMatch{.gpus = {}, .tenants = {"alcie", "bob"}};
    misspelt.place = {"s.yaml", 4, 7};
    ClassSpec large;
    large.match = ClassMatch{.gpus = CountRange{16, {}}, .tenants = {}};
    large.place = {"s.yaml", 5, 7};
    ClassSpec named;
    named.match = ClassMatch{.gpus = {}, .tenants = {}, .names = {"train"}};
    named.place = {"s.yaml", 6, 7};
    scenario.classes = {misspelt, large, named, {}};
    Trace trace = trace_of({{0, 1, 1}, {1, 1, 1}});
    trace.tenants = {"alice", "bob"};
    trace.tenant = {0, 1};
    trace.names = "trainx";
    trace.name_end = {5, 6};
    CHECK(compile(scenario, builtin_catalogue(), trace).notes.warnings ==
          std::vector<std::string>{
              "s.yaml:4:7: workload.classes[0].match: no job is of tenant \"alcie\"; did you mean "
              "\"alice\"?",
              "s.yaml:5:7: workload.classes[1]: no job is of this class (what it says is without "
              "effect); widen its match, or remove it"});
    scenario.classes[2].match->names = {"trian"};
    CHECK(compile(scenario, builtin_catalogue(), trace).notes.warnings.back() ==
          "s.yaml:6:7: workload.classes[2].match: no job is named \"trian\"; did you mean "
          "\"train\"?");
}

TEST_CASE("a share of a GPU is given as requested, or whole with `sharing: exclusive`") {
    Trace trace = trace_of({{0, 1, 1}, {1, 1, 1}, {2, 1, 2}});
    trace.gpu_milli = {460, 1000, 500};
    Scenario scenario = scenario_of({pool_spec("p", "T4", 1, 2)});
    Compiled shared = compile(scenario, builtin_catalogue(), trace);
    const auto slots = [](const Compiled& compiled, std::size_t job) {
        return compiled.plan.shapes[compiled.plan.shape[job]].slots();
    };
    CHECK(slots(shared, 0) == 460);
    CHECK(slots(shared, 1) == 1000);
    CHECK(slots(shared, 2) == 2000); // a share of one GPU only
    shared.notes.assumed = assumed_under({}, shared.notes.assumed);
    REQUIRE(shared.notes.assumed.size() == 2);
    CHECK(shared.notes.assumed[0].find("1 jobs get a part of a GPU") == 0);
    CHECK(shared.notes.assumed[1].find("1 jobs request shares of several GPUs") == 0);

    scenario.policy.sharing = Sharing::exclusive;
    const Compiled whole = compile(scenario, builtin_catalogue(), trace);
    CHECK(slots(whole, 0) == 1000);
    const std::vector<std::string> told = assumed_under({}, whole.notes.assumed);
    REQUIRE(told.size() == 1);
    CHECK(told.front().find("2 jobs request a share") == 0);
}

TEST_CASE("CPU and memory count if a pool states how much it has") {
    Trace trace = trace_of({{0, 1, 2}, {1, 1, 1}, {2, 1, 0}});
    trace.cpu_milli = {9'000, 4'000, 2'000};
    trace.memory_mib = {1024, 2048, 512};
    Scenario scenario = scenario_of({pool_spec("p", "T4", 2, 2)});
    CHECK(mistakes_of(scenario, trace).find("no pool has `cpu` or `memory`") != std::string::npos);

    scenario.fleet[0].cpu_milli = 8'000;
    scenario.classes = {ClassSpec{}};
    CHECK(mistakes_of(scenario, trace).find("t.csv:2: a job of 2 GPUs can never run") == 0);
    scenario.fleet[0].cpu_milli = 16'000;
    const Compiled compiled = compile(scenario, builtin_catalogue(), trace);
    const auto shape = [&](std::size_t job) {
        return compiled.plan.shapes[compiled.plan.shape[job]];
    };
    CHECK(shape(0).cpu_milli == 9'000);
    CHECK(shape(0).memory_mib == 0); // no pool is short of it
    CHECK(shape(2).gpus == 0);
    CHECK(compiled.plan.pools[0].cpu_milli == 16'000);
    CHECK(assumed_under({}, compiled.notes.assumed)
              .back()
              .find("jobs request memory and no pool gives its `memory`") == 0);

    scenario.classes[0].cpu_milli = 3'000; // per GPU; a job with its own value keeps it
    const Compiled by_class = compile(scenario, builtin_catalogue(), trace);
    CHECK(by_class.plan.shapes[by_class.plan.shape[0]].cpu_milli == 6'000);
    CHECK(by_class.plan.shapes[by_class.plan.shape[2]].cpu_milli == 2'000);
}

TEST_CASE("the order of the rows of a file changes nothing") {
    std::vector<std::array<std::int64_t, 3>> rows;
    std::mt19937 random{3};
    for (std::int64_t i = 0; i < 500; ++i) {
        rows.push_back({7 * i,
                        static_cast<std::int64_t>(random() % 300),
                        1 + static_cast<std::int64_t>(random() % 16)});
    }
    const Scenario scenario = scenario_of({pool_spec("p", "V100-SXM2-16GB", 3, 8)});
    const auto fingerprint = [&] {
        const Plan plan = compile(scenario, builtin_catalogue(), trace_of(rows)).plan;
        const PolicyChoice choice{"sjf", HeadRule::skip, "nodes", "consolidated"};
        Workspace workspace;
        return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace)
            .outcome.fingerprint;
    };
    const std::uint64_t sorted = fingerprint();
    std::shuffle(rows.begin(), rows.end(), random);
    CHECK(fingerprint() == sorted);
}

} // namespace bursar::compile_test
