#include <algorithm>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "policies/choice/policy_slots.hpp"

#include "reports/result/result.hpp"
#include "reports/summary/sentences.hpp"

#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar::test::run_scenario_test {
namespace {

Money cost_of(const Result& result) {
    Money cost{};
    for (const ResultCell& cell : result.cells)
        cost += cell.cost;
    return cost;
}

Money usd_of_gpu_hours(std::int64_t usd_per_hour, std::int64_t gpu_hours) {
    return MoneyRate{usd_per_hour * 1'000'000'000} * slot_time(gpu_hours * slots_per_gpu, hour);
}

} // namespace

TEST_CASE("a scenario to its result: two gangs one after the other on one node") {
    const Result result = run_scenario(load_scenario(two_jobs()));
    CHECK(result.num_finished == 2);
    CHECK(result.end == 2 * hour);
    CHECK(result.jobs.start_ms == std::vector<std::int64_t>{0, hour.count()});
    CHECK(cost_of(result) == usd_of_gpu_hours(1, 16));
    CHECK(result.run.scenario_name == "two jobs");
    CHECK(result.run.policy.queue == "fifo");
    CHECK(!result.run.version.empty());
    CHECK(!result.repeats);
    CHECK(result.timeline.size() == 0);
}

TEST_CASE("each policy slot has a label, and the bill says all that is not the default") {
    for (const PolicySlot& slot : policy_slots()) {
        CAPTURE(slot.name);
        CHECK(std::ranges::count(policy_labels, slot.name, &PolicyLabel::name) == 1);
    }
    const Result result = run_scenario(load_scenario(two_jobs()));
    for (const PolicyLabel& label : policy_labels) {
        CAPTURE(label.name);
        CHECK((result.run.policy.*label.text).empty() ==
              (label.name == "allocator" || label.name == "rounds" || label.name == "preset"));
        Result other = result;
        other.run.policy.*label.text = label.name == "capacity" ? "count" : "another";
        CHECK(policy_sentence(other) != policy_sentence(result));
    }
}

TEST_CASE("a scenario made in memory runs as one read from a file") {
    const LoadedScenario read = load_scenario(two_jobs());
    const LoadedScenario made = as_loaded(read.scenario);
    CHECK(run_scenario(made).fingerprint == run_scenario(read).fingerprint);
}

TEST_CASE("the timeline is recorded on request") {
    const Result result = run_scenario(load_scenario(two_jobs()), {.record = Record::timeline});
    CHECK(result.timeline.size() > 0);
    CHECK(result.fingerprint == run_scenario(load_scenario(two_jobs())).fingerprint);
}

TEST_CASE("repeats cover as many seeds as the scenario states") {
    ScenarioSource source = synthetic();
    source.overrides = {{"repeat.seeds", "3"}};
    const LoadedScenario loaded = load_scenario(source);
    const Result result = run_scenario(loaded, {.seed = 5});
    REQUIRE(result.repeats);
    CHECK(result.repeats->n == 3);
    CHECK(result.run.seed == 5);

    Workspace workspace;
    CHECK(run_compiled(compile_run(loaded, 5), Record::jobs, workspace).fingerprint ==
          result.fingerprint);
    CHECK(run_compiled(compile_run(loaded, 6), Record::jobs, workspace).fingerprint !=
          result.fingerprint);
}

TEST_CASE("a scenario without anything random runs once for any number of seeds") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"repeat.seeds", "3"}};
    CHECK(!run_scenario(load_scenario(source)).repeats);
}

TEST_CASE("a run of too many rounds is refused before it begins") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"workload.jobs[0].duration", "4000 d"},
                        {"policy", "{preemption: quantum, rounds: 1 ms}"}};
    CHECK_THROWS_WITH_AS(static_cast<void>(run_scenario(load_scenario(source))),
                         doctest::Contains("two_jobs.yaml: policy.rounds: too many rounds"),
                         SimulationError);
}

TEST_CASE("a compiled run can be run again") {
    const CompiledRun run = compile_run(load_scenario(synthetic()), 3);
    CHECK(run.seed() == 3);
    Workspace workspace;
    const Result first = run_compiled(run, Record::jobs, workspace);
    CHECK(run_compiled(run, Record::jobs, workspace).fingerprint == first.fingerprint);
}

TEST_CASE("a term that the last job begins is noted with its dollars; amortised, it is not paid") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"workload.jobs", "[{name: a, gpus: 8, duration: 33 d}]"},
                        {"fleet.p.purchase", "reserved"},
                        {"fleet.p.term", "30 d"}};
    const Result whole = run_scenario(load_scenario(source));
    CHECK(cost_of(whole) == usd_of_gpu_hours(1, 8 * 60 * 24));
    REQUIRE(whole.run.warnings.size() == 1);
    CHECK(whole.run.warnings.front().find("5,184.00 USD of the total (45.0 %) pays for the rest of "
                                          "terms of pool p") == 0);

    source.overrides.back().value = "amortised";
    const Result share = run_scenario(load_scenario(source));
    CHECK(cost_of(share) == usd_of_gpu_hours(1, 8 * 33 * 24));
    CHECK(share.run.warnings.empty());
    CHECK(share.run.assumed.front() ==
          "reserved pool p is amortised: of its terms the run's share is paid");
}

TEST_CASE("payment after the last submit is noted, and `until: last-submit` ends there") {
    const Result drained = run_scenario(load_scenario(two_jobs()));
    REQUIRE(drained.run.warnings.size() == 1);
    CHECK(drained.run.warnings.front().find("12.00 USD of the total (75.0 %) pays for capacity "
                                            "that is there whether needed or not, in the 90 min "
                                            "from the last submit") == 0);

    ScenarioSource source = two_jobs();
    // The same as a range that never changes, and with one node that is not needed.
    for (const char* nodes : {"1..1", "1..4"}) {
        source.overrides = {{"fleet.p.purchase", "on_demand"}, {"fleet.p.nodes", nodes}};
        const Result range = run_scenario(load_scenario(source));
        CAPTURE(nodes);
        CHECK(std::ranges::any_of(range.run.warnings, [](const std::string& warning) {
            return warning.find("in the 90 min from the last submit") != std::string::npos ||
                   warning.find("in the 60 min from the last submit") != std::string::npos;
        }));
    }
    source.overrides = {{"until", "last-submit"}};
    const Result ended = run_scenario(load_scenario(source));
    CHECK(ended.end == 30 * minute);
    CHECK(cost_of(ended) == usd_of_gpu_hours(1, 4));
    CHECK(ended.run.warnings.empty());
}

TEST_CASE("run times are scaled if a class says so, else the bill says they are not") {
    ScenarioSource source = two_jobs();
    const Result kept = run_scenario(load_scenario(source));
    CHECK(kept.run.decisive ==
          std::vector<std::string>{"run times are those of the list on any GPU, not scaled to "
                                   "V100-SXM2-16GB (no `speed` given)"});
    source.overrides = {{"workload.classes", "[{speed: {V100-SXM2-16GB: 2}}]"}};
    const Result scaled = run_scenario(load_scenario(source));
    CHECK(scaled.end == hour);
    CHECK(cost_of(scaled) == usd_of_gpu_hours(1, 8));
    CHECK(scaled.run.decisive.empty());
}

TEST_CASE("a workload on the GPU it was measured on runs as one without `gpu`") {
    ScenarioSource source = two_jobs();
    const Result silent = run_scenario(load_scenario(source));
    source.overrides = {{"workload.gpu", "V100"}};
    const Result named = run_scenario(load_scenario(source));
    CHECK(named.fingerprint == silent.fingerprint);
    CHECK(named.cells == silent.cells);
    CHECK(named.run.decisive.empty());
}

TEST_CASE("on a pool twice as fast jobs take half the time, exactly") {
    std::mt19937 random{7};
    for (int round = 0; round < 20; ++round) {
        std::string jobs;
        for (int job = 0; job < 12; ++job)
            jobs += fmt::format("{}{{name: j{}, gpus: {}, submit: {} s, duration: {} ms}}",
                                job == 0 ? "[" : ", ",
                                job,
                                1 + random() % 8,
                                random() % 600,
                                2 * (1 + random() % 400'000)); // even: half of it is whole
        ScenarioSource source = two_jobs();
        source.overrides = {{"workload.jobs", jobs + "]"}, {"workload.gpu", "V100"}};
        CAPTURE(jobs);
        const Result once = run_scenario(load_scenario(source));
        source.overrides.push_back({"fleet.p.gpu", "H100"});
        source.overrides.push_back({"workload.classes", "[{speed: {H100: 2}}]"});
        const Result twice = run_scenario(load_scenario(source));
        REQUIRE(twice.jobs.start_ms.size() == once.jobs.start_ms.size());
        for (std::size_t job = 0; job < once.jobs.start_ms.size(); ++job)
            CHECK(2 * (twice.jobs.finish_ms[job] - twice.jobs.start_ms[job]) ==
                  once.jobs.finish_ms[job] - once.jobs.start_ms[job]);
    }
}

TEST_CASE("a run past the horizon is a mistake of its input") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"workload.jobs[0].duration", "12000 d"},
                        {"workload.jobs[1].duration", "12000 d"}};
    CHECK_THROWS_WITH_AS(static_cast<void>(run_scenario(load_scenario(source))),
                         doctest::Contains("34.8 years"),
                         InputTooLarge);
}

} // namespace bursar::test::run_scenario_test
