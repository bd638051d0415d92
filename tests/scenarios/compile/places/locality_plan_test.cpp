#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::locality_plan_test {
namespace {

/// A scenario of one class and the given pools, one line each.
std::string scenario_text(const std::string& job_class,
                          const std::string& topology,
                          const std::string& more_pools = {}) {
    return "bursar: 1\n"
           "workload:\n"
           "  jobs: [{name: j, gpus: 16, duration: 100 s}, {name: k, gpus: 4, duration: 100 s}, "
           "{name: l, gpus: 1, duration: 100 s}]\n"
           "  classes: [{" +
           job_class +
           "}]\n"
           "fleet:\n"
           "  - {pool: a, purchase: owned, gpu: V100-SXM2-32GB, nodes: 8, gpus_per_node: 8, price: "
           "1 "
           "USD/gpu-h" +
           (topology.empty() ? "" : ", topology: " + topology) + "}\n" + more_pools;
}

Compiled compiled(const std::string& text) {
    const Catalogue catalogue = builtin_catalogue();
    const Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), catalogue);
    return compile(scenario, catalogue, load_workload(scenario, 1));
}

std::string error_of(const std::string& text) {
    try {
        compiled(text);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

/// Run time of a gang at each level over that at full speed, in thousandths.
std::vector<std::int64_t> slowdowns(const Compiled& out, std::uint32_t gpus, std::size_t pool = 0) {
    std::size_t job = 0;
    while (out.plan.gpus(job) != gpus)
        ++job;
    std::vector<std::int64_t> out_of_1000;
    for (std::size_t level = 0; level < out.plan.num_levels; ++level)
        out_of_1000.push_back(elapsed_ms(1000, out.plan.speed_of(job, pool, level)->speed));
    return out_of_1000;
}

const std::string racks = "{nvlink: 8, rack: 4 nodes, node_link: 100 Gbit/s, rack_link: 2:1}";

} // namespace

TEST_CASE("a scenario without locality has one level") {
    const Compiled plain = compiled(scenario_text("startup: 1 s", ""));
    CHECK(plain.plan.num_levels == 1);
    CHECK(plain.plan.node_group.empty());
    CHECK(plain.plan.speeds.empty());
    CHECK(plain.labels.levels.empty());
}

TEST_CASE("levels, groups and shapes follow from topology and locality") {
    const Compiled out =
        compiled(scenario_text("locality: {require: rack, prefer: nvlink}", racks));
    const Plan& plan = out.plan;
    REQUIRE(plan.num_levels == 3);
    CHECK(out.labels.levels == std::vector<std::string>{"node", "rack", "fabric"});
    CHECK(plan.level_begin == std::vector<std::uint32_t>{0, 8, 16});
    const std::vector<std::uint32_t> rack{plan.node_group.begin() + 8,
                                          plan.node_group.begin() + 16};
    CHECK(rack == std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1});
    for (const JobShape& shape : plan.shapes) {
        CHECK(shape.required_level == 1);
        CHECK(shape.preferred_level == 0);
    }
    CHECK(plan.speeds.empty()); // no slowdown, no model
}

TEST_CASE("a declared slowdown is a stall of the gang, from the narrowest level that can hold it") {
    const Compiled out =
        compiled(scenario_text("startup: 5 s, slowdown: {rack: 1.25, fabric: 2}", racks));
    const Plan& plan = out.plan;
    const auto speed = [&](std::size_t job, std::size_t level) {
        return plan.speed_of(job, 0, level);
    };
    const std::size_t large = plan.gpus(0) == 16 ? 0 : 1;
    const std::size_t small = 1 - large;
    CHECK(speed(small, 0)->speed == reference_speed);
    CHECK(speed(small, 0)->all_stalled_slots() == 0);
    CHECK(elapsed_ms(100'000, speed(small, 1)->speed) == 125'000);
    CHECK(elapsed_ms(100'000, speed(small, 2)->speed) == 200'000);
    CHECK(speed(small, 2)->stalled_slots[1] == 2000);              // half of four GPUs, stalled for
                                                                   // communication
    CHECK(elapsed_ms(100'000, speed(large, 0)->speed) == 125'000); // it needs a rack in any case
    REQUIRE(plan.gpus(2) == 1);
    CHECK(speed(2, 2)->speed == reference_speed); // a single GPU is never spread
    CHECK(plan.classes[plan.job_class[large]].startup == 5 * second);
}

using Slowdowns = std::vector<std::int64_t>;

TEST_CASE("if names mean the same groups, the narrowest one's slowdown counts") {
    const std::string factors = "slowdown: {rack: 1.25, fabric: 2}";
    const Compiled one_rack = compiled(scenario_text(factors, "{rack: 8 nodes}"));
    CHECK(one_rack.labels.levels == std::vector<std::string>{"node", "rack"});
    CHECK(slowdowns(one_rack, 4) == Slowdowns{1000, 1250});
    CHECK(slowdowns(one_rack, 16) == Slowdowns{1250, 1250});
    const Compiled no_rack_named =
        compiled(scenario_text("slowdown: {fabric: 2}", "{rack: 8 nodes}"));
    CHECK(slowdowns(no_rack_named, 16) == Slowdowns{1000, 1000});
    // Nodes of one NVLink domain are that domain: only links between domains of a node are slower.
    CHECK(slowdowns(compiled(scenario_text("slowdown: {node: 1.25}", "{nvlink: 8}")), 4) ==
          Slowdowns{1000, 1250});
    CHECK(slowdowns(compiled(scenario_text("slowdown: {node: 1.25}", "{nvlink: 4}")), 4) ==
          Slowdowns{1000, 1250, 1250});
    CHECK(slowdowns(compiled(scenario_text("slowdown: {node: 1, nvlink: 1.25}", "{nvlink: 8}")),
                    4) == Slowdowns{1250, 1250});
}

TEST_CASE("names may mean the same groups in one pool and not in another") {
    // b is one node, and c has no racks: b's node is its fabric, c's fabric is no rack.
    const std::string more =
        "  - {pool: b, purchase: owned, gpu: V100-SXM2-32GB, nodes: 1, gpus_per_node: 8, price: 1 "
        "USD/gpu-h}\n"
        "  - {pool: c, purchase: owned, gpu: V100-SXM2-32GB, nodes: 4, gpus_per_node: 8, price: 1 "
        "USD/gpu-h}\n"
        "  - {pool: d, purchase: owned, gpu: V100-SXM2-32GB, nodes: 4, gpus_per_node: 8, price: 1 "
        "USD/gpu-h, topology: {rack: 4 nodes}}\n";
    const Compiled out = compiled(scenario_text("slowdown: {rack: 1.25, fabric: 2}", racks, more));
    CHECK(out.labels.levels == std::vector<std::string>{"node", "rack", "fabric"});
    CHECK(slowdowns(out, 4, 0) == Slowdowns{1000, 1250, 2000});
    CHECK(slowdowns(out, 4, 1) == Slowdowns{1000, 1000, 1000});
    CHECK(slowdowns(out, 4, 2) == Slowdowns{1000, 2000, 2000});
    CHECK(slowdowns(out, 4, 3) == Slowdowns{1000, 1250, 1250});
    const Compiled only_rack = compiled(scenario_text("slowdown: {rack: 1.25}", racks, more));
    CHECK(slowdowns(only_rack, 4, 2) == Slowdowns{1000, 1250, 1250});
}

TEST_CASE("the fabric is the widest level, for any order of pools") {
    const std::string more =
        "  - {pool: b, purchase: owned, gpu: V100-SXM2-32GB, nodes: 4, gpus_per_node: 8, price: 1 "
        "USD/gpu-h, topology: {rack: 4 nodes}}\n";
    const Compiled out = compiled(scenario_text("slowdown: {rack: 1.25, fabric: 2}", "", more));
    CHECK(slowdowns(out, 16, 0).back() == 2000);
    CHECK(slowdowns(out, 16, 1).back() == 1250);
}

TEST_CASE("a preference wider than `require` is a mistake") {
    CHECK(error_of(scenario_text("locality: {require: rack, prefer: fabric}", racks)) ==
          "s.yaml:4:48: workload.classes[0].locality.prefer: \"fabric\" is wider than `require` "
          "(no gang spreads beyond \"rack\"); a narrower level, or require alone");
    // If the two are the same groups, the preference changes nothing.
    CHECK(error_of(scenario_text("locality: {require: rack, prefer: fabric}", "{rack: 8 nodes}"))
              .empty());
}

TEST_CASE("nodes with several domains become several nodes of a plan") {
    const Compiled out = compiled(scenario_text("locality: {prefer: nvlink}", "{nvlink: 4}"));
    CHECK(out.plan.pools[0].num_nodes == 16);
    CHECK(out.plan.pools[0].gpus_per_node == 4);
    CHECK(out.labels.levels == std::vector<std::string>{"nvlink", "node", "fabric"});
}

TEST_CASE("pools share one order of levels; a pool without a level uses the next wider one") {
    const std::string more =
        "  - {pool: b, purchase: owned, gpu: GB200, nodes: 36, gpus_per_node: 4, price: 1 "
        "USD/gpu-h, "
        "topology: nvl72}\n"
        "  - {pool: c, purchase: owned, gpu: T4, nodes: 4, gpus_per_node: 4, price: 1 USD/gpu-h}\n";
    const Compiled out = compiled(scenario_text("locality: {require: rack}", racks, more));
    const Plan& plan = out.plan;
    CHECK(out.labels.levels == std::vector<std::string>{"node", "nvlink", "rack", "fabric"});
    for (const JobShape& shape : plan.shapes)
        CHECK(shape.permitted_pools == 0b011); // c has no racks
    const std::uint32_t* rack_of_c = plan.node_group.data() + plan.level_begin[2 * 4 + 2];
    CHECK(std::vector<std::uint32_t>{rack_of_c, rack_of_c + 4} ==
          std::vector<std::uint32_t>{0, 0, 0, 0});
}

TEST_CASE("levels in opposite orders in two pools are a mistake") {
    const std::string more = "  - {pool: b, purchase: owned, gpu: GB200, nodes: 36, gpus_per_node: "
                             "4, price: 1 USD/gpu-h, "
                             "topology: nvl72}\n";
    const std::string error = error_of(scenario_text("startup: 1 s", "{nvlink: 4}", more));
    CHECK(error.find("fleet.b.topology: level") != std::string::npos);
    CHECK(error.find("rename one of them") != std::string::npos);
}

TEST_CASE("a level that no pool has, or that is too small, is reported at its key") {
    CHECK(error_of(scenario_text("locality: {require: rak}", racks)) ==
          "s.yaml:4:34: workload.classes[0].locality.require: no pool has a level \"rak\" (levels "
          "come from fleet[].topology); did you mean \"rack\"?");
    CHECK(error_of(scenario_text("slowdown: {pod: 2}", racks)).find("slowdown.pod: no pool has") !=
          std::string::npos);
    CHECK(
        error_of(scenario_text("locality: {require: node}", racks)) ==
        "s.yaml:3:10: workload.jobs[0]: a job of 16 GPUs can never run (its class requires level "
        "node, and the largest node of the pools it may use has 8 GPUs); a wider level, or smaller "
        "gangs");
    CHECK(error_of(scenario_text("slowdown: {rack: 2, fabric: 1.5}", racks))
              .find("slowdown.fabric: 1.5 is less than at a narrower level") != std::string::npos);
    CHECK(error_of(scenario_text("slowdown: {rack: 0.5}", racks)).find("slowdown.rack") !=
          std::string::npos);
    CHECK(error_of(scenario_text("startup: 1 s", "{nvlink: 3}")) ==
          "s.yaml:6:120: fleet.a.topology.nvlink: is 3; give a divisor or a multiple of the GPUs "
          "of a "
          "node");
    CHECK(error_of(scenario_text("startup: 1 s", "{rack_link: 2:1}"))
              .find("topology.rack_link: has no effect without rack") != std::string::npos);
    CHECK(error_of(scenario_text("startup: 1 s", "dgx-h10")).find("did you mean \"dgx-h100\"?") !=
          std::string::npos);
    CHECK(error_of(scenario_text("startup: 1 s", "{file: x.yaml, rack: 2 nodes}"))
              .find("topology.rack: cannot be combined with file") != std::string::npos);
}

TEST_CASE("training takes longer the wider its gang is spread") {
    const std::string train = "model: gpt-1.3b, steps: 100, batch: 64 samples, sequence: 1024 "
                              "tokens, recompute: full";
    const std::string jobs = "bursar: 1\nworkload:\n  jobs: [{name: j, gpus: 16}]\n  classes: [{" +
                             train +
                             "}]\nfleet:\n  - {pool: a, purchase: owned, gpu: "
                             "A100-SXM4-80GB, nodes: 8, gpus_per_node: 8, price: 1 USD/gpu-h";
    const Compiled flat = compiled(jobs + "}\n");
    const Compiled placed = compiled(jobs + ", topology: {rack: 4 nodes, rack_link: 8:1}}\n");
    CHECK(flat.plan.num_levels == 1);
    REQUIRE(placed.plan.num_levels == 3);
    CHECK(placed.plan.work_ms == flat.plan.work_ms); // in one rack the network is as without racks
    const auto speed = [&](std::size_t level) { return placed.plan.speed_of(0, 0, level)->speed; };
    CHECK(speed(0) == reference_speed); // it needs two nodes: as at its rack
    CHECK(speed(1) == reference_speed);
    CHECK(speed(2) < reference_speed);
    CHECK(placed.plan.speed_of(0, 0, 2)->stalled_slots[1] >
          placed.plan.speed_of(0, 0, 1)->stalled_slots[1]);
}

} // namespace bursar::locality_plan_test
