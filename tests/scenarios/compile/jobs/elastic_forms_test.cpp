#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/plan/check_plan.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::elastic_forms_test {
namespace {

using test::contains;

Compiled compiled(const std::string& jobs,
                  const std::string& job_class,
                  const std::string& allocator = "optimus",
                  const std::string& more_pools = "") {
    const std::string text =
        fmt::format("bursar: 1\nworkload:\n  jobs: [{}]\n  classes: [{{{}}}]\nfleet:\n- {{pool: "
                    "a, purchase: owned, gpu: H100, nodes: 2, gpus_per_node: 8, cpu: 64, price: 1 "
                    "USD/gpu-h, network: 3200 Gbit/s}}\n{}policy: {{capacity: count}}\n",
                    jobs,
                    job_class,
                    more_pools);
    Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    scenario.policy.allocator = allocator;
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    CHECK(check_plan(out.plan) == std::nullopt);
    return out;
}

std::string mistakes(const std::string& job_class) {
    try {
        compiled("{name: j, gpus: 2, duration: 1 h}", job_class);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::vector<std::uint32_t> gpus_of(const Plan& plan, std::size_t job) {
    const PlanClass& own = plan.classes[plan.job_class[job]];
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < own.num_forms; ++i)
        out.push_back(plan.shapes[plan.forms[own.form_begin + i].shape].gpus);
    return out;
}

} // namespace

TEST_CASE("an elastic job has a form for each number of GPUs that some pool has") {
    const Compiled out = compiled("{name: j, gpus: 4, duration: 1 h}",
                                  "cpu: 2, elastic: {gpus: 2..64, step: powers, rescale: 9 s, "
                                  "speedup: {amdahl: 0.9}}, startup: 5 s");
    CHECK(gpus_of(out.plan, 0) == std::vector<std::uint32_t>{2, 4, 8, 16});
    const PlanClass& own = out.plan.classes[out.plan.job_class[0]];
    CHECK(own.rescale == 9 * second);
    for (const PlanForm& form : out.plan.forms) {
        const JobShape& shape = out.plan.shapes[form.shape];
        CHECK(shape.cpu_milli == 2000 * shape.gpus);
        CHECK(out.plan.classes[form.job_class].startup == 5 * second);
        // Amdahl's speedup against that of 4 GPUs, and what it leaves of each GPU.
        const auto speedup = [](double gpus) { return 1 / (0.1 + 0.9 / gpus); };
        const PlanSpeed& speed = *out.plan.speed_by_class(form.job_class, 0, 0);
        CHECK(static_cast<double>(speed.speed) / reference_speed ==
              doctest::Approx(speedup(shape.gpus) / speedup(4)).epsilon(1e-5));
        const double useful = speedup(shape.gpus) / speedup(2) * 2;
        CHECK(static_cast<double>(shape.slots() - speed.all_stalled_slots()) / slots_per_gpu ==
              doctest::Approx(useful).epsilon(1e-3));
        CHECK(speed.stalled_slots[static_cast<std::size_t>(Stall::communication)] ==
              speed.all_stalled_slots());
    }
}

TEST_CASE("a table of speedups is on straight lines between its numbers") {
    const Compiled out = compiled("{name: j, gpus: 1, duration: 1 h}",
                                  "elastic: {gpus: 1..3, speedup: {1: 1, 3: 2}}, restart: 8 s");
    const Plan& plan = out.plan;
    CHECK(gpus_of(plan, 0) == std::vector<std::uint32_t>{1, 2, 3});
    CHECK(plan.speed_by_class(plan.forms[1].job_class, 0, 0)->speed == reference_speed * 3 / 2);
    CHECK(plan.speed_by_class(plan.forms[2].job_class, 0, 0)->speed == reference_speed * 2);
    CHECK(plan.classes[plan.job_class[0]].rescale == 8 * second); // as a restart
}

TEST_CASE("a model gives each number of GPUs the speed that a rigid job has with it") {
    const std::string model = "model: llama-3-8b, batch: 512 samples, steps: 100, parallelism: "
                              "{tensor: 2, sharding: zero1}";
    const Compiled rigid = compiled("{name: j, gpus: 4}, {name: k, gpus: 16}", model, "none");
    const Compiled elastic =
        compiled("{name: j, gpus: 4}", model + ", elastic: {gpus: 4..16, step: powers}");
    const Plan& plan = elastic.plan;
    REQUIRE(gpus_of(plan, 0) == std::vector<std::uint32_t>{4, 8, 16});
    CHECK(plan.work_ms[0] == rigid.plan.work_ms[0]);
    const PlanSpeed& wide = *plan.speed_by_class(plan.forms[2].job_class, 0, 0);
    CHECK(static_cast<double>(wide.speed) / reference_speed ==
          doctest::Approx(static_cast<double>(rigid.plan.work_ms[0]) /
                          static_cast<double>(rigid.plan.work_ms[1]))
              .epsilon(1e-5));
    CHECK(wide.all_stalled_slots() == rigid.plan.speed_of(1, 0)->all_stalled_slots());
}

TEST_CASE(
    "jobs of sizes that are not named stay rigid, and elastic needs an allocator that resizes") {
    const std::string elastic = "elastic: {gpus: 1..8, step: powers, speedup: {amdahl: 0.9}}";
    const auto warnings = [](const Compiled& out) {
        return fmt::format("{}", fmt::join(out.notes.warnings, "\n"));
    };
    const Compiled odd =
        compiled("{name: j, gpus: 3, duration: 1 h}, {name: k, gpus: 4, duration: 1 h}", elastic);
    CHECK(gpus_of(odd.plan, 0).empty());
    CHECK(gpus_of(odd.plan, 1).size() == 4);
    CHECK(contains(warnings(odd), "1 job is not elastic: it asks"));
    const Compiled queued = compiled("{name: j, gpus: 4, duration: 1 h}", elastic, "none");
    CHECK(contains(warnings(queued), "allocator none gives jobs the GPUs that they ask for"));
    Workspace workspace;
    const PolicyChoice choice{.queue = "sjf", .capacity = "count"};
    CHECK(simulate(queued.plan, order_for(queued.plan, choice), choice, Record::jobs, workspace)
              .jobs.finish_ms[0] == 3'600'000);
}

TEST_CASE("a form has the pools that hold it; the asked one keeps its own") {
    const Compiled out = compiled("{name: j, gpus: 16, duration: 1 h}",
                                  "elastic: {gpus: 8..16, step: powers, speedup: {amdahl: 0.9}}",
                                  "optimus",
                                  "- {pool: b, purchase: owned, gpu: A100, nodes: 1, "
                                  "gpus_per_node: 8, price: 1 USD/gpu-h}\n");
    REQUIRE(gpus_of(out.plan, 0) == std::vector<std::uint32_t>{8, 16});
    CHECK(out.plan.shapes[out.plan.forms[0].shape].permitted_pools == 3);
    CHECK(out.plan.forms[1].shape == out.plan.shape[0]);
}

TEST_CASE("mistakes of elastic classes") {
    CHECK(contains(mistakes("elastic: {gpus: 1..8}"), "no `speedup`"));
    CHECK(contains(mistakes("elastic: {gpus: 2, speedup: {amdahl: 0.9}}"), "1 number of GPUs"));
    CHECK(contains(mistakes("elastic: {gpus: 1.., speedup: {amdahl: 0.9}}"), "out of range"));
    CHECK(contains(mistakes("elastic: {gpus: 1..100, speedup: {amdahl: 0.9}}"), "100 numbers"));
    CHECK(contains(mistakes("elastic: {gpus: 1..8, speedup: {2: 1, 8: 4}}"), "does not reach"));
    CHECK(contains(mistakes("elastic: {gpus: 1..8, speedup: {one: 1, 8: 4}}"), "no number"));
    CHECK(contains(mistakes("elastic: {gpus: 1..8, speedup: {amdahl: 0.9, 8: 4}}"), "beside"));
    CHECK(contains(mistakes("elastic: {gpus: 1..8, moldable: yes, rescale: 1 s, speedup: {amdahl: "
                            "0.9}}"),
                   "no effect with moldable"));
    CHECK(contains(mistakes("model: llama-3-8b, batch: 512 samples, steps: 1, elastic: {gpus: "
                            "1..8, speedup: {amdahl: 0.9}}"),
                   "cannot be combined with model"));
}

} // namespace bursar::elastic_forms_test
