#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::most_nodes_test {
namespace {

/// Pools a and b, of up to four nodes of 8 GPUs each.
Scenario read(const std::string& keys_of_a, const std::string& top = {}) {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n  jobs:\n"
                              "    - {name: small, gpus: 8, duration: 1 h}\n"
                              "    - {name: large, gpus: 24, duration: 1 h}\n"
                              "fleet:\n"
                              "  - {pool: a, purchase: spot, gpu: H100, gpus_per_node: 8,\n"
                              "     price: 1 USD/gpu-h, " +
                                  keys_of_a + "}\n" + top,
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

constexpr const char* pool_b = "  - {pool: b, purchase: on_demand, gpu: H100, nodes: 2..4, "
                               "gpus_per_node: 8, price: 2 USD/gpu-h}\n";

const Trace three_nodes = test::trace_of({{0, 3600, 8}, {3600, 3600, 24}});

std::string refusal(const Scenario& scenario) {
    try {
        (void)compile(scenario, builtin_catalogue(), three_nodes);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::shared_ptr<const AvailabilityFile> file_of(std::vector<SupplyStep> steps) {
    return std::make_shared<const AvailabilityFile>(
        AvailabilityFile{SupplySeries{std::move(steps), 2 * day}, "f", "x", 0, false, {}});
}

std::vector<std::string> warnings_of(const Scenario& scenario) {
    std::vector<std::string> warnings =
        compile(scenario, builtin_catalogue(), three_nodes).notes.warnings;
    std::erase_if(warnings, [](const std::string& warning) {
        return warning.find("can never run") == std::string::npos;
    });
    return warnings;
}

} // namespace

TEST_CASE("a gang that a quota never allows its nodes can never run") {
    const std::string quota = "quotas: [{pools: a, nodes: 2}]\n";
    CHECK(refusal(read("nodes: 0..4", quota)) ==
          "s.yaml:5:7: workload.jobs[1]: a job of 24 GPUs can never run (of the 4 nodes of pool a, "
          "8 GPUs each, never more than 2 at a time: what quotas[0] leaves to it, s.yaml:9:10); a "
          "larger quota, or smaller gangs");
    CHECK(refusal(read("nodes: 0..4", "quotas: [{pools: a, nodes: 3}]\n")).empty());
}

TEST_CASE("always-on nodes of another pool count, and another pool may be enough") {
    const std::string both = std::string{pool_b} + "quotas: [{pools: [a, b], nodes: ";
    const std::string message = refusal(read("nodes: 0..4", both + "4}]\n"));
    CHECK(message.empty()); // b may have all four
    const std::string three = refusal(read("nodes: 0..4", both + "2}]\n"));
    CHECK(three.find("pool a, 8 GPUs each, never more than 0 at a time") != std::string::npos);
    CHECK(three.find("pool b, 8 GPUs each, never more than 2 at a time") != std::string::npos);
    CHECK(three.ends_with("); a larger quota, or smaller gangs")); // once for both
}

TEST_CASE("availability, provisioning and launches that are too small for a gang") {
    Scenario scenario = read("nodes: 0..4");
    scenario.fleet[0].availability.emplace();
    scenario.fleet[0].availability->place = {"s.yaml", 7, 3};
    scenario.fleet[0].availability->file = file_of({{0, 2}, {3'600'000, 1}});
    CHECK(refusal(scenario).find("never more than 2 at a time: as its availability, s.yaml:7:3)") !=
          std::string::npos);
    scenario.fleet[0].availability->all_or_none = true; // 1: all
    CHECK(refusal(scenario).empty());

    const std::string hours = "{queue: no, schedule: {hours: [{days: mon, nodes: ";
    const auto scheduled = [&](int nodes) {
        return refusal(
            read("nodes: 0..4, provisioning: " + hours + std::to_string(nodes) + "}]}}"));
    };
    CHECK(scheduled(2).find("its `provisioning` launches none for jobs that wait") !=
          std::string::npos);
    CHECK(scheduled(3).empty());

    const auto failing = [&](const char* share) {
        return refusal(read("nodes: 1..4, launch_failures: {share: " + std::string{share} + "}"));
    };
    CHECK(failing("1").find("never more than 1 at a time: what is launched later never comes up") !=
          std::string::npos);
    CHECK(failing("0.99").empty());
}

TEST_CASE("rows of a trace may be skipped, as other rows that no pool can hold") {
    Scenario scenario = read("nodes: 0..4", "quotas: [{pools: a, nodes: 2}]\n");
    TraceOptions options = *std::get<TraceWorkload>(test::scenario_of({}).workload);
    options.on_bad_row = OnBadRow::skip;
    scenario.workload = options;
    const Compiled compiled = compile(scenario, builtin_catalogue(), three_nodes);
    CHECK(compiled.plan.num_jobs() == 1);
    CHECK(warnings_of(scenario).size() == 1);
}

TEST_CASE("a job that this run never gives its nodes is a warning") {
    Scenario scenario = read("nodes: 0..4");
    scenario.fleet[0].availability.emplace();
    // Four nodes for half an hour only, and from the second day on.
    scenario.fleet[0].availability->file = file_of({{0, 4}, {1'800'000, 2}, {86'400'000, 4}});
    CHECK(warnings_of(scenario).empty());
    scenario.fleet[0].availability->from = hour;
    CHECK(warnings_of(scenario).empty());
    scenario.until = 10 * hour;
    REQUIRE(warnings_of(scenario).size() == 1);
    CHECK(warnings_of(scenario).front().find(
              "fleet.a.availability: a job can never run; the first is \"1\", of 24 GPUs (of the "
              "nodes of a, 8 GPUs each, no more than 2 can be had at a time in this run)") !=
          std::string::npos);
    scenario.until.reset();
    scenario.fleet[0].availability->from.reset();
    scenario.fleet[0].availability->file = file_of({{0, 4}, {1'800'000, 2}});
    REQUIRE(warnings_of(scenario).size() == 1); // later submits have two nodes for ever
    CHECK(warnings_of(scenario).front().find("from its submit on") != std::string::npos);
}

TEST_CASE("nodes that are always in maintenance do not count for a gang") {
    const std::string keys = "nodes: 4, maintenance: {first: 0 s, every: 1 d, length: 1 d, nodes: ";
    CHECK(warnings_of(read(keys + "2}", "until: 5 d\n")).size() == 1);
    CHECK(warnings_of(read(keys + "1}", "until: 5 d\n")).empty());
}

} // namespace bursar::most_nodes_test
