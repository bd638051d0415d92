#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/stragglers.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/compile/made_scenario.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::stragglers_test {
namespace {

using test::contains;

Scenario read(const std::string& keys,
              std::uint64_t seed = 3,
              const std::string& nodes = "500",
              const std::string& policy = "{}") {
    Scenario scenario =
        read_scenario_text("bursar: 1\n"
                           "workload:\n"
                           "  jobs: [{name: a, gpus: 1, duration: 1 h, count: 3, every: 1 s}]\n"
                           "fleet:\n"
                           "  - {pool: a, purchase: on_demand, gpu: H100, nodes: " +
                               nodes +
                               ",\n"
                               "     gpus_per_node: 8, price: 1 USD/gpu-h" +
                               keys +
                               "}\n"
                               "  - {pool: b, purchase: owned, gpu: H100, nodes: 2,\n"
                               "     gpus_per_node: 8, price: 1 USD/gpu-h}\n"
                               "policy: " +
                               policy + "\n",
                           "s.yaml",
                           {},
                           test::known_names(),
                           builtin_catalogue());
    scenario.policy.seed = seed;
    return scenario;
}

const std::string some_slow = ", stragglers: {share: 0.2, slowdown: 1.25}";

Compiled compiled(const Scenario& scenario) {
    return compile(
        scenario, builtin_catalogue(), test::trace_of({{0, 3600, 8}, {5, 60, 1}, {9, 60, 8}}));
}

std::string mistake(const std::string& keys,
                    const std::string& policy = "{}",
                    const std::string& nodes = "500") {
    try {
        (void)read(keys, 3, nodes, policy);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("the share of slow nodes is as declared, drawn by seed and node") {
    const Plan plan = compiled(read(some_slow)).plan;
    REQUIRE(plan.slow_nodes.size() == 502);
    CHECK(plan.slow_begin == std::vector<std::uint32_t>{0, 500});
    const auto num = std::count(plan.slow_nodes.begin(), plan.slow_nodes.begin() + 500, 1);
    CHECK(std::abs(num - 100) <= 27); // three standard deviations
    CHECK(plan.slow_nodes[500] + plan.slow_nodes[501] == 0);
    CHECK(compiled(read(some_slow, 4)).plan.slow_nodes != plan.slow_nodes);
    // Fewer nodes do not change the draws of others.
    const Plan fewer = compiled(read(some_slow, 3, "100")).plan;
    CHECK(std::equal(
        fewer.slow_nodes.begin(), fewer.slow_nodes.begin() + 100, plan.slow_nodes.begin()));
}

TEST_CASE("jobs of each gang size have a slow speed on pools with stragglers only") {
    const Compiled slow = compiled(read(some_slow));
    const Plan& plan = slow.plan;
    CHECK(plan.num_paces() == 2);
    CHECK(plan.job_class[0] == plan.job_class[2]);
    CHECK(plan.job_class[0] != plan.job_class[1]);
    CHECK(slow.scenario_class.size() == plan.classes.size());
    const auto sync = static_cast<std::size_t>(Stall::sync);
    for (const std::size_t job : {0U, 1U}) {
        CAPTURE(job);
        CHECK(plan.speed_of(job, 0, 0)->speed == reference_speed);
        CHECK(plan.speed_of(job, 0, 0)->all_stalled_slots() == 0);
        CHECK(plan.speed_of(job, 0, 1)->speed == reference_speed * 4 / 5);
        CHECK(plan.speed_of(job, 0, 1)->stalled_slots[sync] == (job == 0 ? 8 : 1) * 200);
        CHECK(plan.speed_of(job, 1, 1)->speed == reference_speed);
    }
    CHECK(std::ranges::any_of(slow.notes.assumed, [](const std::string& note) {
        return contains(note,
                        "nodes slow for the whole run: there, and in gangs with one, work takes "
                        "1.25 times as long");
    }));
}

TEST_CASE("existing stalls grow in proportion, and the rest waits for the slow node") {
    const PlanSpeed slow = with_slow_node({reference_speed, {0, 1000, 0, 500}, 7}, 8000, 2);
    CHECK(slow.speed == reference_speed / 2);
    CHECK(slow.stalled_slots[1] == 500);
    CHECK(slow.stalled_slots[3] == 250 + 4000);
    CHECK(8000 - slow.all_stalled_slots() == 6500 / 2);
    CHECK(slow.interval_ms == 7);
}

TEST_CASE("no node is slow without `stragglers`") {
    const Plan plan = compiled(read("")).plan;
    CHECK(plan.slow_nodes.empty());
    CHECK(plan.num_paces() == 1);
    CHECK(plan.speeds.empty());
}

TEST_CASE("stragglers need nodes that are always up") {
    CHECK(contains(mistake(some_slow, "{capacity: count}"),
                   "stragglers: needs nodes, and capacity is count"));
    CHECK(contains(mistake(some_slow, "{}", "0..4"),
                   "stragglers: only for a pool with a number of nodes"));
    CHECK(contains(mistake(", stragglers: {share: 0.1, slowdown: 1}"), "stragglers.slowdown"));
    CHECK(contains(mistake(", stragglers: {share: 1.1, slowdown: 2}"), "stragglers.share"));
}

} // namespace bursar::stragglers_test
