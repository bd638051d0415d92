#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::workload_test {
namespace {

Scenario scenario_of(const TraceOptions& options) {
    Scenario scenario;
    scenario.workload = options;
    return scenario;
}

TraceOptions file(const std::string& name) {
    TraceOptions options;
    options.file = name;
    return options;
}

Trace one_job() {
    Trace trace;
    trace.submit_ms = {0};
    trace.duration_ms = {1000};
    trace.gpus = {1};
    trace.tenants = {"all"};
    return trace;
}

/// Workloads with the list of files that were read.
struct Watched {
    std::vector<std::string> read;
    Workloads workloads{[this](const TraceOptions& options) {
        read.push_back(options.file);
        if (options.file == "bad.csv")
            throw ScenarioError{Finding{{"bad.csv"}, {}, "is damaged", {}, {}}};
        return one_job();
    }};
};

} // namespace

TEST_CASE("a trace is read once for all seeds and scenarios with equal options") {
    Watched watched;
    const Scenario scenario = scenario_of(file("a.csv"));
    Scenario other_policy = scenario;
    other_policy.policy.queue = "sjf";
    const auto trace = watched.workloads.of(scenario, 1);
    CHECK(trace->size() == 1);
    CHECK(watched.workloads.of(scenario, 2) == trace);
    CHECK(watched.workloads.of(other_policy, 1) == trace);
    CHECK(watched.read == std::vector<std::string>{"a.csv"});
}

TEST_CASE("a trace is read again for any other option") {
    Watched watched;
    std::vector<TraceOptions> all(9, file("a.csv"));
    all[1].file = "b.csv";
    all[2].format = "csv";
    all[3].columns["gpus"] = "num_gpus";
    all[4].select.first = 10;
    all[5].scale.load = 2.0;
    all[6].on_bad_row = OnBadRow::skip;
    all[7].start = "2017-10-02";
    all[8].zone = "+08:00";
    for (int round = 0; round < 2; ++round)
        for (const TraceOptions& options : all)
            CHECK(watched.workloads.of(scenario_of(options), 1)->size() == 1);
    CHECK(watched.read.size() == all.size());
}

TEST_CASE("a resampled trace is read once, and drawn once for each seed and length of blocks") {
    Watched watched;
    std::vector<std::string>& read = watched.read;
    Workloads workloads{[&](const TraceOptions& options) {
        read.push_back(options.file);
        CHECK(options.resample == Duration{});
        Trace trace;
        for (std::int64_t d = 0; d < 20; ++d) {
            trace.submit_ms.push_back(d * day.count());
            trace.duration_ms.push_back(d);
            trace.gpus.push_back(1);
        }
        trace.tenants = {"all"};
        return trace;
    }};
    TraceOptions options = file("a.csv");
    options.resample = day;
    const Scenario scenario = scenario_of(options);
    Scenario other_policy = scenario;
    other_policy.policy.queue = "sjf";
    const auto first = workloads.of(scenario, 1);
    CHECK(workloads.of(other_policy, 1) == first);
    CHECK(workloads.of(scenario, 2)->duration_ms != first->duration_ms);
    options.resample = 2 * day;
    CHECK(workloads.of(scenario_of(options), 1)->duration_ms != first->duration_ms);
    CHECK(workloads.of(scenario_of(file("a.csv")), 1)->size() == 20);
    CHECK(read == std::vector<std::string>{"a.csv"});
}

TEST_CASE("a synthetic workload is drawn again for each seed") {
    Scenario scenario;
    scenario.workload = SyntheticSpec{.like = "philly", .jobs = 20, .gpus = 64};
    Workloads workloads;
    const auto first = workloads.of(scenario, 1);
    CHECK(first->submit_ms == workloads.of(scenario, 1)->submit_ms);
    CHECK(first->submit_ms != workloads.of(scenario, 2)->submit_ms);
}

TEST_CASE("a trace that cannot be read is a mistake at each call") {
    Watched watched;
    const Scenario scenario = scenario_of(file("bad.csv"));
    CHECK_THROWS_AS(static_cast<void>(watched.workloads.of(scenario, 1)), ScenarioError);
    CHECK_THROWS_AS(static_cast<void>(watched.workloads.of(scenario, 1)), ScenarioError);
    CHECK(watched.read.size() == 2);
}

TEST_CASE("threads that load one trace at the same time share it") {
    Watched watched;
    const Scenario scenario = scenario_of(file("a.csv"));
    std::vector<std::shared_ptr<const Trace>> got(4);
    std::vector<std::thread> threads;
    for (auto& trace : got)
        threads.emplace_back([&] { trace = watched.workloads.of(scenario, 1); });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(got == std::vector(4, got.front()));
    CHECK(watched.read.size() == 1);
}

TEST_CASE("the first seed: the wanted one, the scenario's own, or 1") {
    Scenario scenario = scenario_of(file("a.csv"));
    CHECK(first_seed(scenario, std::nullopt) == 1);
    CHECK(first_seed(scenario, 0) == 0);
    scenario.workload = SyntheticSpec{.like = "philly", .jobs = 1, .gpus = 1, .seed = 9};
    CHECK(first_seed(scenario, std::nullopt) == 9);
    CHECK(first_seed(scenario, 4) == 4);
}

} // namespace bursar::workload_test
