#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::job_worths_test {
namespace {

const Catalogue& catalogue() {
    static const Catalogue builtin = builtin_catalogue();
    return builtin;
}

/// Jobs a, b and c of 1, 2 and 4 GPUs for 1, 2 and 3 h, of tenants red, blue and red, one a minute.
/// `classes` and `policy` are YAML in braces and brackets.
std::string scenario_text(const std::string& classes,
                          const std::string& policy = "{queue: fifo}",
                          const std::string& shares = "{}") {
    return "bursar: 1\n"
           "workload:\n"
           "  jobs:\n"
           "    - {name: a, gpus: 1, duration: 1 h, tenant: red}\n"
           "    - {name: b, gpus: 2, duration: 2 h, tenant: blue, submit: 1 min}\n"
           "    - {name: c, gpus: 4, duration: 3 h, tenant: red, submit: 2 min}\n"
           "  classes: " +
           classes + "\n  shares: " + shares +
           "\n"
           "fleet:\n"
           "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 8,\n"
           "     price: 1 USD/gpu-h}\n"
           "policy: " +
           policy + "\n";
}

Plan plan_of_text(const std::string& text, const std::vector<std::int32_t>& priorities = {}) {
    KnownNames names = test::known_names();
    names.policies = policy_catalog();
    const Scenario scenario = read_scenario_text(text, "s.yaml", {}, names, catalogue());
    Trace trace = listed_trace(std::get<JobList>(scenario.workload), 1);
    trace.priority = priorities;
    return compile(scenario, catalogue(), trace).plan;
}

std::string mistakes(const std::string& text) {
    try {
        plan_of_text(text);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("classes without worth add no columns to the plan") {
    const Plan plan = plan_of_text(scenario_text("[{startup: 1 s}]"));
    CHECK(plan.priority.empty());
    CHECK(plan.deadline_ms.empty());
    CHECK(plan.value_nano_usd.empty());
    CHECK(plan.tenant_weight.empty());
}

TEST_CASE("a time between saves of a row is as long as the class's save is written") {
    const std::string text =
        scenario_text("[{checkpoint: {every: 10 min, mode: async, blocks: 1 s, size: 100 GB, "
                      "write: 1 GB/s}}]");
    KnownNames names = test::known_names();
    names.policies = policy_catalog();
    const Scenario scenario = read_scenario_text(text, "s.yaml", {}, names, catalogue());
    Trace trace = listed_trace(std::get<JobList>(scenario.workload), 1);
    trace.checkpoint_ms = {99'000, 0, 120'000};
    CHECK(compile(scenario, catalogue(), trace).plan.num_jobs() == 3);
    trace.checkpoint_ms[2] = 98'999;
    std::string error;
    try {
        compile(scenario, catalogue(), trace);
    } catch (const ScenarioError& refused) {
        error = refused.what();
    }
    CAPTURE(error);
    CHECK(error.find("its time between saves is too short") != std::string::npos);
    CHECK(error.find("at least 99 s") != std::string::npos);
}

TEST_CASE("names of classes are unique, and no numbers, which others have") {
    const auto complaint = [](const std::string& one, const std::string& other) {
        return mistakes(
            scenario_text("[{name: " + one + ", match: {gpus: 2..}}, {name: " + other + "}]"));
    };
    CHECK(complaint("a", "b").empty());
    CHECK(complaint("a", "1").find("classes.1.name: duplicate name (numbers are the names") !=
          std::string::npos);
    CHECK(complaint("a", "a").find("classes.a.name: duplicate name (names of classes are "
                                   "unique)") != std::string::npos);
}

TEST_CASE("class, deadline and time between saves of a row of the workload") {
    const std::string text = scenario_text("[{match: {classes: large}, deadline: 9 h, checkpoint: "
                                           "{when: on-notice, save: 1 s}}, {startup: 1 s}]",
                                           "{queue: edf}");
    KnownNames names = test::known_names();
    names.policies = policy_catalog();
    const Scenario scenario = read_scenario_text(text, "s.yaml", {}, names, catalogue());
    Trace trace = listed_trace(std::get<JobList>(scenario.workload), 1);
    trace.classes = {"", "large", "odd"};
    trace.job_class = {1, 2, 0};
    trace.due_after_ms = {1, 5'000, 0};
    trace.checkpoint_ms = {60'000, 60'000, 0};
    const Compiled compiled = compile(scenario, catalogue(), trace);
    const Plan& plan = compiled.plan;
    CHECK(plan.deadline_ms ==
          std::vector<std::int64_t>{9 * hour.count(), 60'000 + 5'000, no_deadline_ms});
    const auto class_of = [&](std::size_t job) { return plan.classes[plan.job_class[job]]; };
    CHECK(class_of(0).checkpoint == Checkpoint::every_on_notice);
    CHECK(class_of(0).interval == Duration{60'000});
    CHECK(class_of(1).checkpoint == Checkpoint::every_on_preempt);
    CHECK(class_of(1).interval == Duration{60'000});
    CHECK(class_of(1).startup == second);
    CHECK(class_of(2).checkpoint == Checkpoint::on_preempt);
    CHECK(compiled.scenario_class[plan.job_class[0]] == 0);
    CHECK(compiled.scenario_class[plan.job_class[1]] == 1);

    const auto warns = [&](const Scenario& of, const std::string& text_of_one) {
        const std::vector<std::string> warnings = compile(of, catalogue(), trace).notes.warnings;
        return std::ranges::any_of(warnings, [&](const std::string& warning) {
            return warning.find(text_of_one) != std::string::npos;
        });
    };
    const std::string tight =
        "s.yaml: workload.trace: a job cannot meet its deadline; the first is "
        "\"b\" (it needs 2 h on the fastest pool that it may use, and has 5 "
        "s)";
    trace.job_class = {2, 2, 0};
    CHECK(warns(scenario, "no job is of this class"));
    trace.due_after_ms = {0, 5'000, 0};
    Scenario without_classes = scenario;
    without_classes.classes.clear();
    CHECK(warns(without_classes, tight));
    without_classes.classes.resize(1); // without a deadline
    CHECK(warns(without_classes, tight));
}

TEST_CASE("priority, deadline and value of a class reach its jobs, and only those") {
    const Plan plan =
        plan_of_text(scenario_text("[{match: {names: a}, priority: -3, value: 12.5 USD},"
                                   " {match: {gpus: 4}, deadline: 4 h, value: 2 USD/gpu-h}, {}]"));
    CHECK(plan.priority == std::vector<std::int32_t>{-3, 0, 0});
    CHECK(plan.deadline_ms == std::vector<std::int64_t>{
                                  no_deadline_ms, no_deadline_ms, (2 * minute + 4 * hour).count()});
    // c: 4 GPUs for 3 h at 2 USD
    CHECK(plan.value_nano_usd == std::vector<std::int64_t>{12'500'000'000, 0, 24'000'000'000});
}

TEST_CASE("a class's priority overrides that of the workload") {
    const std::string classes = "[{match: {names: a}, priority: 5}, {}]";
    CHECK(plan_of_text(scenario_text(classes), {1, 2, 3}).priority ==
          std::vector<std::int32_t>{5, 2, 3});
    CHECK(plan_of_text(scenario_text("[{}]"), {1, -2, 3}).priority ==
          std::vector<std::int32_t>{1, -2, 3});
}

TEST_CASE("shares weigh tenants; the others weigh 1") {
    const Plan plan = plan_of_text(scenario_text("[{}]", "{queue: fair-share}", "{blue: 3}"));
    CHECK(plan.tenant_weight == std::vector<std::uint32_t>{1, 3}); // red came first
    CHECK(mistakes(scenario_text("[{}]", "{queue: drf}", "{rde: 2, blue: 1, green: 4}")) ==
          "s.yaml:8:17: workload.shares.rde: no job is of tenant \"rde\"; did you mean \"red\"?\n"
          "s.yaml:8:36: workload.shares.green: no job is of tenant \"green\"; one of: red, blue");
    CHECK(mistakes(scenario_text("[{}]", "{queue: drf}", "{red: 0}")) ==
          "s.yaml:8:17: workload.shares.red: 0 is too small (at least 1)");
}

TEST_CASE("an order by a property that no job has is a mistake at the order") {
    CHECK(mistakes(scenario_text("[{}]", "{queue: priority}")) ==
          "s.yaml:12:17: policy.queue: priority has no data to order by (no class gives its jobs a "
          "priority, nor does the workload); `priority: ...` in a class of workload.classes");
    CHECK(mistakes(scenario_text("[{priority: 1}]", "{queue: edf}")) ==
          "s.yaml:12:17: policy.queue: edf has no data to order by (no class gives its jobs a "
          "deadline, nor does the workload); `deadline: ...` in a class of workload.classes");
    CHECK(mistakes(scenario_text("[{deadline: 1 h}]", "{queue: value-density}")) ==
          "s.yaml:12:17: policy.queue: value-density has no data to order by (no class gives its "
          "jobs "
          "a value); `value: ...` in a class of workload.classes");
    CHECK(mistakes(scenario_text("[{match: {names: z}, deadline: 1 h}, {}]", "{queue: edf}")) ==
          "s.yaml:12:17: policy.queue: edf has no data to order by (no job is of a class that "
          "gives a "
          "deadline, nor does the workload); `deadline: ...` in a class of workload.classes");
    CHECK(mistakes(scenario_text("[{priority: 0}]", "{queue: priority}")).empty());
    CHECK(mistakes(scenario_text("[{value: 0 USD}]", "{queue: value-density}")).empty());
    CHECK(mistakes(scenario_text("[{}]", "{queue: multifactor}")).empty()); // it has other factors
}

TEST_CASE("impossible worth") {
    CHECK(mistakes(scenario_text("[{value: 1000000000 USD/gpu-h}]")) ==
          "s.yaml:7:13: workload.classes[0].value: a job would be worth more than 9e9 USD (4 GPUs "
          "for 3 h)");
    CHECK(mistakes(scenario_text("[{value: 5}]")).find("workload.classes[0].value") !=
          std::string::npos);
    CHECK(mistakes(scenario_text("[{priority: high}]")) ==
          "s.yaml:7:24: workload.classes[0].priority: \"high\" is not a whole number");
    CHECK(mistakes(scenario_text("[{deadline: 0 s}]")).find("workload.classes[0].deadline") !=
          std::string::npos);
}

} // namespace bursar::job_worths_test
