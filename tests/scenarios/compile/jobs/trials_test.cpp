#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/plan/check_plan.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/trials.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/properties.hpp"
#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::trials_test {
namespace {

constexpr std::int64_t hour_ms = hour.count();

ListedJob entry(std::int64_t trials, TrialsSpec spec, std::int64_t gpus = 2) {
    ListedJob job;
    job.name = "tune";
    job.gpus = gpus;
    job.count = trials;
    job.duration = 9 * hour;
    job.trials = std::move(spec);
    return job;
}

TrialsSpec halving(std::vector<double> rungs = {1, 3, 9}) {
    TrialsSpec spec;
    spec.rungs = std::move(rungs);
    spec.keep = 1.0 / 3;
    return spec;
}

std::vector<TrialJob> in_stage(const std::vector<TrialJob>& jobs, std::uint32_t stage) {
    std::vector<TrialJob> out;
    std::ranges::copy_if(
        jobs, std::back_inserter(out), [&](const TrialJob& job) { return job.stage == stage; });
    return out;
}

std::vector<std::uint32_t> trials_of(const std::vector<TrialJob>& jobs) {
    std::vector<std::uint32_t> out;
    for (const TrialJob& job : jobs)
        out.push_back(job.trial);
    return out;
}

std::int64_t gpu_ms(const std::vector<TrialJob>& jobs, JobEnd end) {
    std::int64_t sum = 0;
    for (const TrialJob& job : jobs)
        sum += job.end == end ? job.gpus * job.duration_ms : 0;
    return sum;
}

std::int64_t spared(const std::vector<TrialJob>& jobs) {
    return std::accumulate(
        jobs.begin(), jobs.end(), std::int64_t{}, [](std::int64_t sum, const TrialJob& job) {
            return sum + job.spared_gpu_ms;
        });
}

Scenario read(const std::string& jobs, const std::string& rest = {}) {
    const std::string text =
        "bursar: 1\nworkload:\n  jobs: [" + jobs + "]\n" +
        (rest.empty() ? "fleet: [{pool: p, purchase: owned, gpu: H100, nodes: 2, gpus_per_node: "
                        "8, price: 2 USD/gpu-h}]\n"
                      : rest);
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
}

Compiled compiled(const Scenario& scenario, std::uint64_t seed = 1) {
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, seed));
    REQUIRE(check_plan(out.plan) == std::nullopt);
    return out;
}

std::string problem(const std::string& jobs) {
    try {
        read(jobs);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

// 9 trials of 2 GPUs and 9 h: 9 run for 1 h, 3 of them for 2 h more, and one for the last 6 h.
TEST_CASE("successive halving of 9 trials at eta 3, by hand") {
    auto curves = std::make_shared<TrialCurves>();
    // Trial 5 is the best at a ninth and at the end, 2 and 8 are second and third at a ninth.
    for (const double value : {9, 8, 2, 7, 6, 1, 5, 4, 3})
        curves->points.push_back({{1.0 / 9, value}});
    curves->points[8].push_back({1.0 / 3, 0.5}); // it overtakes them at a third
    TrialsSpec spec = halving();
    spec.curves = curves;
    const std::vector<TrialJob> jobs = trial_jobs(entry(9, spec), 0, 1);

    REQUIRE(jobs.size() == 13);
    CHECK(trials_of(in_stage(jobs, 0)) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(trials_of(in_stage(jobs, 1)) == std::vector<std::uint32_t>{2, 5, 8});
    CHECK(trials_of(in_stage(jobs, 2)) == std::vector<std::uint32_t>{8});
    for (const TrialJob& job : jobs) {
        CHECK(job.gpus == 2);
        CHECK(job.duration_ms == std::vector{1, 2, 6}[job.stage] * hour_ms);
        CHECK(job.end == (job.trial == 8 ? JobEnd::completed : JobEnd::stopped));
        // What is left of 9 h, in the last job of a trial that is stopped.
        const bool is_last = job.trial == 2 || job.trial == 5 ? job.stage == 1 : job.trial != 8;
        CHECK(job.spared_gpu_ms == (is_last ? 2 * (job.stage == 1 ? 6 : 8) * hour_ms : 0));
    }
    CHECK(gpu_ms(jobs, JobEnd::completed) == 2 * 9 * hour_ms);
    CHECK(gpu_ms(jobs, JobEnd::stopped) == 2 * (6 * 1 + 2 * 3) * hour_ms);
    CHECK(spared(jobs) == 2 * (6 * 8 + 2 * 6) * hour_ms); // 162 GPU-hours less 42
}

TEST_CASE("each rung waits for all trials of the one before, each run for its smoke test") {
    const Trace trace = load_workload(
        read("{name: a, gpus: 1, duration: 1 h}, {name: t, gpus: 2, array: 4, duration: 9 h, "
             "after: a, think_time: 1 min, trials: {rungs: [1, 9], keep: 1/2, smoke: {duration: 5 "
             "min, gpus: 1, fail: 0}}}, {name: r, gpus: 1, duration: 1 h, after: t}"),
        1);
    REQUIRE(trace.size() == 1 + 4 + 4 + 2 + 1);
    CHECK(trace.entry_end == std::vector<std::size_t>{1, 11, 12});
    for (std::uint32_t row = 1; row <= 4; ++row) {
        CHECK(std::ranges::equal(trace.needs.of(row), std::vector{0U}));
        CHECK(std::ranges::equal(trace.needs.of(row + 4), std::vector{row}));
        CHECK(trace.gpus[row] == 1);
        CHECK(trace.duration_ms[row] == 300'000);
        CHECK(trace.think_ms[row] == 60'000);
        CHECK(trace.think_ms[row + 4] == 0);
    }
    for (const std::uint32_t row : {9U, 10U})
        CHECK(std::ranges::equal(trace.needs.of(row), std::vector{5U, 6U, 7U, 8U}));
    CHECK(trace.needs.of(11).size() == 10); // all jobs of all trials
}

// The reference case: 4 of 24 runs are stopped at 60 %.
TEST_CASE("a share of the trials is stopped after a share of its run") {
    TrialsSpec spec;
    spec.early = TrialsSpec::Early{1.0 / 6, 0.6};
    const std::vector<TrialJob> jobs = trial_jobs(entry(24, spec), 0, 1);
    REQUIRE(jobs.size() == 24);
    const std::int64_t part_ms = 9 * hour_ms * 6 / 10;
    std::int64_t stopped = 0;
    for (const TrialJob& job : jobs) {
        const bool is_stopped = job.end == JobEnd::stopped;
        stopped += is_stopped ? 1 : 0;
        CHECK(job.duration_ms == (is_stopped ? part_ms : 9 * hour_ms));
        CHECK(job.spared_gpu_ms == (is_stopped ? 2 * (9 * hour_ms - part_ms) : 0));
    }
    CHECK(stopped == 4);
    CHECK(gpu_ms(jobs, JobEnd::stopped) == 4 * 2 * part_ms);
    // Others are stopped with another seed.
    CHECK(trial_jobs(entry(24, spec), 0, 2) != jobs);
    CHECK(trial_jobs(entry(24, spec), 0, 1) == jobs);
}

TEST_CASE("a plateau ends a trial once its patience is over") {
    auto curves = std::make_shared<TrialCurves>();
    curves->points = {{{0.1, 5}, {0.2, 4}, {0.3, 3.95}, {0.4, 3.9}, {0.5, 1}}, // 2 gains below 0.2
                      {{0.1, 5}, {0.2, 4}, {0.3, 4.5}, {0.4, 3}, {0.5, 3}},    // 1, then 1
                      {{0.5, 5}, {1, 5}}};
    TrialsSpec spec;
    spec.plateau = TrialsSpec::Plateau{2, 0.2, {}};
    spec.curves = curves;
    const std::vector<TrialJob> jobs = trial_jobs(entry(3, spec, 1), 0, 1);
    CHECK(jobs[0].end == JobEnd::stopped);
    CHECK(jobs[0].duration_ms == 9 * hour_ms * 4 / 10);
    CHECK(jobs[1].end == JobEnd::completed);
    CHECK(jobs[2].end == JobEnd::completed);
    CHECK(spared(jobs) == 9 * hour_ms - 9 * hour_ms * 4 / 10);

    spec.curves = nullptr; // drawn metrics fall ever more slowly, and do not jump
    spec.plateau = TrialsSpec::Plateau{1, 0.05, 0.1};
    const auto drawn = trial_jobs(entry(100, spec, 1), 0, 1);
    CHECK(std::ranges::count(drawn, JobEnd::stopped, &TrialJob::end) > 50);
}

TEST_CASE("a trial whose smoke test fails runs no further, and spares all of it") {
    TrialsSpec spec;
    spec.smoke = TrialsSpec::Smoke{5 * minute, 1, 0.25};
    const std::vector<TrialJob> jobs = trial_jobs(entry(8, spec), 0, 1);
    REQUIRE(jobs.size() == 8 + 6);
    CHECK(gpu_ms(jobs, JobEnd::stopped) == 2 * (5 * minute).count());
    CHECK(gpu_ms(jobs, JobEnd::completed) == 6 * (5 * minute).count() + 6 * 2 * 9 * hour_ms);
    CHECK(spared(jobs) == 2 * 2 * 9 * hour_ms);
}

TEST_CASE("trials that can't be are refused with their place") {
    const auto of = [](const std::string& trials, const std::string& more = ", duration: 9 h") {
        return problem("{name: t, gpus: 1, array: 9" + more + ", trials: " + trials + "}");
    };
    CHECK(of("{rungs: [1, 3, 9], keep: 1/3}").empty());
    CHECK(of("{rungs: [1, 3, 9], keep: 3/1}") ==
          "s.yaml:3:87: workload.jobs.t.trials.keep: \"3/1\" is out of range (above 0 and below "
          "1)");
    CHECK(of("{rungs: [1, 3, 9], keep: third}") ==
          "s.yaml:3:87: workload.jobs.t.trials.keep: \"third\" is no share (expected a share such "
          "as 1/3, 0.6 or 60 %)");
    CHECK(of("{rungs: [1, 9, 3], keep: 1/3}") ==
          "s.yaml:3:70: workload.jobs.t.trials.rungs: rungs must rise (the last is the full run)");
    CHECK(of("{rungs: [1, 9]}") == "s.yaml:3:62: workload.jobs.t.trials: rungs need `keep` (the "
                                   "share of a rung's trials that go on)");
    CHECK(of("{keep: 1/2, early: {share: 1/6, at: 60 %}}") ==
          "s.yaml:3:69: workload.jobs.t.trials.keep: has no effect without rungs");
    CHECK(of("{}").find("no trial is ever stopped (name rungs, plateau, early or smoke)") !=
          std::string::npos);
    CHECK(of("{rungs: [1, 9], keep: 1/3, rule: asha}") ==
          "s.yaml:3:95: workload.jobs.t.trials.rule: asha is not modelled (it promotes trials as "
          "their results arrive, so that the schedule decides which ones go on); `halving` waits "
          "for all trials of a rung");
    CHECK(of("{early: {share: 1/6, at: 60 %}, metric: drawn, rungs: [1, 2], keep: 1/2}") != "");
    CHECK(of("{early: {share: 1/6, at: 60 %}}", "") ==
          "s.yaml:3:10: workload.jobs.t: trials need `duration` (the run time of a trial that is "
          "not stopped)");
    CHECK(problem("{name: t, gpus: 1, array: 9, duration: 9 h, trials: {rungs: [1, 9], keep: 1/3}}"
                  ", {name: e, gpus: 1, array: 9, duration: 1 h, after_each: t}")
              .find("a trial of \"t\" is several jobs") != std::string::npos);
}

TEST_CASE("metrics of a file are read, and what is wrong in it is reported with its place") {
    const auto of = [](const std::string& csv,
                       const std::string& trials = "rungs: [1, 4], keep: 1/2") {
        const test::TemporaryFile file{csv};
        std::string text = problem("{name: t, gpus: 1, array: 2, duration: 9 h, trials: {" +
                                   trials + ", metric: " + file.path() + "}}");
        const std::size_t at = text.find(file.path() + ":");
        return at == std::string::npos ? text : text.substr(at + file.path().size());
    };
    CHECK(of("trial,at,value\n1,0.25,3\n2,0.1,4\n2,0.25,2\n").empty());
    CHECK(of("trial,at,value\n1,0.25,x\n") == ":2:8: \"x\" is no number (-1e+300 to 1e+300)");
    CHECK(of("trial,at,value\n1,25,3\n") == ":2:3: \"25\" is out of range (0 to 1)");
    CHECK(of("trial,at,value\n1,0.2,3\n1,0.2,3\n").starts_with(":3:3: is not after the row"));
    CHECK(of("trial,at,value\n2,0.2,3\n").find("no row is of trial 1") != std::string::npos);
    CHECK(of("trial,at,value\n1,0.2,3\n").ends_with(" has those of 1)")); // of two
    CHECK(of("trial,at,value\n1,0.2,3\n2,0.5,3\n")
              .find("trial 2 has no value up to its first decision") != std::string::npos);

    const test::TemporaryFile file{"trial,at,value\n1,0.25,3\n2,0.25,2\n"};
    const Scenario scenario =
        read("{name: t, gpus: 1, array: 2, duration: 8 h, trials: {rungs: [1, "
             "4], keep: 1/2, metric: " +
             file.path() + "}}");
    CHECK_FALSE(is_random(scenario));
    CHECK(load_workload(scenario, 1).end ==
          std::vector{JobEnd::stopped, JobEnd::completed, JobEnd::completed});
    CHECK(is_random(read("{name: t, gpus: 1, array: 2, duration: 8 h, trials: {early: {share: 1/2, "
                         "at: 60 %}}}")));
}

TEST_CASE("a stopped trial has ended as those that wait for it under afterok need it") {
    Scenario scenario = read("{name: t, gpus: 1, array: 9, duration: 9 h, trials: {rungs: [1, 9], "
                             "keep: 1/3}}, {name: r, gpus: 1, duration: 1 h, after: t}");
    scenario.dependencies = DependencyRule::afterok;
    const Compiled out = compiled(scenario);
    CHECK(out.notes.warnings.empty());
    CHECK(out.plan.dependents.size() == 9 * 3 + 12);
    CHECK(std::ranges::count(out.plan.end, JobEnd::stopped) == 6);
}

TEST_CASE("every leaf of random trials in random worlds adds up, and lost.stopped is their work") {
    CHECK(check_property([] {
        std::string list;
        for (std::int64_t e = 0; e < drawn::in_range(1, 4); ++e) {
            const std::string method =
                drawn::one_of(fmt::format("rungs: [1, {}, {}], keep: {}",
                                          drawn::in_range(2, 5),
                                          drawn::in_range(5, 12),
                                          drawn::one_of("1/3", "1/2", "30 %")),
                              fmt::format("plateau: {{patience: {}, min_delta: 0.0{}}}",
                                          drawn::in_range(1, 4),
                                          drawn::in_range(1, 9)),
                              fmt::format("early: {{share: 1/{}, at: {} %}}",
                                          drawn::in_range(2, 7),
                                          drawn::in_range(1, 100)));
            const std::string smoke = drawn::boolean()
                                          ? fmt::format(", smoke: {{duration: 2 min, fail: 0.{}}}",
                                                        drawn::in_range(0, 10))
                                          : std::string{};
            list += fmt::format("{}{{name: t{}, gpus: {}, submit: {} min, array: {}, duration: {} "
                                "min, trials: {{{}{}}}}}",
                                list.empty() ? "" : ", ",
                                e,
                                drawn::one_of(1, 2, 8),
                                drawn::in_range(0, 60),
                                drawn::in_range(1, 15),
                                drawn::in_range(1, 300),
                                method,
                                smoke);
        }
        const std::string classes =
            fmt::format("  classes: [{{startup: {} s, checkpoint: {}}}]\n",
                        drawn::in_range(0, 90),
                        drawn::one_of("none", "{every: 20 min, save: 10 s}"));
        const std::string fleet =
            "fleet: [{pool: p, purchase: owned, gpu: H100, nodes: 2, gpus_per_node: 8, price: 2 "
            "USD/gpu-h" +
            std::string{drawn::boolean() ? ", failures: {per_node_day: 8, repair: 30 min}" : ""} +
            "}]\n";
        Compiled out = compiled(read(list, classes + fleet), drawn::bits());
        if (drawn::boolean())
            out.plan.until = drawn::in_range(1, 600) * minute;
        const PolicyChoice choice{"srtf", HeadRule::skip, "nodes", "consolidated"};
        Workspace workspace;
        const Run run =
            simulate(out.plan, order_for(out.plan, choice), choice, Record::jobs, workspace);
        SlotTime booked;
        SlotTime stopped;
        for (std::uint32_t tenant = 0; tenant <= run.outcome.num_tenants; ++tenant) {
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                const SlotTime cell = run.outcome.cell(0, tenant, static_cast<Leaf>(leaf));
                RC_ASSERT(cell >= SlotTime{0});
                booked += cell;
            }
            stopped += run.outcome.cell(0, tenant, Leaf::lost_stopped);
        }
        RC_ASSERT(booked == slot_time(16 * slots_per_gpu, run.outcome.end));
        SlotTime expected;
        for (std::size_t job = 0; job < out.plan.num_jobs(); ++job)
            if (run.jobs.phase[job] == JobPhase::finished && out.plan.end[job] == JobEnd::stopped)
                expected += slot_time(out.plan.shapes[out.plan.shape[job]].slots(),
                                      Duration{out.plan.work_ms[job]});
        RC_ASSERT(stopped == expected);
    }));
}

} // namespace bursar::trials_test
