#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/plan/check_plan.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

// Two pools of one GPU. On V100 jobs a and b work at 0.75 and 0.5 of their speed beside each other,
// and two jobs a at 0.9; on H100, where they are twice as fast alone, no pair was measured.
namespace bursar::shared_gpus_test {
namespace {

using test::contains;

std::shared_ptr<const ThroughputTable> throughputs() {
    auto table = std::make_shared<ThroughputTable>("pairs.json");
    for (const char* type : {"a", "b", "c"})
        for (const std::uint32_t gpus : {1U, 2U}) {
            table->add(type, "V100-SXM2-16GB", gpus, 8);
            table->add(type, "H100-SXM5-80GB", gpus, 16);
        }
    table->add_shared("a", "b", "V100-SXM2-16GB", 1, 6, 4);
    table->add_shared("a", "a", "V100-SXM2-16GB", 1, 7.2, 7.2);
    table->add_shared("b", "c", "V100-SXM2-16GB", 1, 0, 0); // they do not run together
    return table;
}

Compiled compiled(const std::string& jobs, const std::string& classes = "{startup: 2 s}") {
    const std::string text = fmt::format(
        "bursar: 1\nworkload:\n  gpu: V100\n  jobs: [{}]\n  classes: [{}]\nfleet:\n- {{pool: "
        "v, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 1, cpu: 4, price: 1 "
        "USD/gpu-h}}\n- {{pool: h, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 1, "
        "price: 1 USD/gpu-h}}\npolicy: {{capacity: count}}\n",
        jobs,
        classes);
    Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    scenario.run_times.measured = throughputs();
    scenario.policy.allocator = "fifo-perf";
    scenario.policy.allocator_options.set("packing", {1});
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    CHECK(check_plan(out.plan) == std::nullopt);
    return out;
}

const std::string three_jobs = "{name: a, gpus: 1, duration: 1 h}, {name: b, gpus: 1, duration: 1 "
                               "h}, {name: c, gpus: 1, duration: 1 h}";

} // namespace

TEST_CASE("jobs whose types were measured together may share GPUs") {
    const Compiled out = compiled(three_jobs);
    const Plan& plan = out.plan;
    REQUIRE(plan.pairs.size() == 3); // a with a, a with b, b with a
    const PlanView view = view_of(plan);
    const PlanPair* const pair = view.pair_of(JobId{0}, JobId{1});
    REQUIRE(pair != nullptr);
    CHECK(view.pair_of(JobId{1}, JobId{1}) == nullptr);
    CHECK(view.pair_of(JobId{1}, JobId{2}) == nullptr);
    CHECK(pair->pools == 1); // V100 alone
    const PlanSpeed& beside = view.speed(plan.classes[pair->paired_class].speed_row, PoolId{0}, 0);
    CHECK(beside.speed == reference_speed * 3 / 4);
    CHECK(beside.stalled_slots[static_cast<std::size_t>(Stall::interference)] == 125);
    CHECK(plan.shapes[pair->shape].slots() == 500);
    CHECK(plan.classes[pair->paired_class].startup == 2 * second);
    CHECK(contains(fmt::format("{}", fmt::join(out.notes.assumed, "; ")),
                   "packing: jobs whose types pairs.json has pairs of may share GPUs"));
    CHECK(plan.speed_of(0, 1)->speed == 2 * reference_speed); // alone, as without packing
}

TEST_CASE("jobs that save, clean up, or ask for CPU share no GPUs") {
    for (const char* other : {"checkpoint: {every: 10 min, save: 1 s}",
                              "checkpoint: none",
                              "teardown: 1 s",
                              "cpu: 2"}) {
        CAPTURE(other);
        const Compiled out = compiled(
            three_jobs, fmt::format("{{match: {{names: b}}, {}}}, {{startup: 2 s}}", other));
        CHECK(out.plan.pairs.size() == 1); // a with a
    }
}

TEST_CASE("a warning says that no jobs may share GPUs") {
    const Compiled out = compiled("{name: c, gpus: 1, duration: 1 h}");
    CHECK(out.plan.pairs.empty());
    CHECK(contains(fmt::format("{}", fmt::join(out.notes.warnings, "; ")),
                   "policy.allocator: packing has no effect (no two jobs that may share GPUs were "
                   "measured together in pairs.json)"));
}

} // namespace bursar::shared_gpus_test
