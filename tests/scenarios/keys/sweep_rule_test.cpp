#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::sweep_rule_test {
namespace {

using Texts = std::vector<std::string>;

const std::string base = "bursar: 1\n"
                         "workload:\n"
                         "  trace: {file: jobs.csv}\n"
                         "fleet:\n"
                         "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 60, "
                         "gpus_per_node: 8, price: 1 USD/gpu-h}\n";

Scenario read(const std::string& sweep, const std::vector<Override>& sets = {}) {
    static const Catalogue catalogue = builtin_catalogue();
    return read_scenario_text(base + sweep, "dir/s.yaml", sets, test::known_names(), catalogue);
}

std::string mistakes(const std::string& sweep) {
    try {
        static_cast<void>(read(sweep));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("paths are axes in the order of writing, values keep their place") {
    const Scenario scenario = read("sweep:\n"
                                   "  policy.queue: [fifo, {name: las, by: time}, \"a b\"]\n"
                                   "  fleet.p.nodes: [30..40:5, 0..16]\n"
                                   "  until: 5 d\n"
                                   "  seeds: 3\n");
    REQUIRE(scenario.sweep);
    REQUIRE(scenario.sweep->axes.size() == 3);
    const Axis& queue = scenario.sweep->axes[0];
    CHECK(queue.path == "policy.queue");
    CHECK(queue.values == Texts{"fifo", "{name: las, by: time}", "\"a b\""});
    CHECK(queue.origins[1] == "dir/s.yaml:7:24");
    CHECK(scenario.sweep->axes[1].values == Texts{"30", "35", "40", "0..16"});
    CHECK(scenario.sweep->axes[2].values == Texts{"5 d"});
    CHECK(scenario.sweep->num_seeds == 3);
}

TEST_CASE("a sweep is not part of the scenario's hash") {
    CHECK(read("").hash == read("sweep: {policy.queue: [fifo, sjf]}\n").hash);
    CHECK(!read("").sweep);
}

TEST_CASE("zip, list and draw are axes of several paths") {
    const Scenario scenario =
        read("sweep:\n"
             "  zip: {fleet.p.nodes: 1..3:1, policy.head: [block, skip, block]}\n"
             "  list:\n"
             "    - {policy.queue: fifo, until: 1 d}\n"
             "    - {until: 2 d, policy.queue: sjf}\n"
             "  draw: {points: 4, over: {fleet.p.gpus_per_node: 1..8, name: [a, b]}}\n"
             "  seeds: [7, 9]\n"
             "  max_scenarios: 100\n");
    REQUIRE(scenario.sweep->axes.size() == 3);
    const VariantGrid grid{scenario.sweep->axes};
    CHECK(grid.size() == 3 * 2 * 4);
    const Variant last = grid.at(23);
    REQUIRE(last.sets.size() == 6);
    CHECK(last.sets[0].value == "3");
    CHECK(last.sets[1].path == "policy.head");
    CHECK(last.sets[2].value == "sjf");
    CHECK(last.sets[3].path == "until");
    CHECK(last.sets[3].value == "2 d");
    CHECK(scenario.sweep->seeds == std::vector<std::uint64_t>{7, 9});
    CHECK(scenario.sweep->max_scenarios == 100);
}

TEST_CASE("values of a sweep are read where they are written") {
    const Scenario scenario = read("sweep: {fleet.p.nodes: [1, many]}\n");
    const std::vector<Override> sets = VariantGrid{scenario.sweep->axes}.at(1).sets;
    CHECK_THROWS_WITH_AS(static_cast<void>(read("", sets)),
                         doctest::Contains("dir/s.yaml:6:28: fleet.p.nodes: "),
                         ScenarioError);
}

TEST_CASE("a mistake in a sweep is reported at its place") {
    const std::string at = "dir/s.yaml:6:9: ";
    CHECK(mistakes("sweep: {sedes: 3}\n") ==
          at + "sweep.sedes: unknown key (neither a key of `sweep` nor a path such as "
               "fleet.POOL.nodes); did you mean \"seeds\"?");
    CHECK(mistakes("sweep: {flet.p.nodes: [1, 2]}\n") ==
          at + "sweep.\"flet.p.nodes\": unknown key (neither a key of `sweep` nor a path such as "
               "fleet.POOL.nodes); did you mean \"fleet\"?");
    CHECK(mistakes("sweep: {until: []}\n") ==
          "dir/s.yaml:6:16: sweep.until: the list is too short (at least 1)");
    CHECK(mistakes("sweep: {until: 5..1:1}\n") ==
          "dir/s.yaml:6:16: sweep.until: \"5..1:1\" has no values (it ends before it begins)");
    CHECK(mistakes("sweep: {zip: {until: [1 d, 2 d], name: [x]}}\n") ==
          "dir/s.yaml:6:40: sweep.zip.name: 1 values, where until has 2 (paths that change "
          "together have equally many)");
    CHECK(mistakes("sweep: {list: [{until: 1 d}, {name: x}]}\n") ==
          "dir/s.yaml:6:31: sweep.list.x.name: is not in the first point (all points of a list "
          "give the same paths)");
    CHECK(mistakes("sweep: {list: [{until: 1 d, name: x}, {until: 2 d}]}\n") ==
          "dir/s.yaml:6:39: sweep.list[1]: \"name\" is missing (all points of a list give the same "
          "paths)");
    CHECK(mistakes("sweep: {draw: {points: 4, over: {until: x}}}\n") ==
          "dir/s.yaml:6:41: sweep.draw.over.until: \"x\" is not a range to draw from (such as "
          "10..40 or 0.2..0.4 USD/gpu-h, or a list of values)");
    CHECK(mistakes("sweep: {seeds: [1, 2, 1]}\n") ==
          "dir/s.yaml:6:16: sweep.seeds: seed 1 comes twice");
    CHECK(mistakes("sweep: 5\n").starts_with("dir/s.yaml:6:8: sweep: expected a mapping of paths"));
}

} // namespace bursar::sweep_rule_test
