// Packing on 100 nodes against the simulator of Weng et al. (ATC 2023), through the command line.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::golden_packing_test {
namespace {

using Row = std::map<std::string, std::string>;

struct Shape {
    std::string model, cpu_milli, memory_mib;
    int gpus{};
    bool operator==(const Shape&) const = default;
};

/// The distinct shapes of the nodes, in the order of the file.
std::vector<Shape> shapes_of(const std::vector<Row>& nodes) {
    std::vector<Shape> shapes;
    for (const Row& node : nodes) {
        const Shape shape{node.at("model"),
                          node.at("cpu_milli"),
                          node.at("memory_mib"),
                          std::stoi(node.at("gpu"))};
        if (std::ranges::find(shapes, shape) == shapes.end())
            shapes.push_back(shape);
    }
    return shapes;
}

/// A pool for each shape; the trace constrains no GPU type, so one type stands for all.
std::string fleet_of(const std::vector<Row>& nodes) {
    std::string fleet;
    std::size_t number = 0;
    for (const Shape& shape : shapes_of(nodes)) {
        const auto count = std::ranges::count_if(
            nodes, [&](const Row& node) { return shapes_of({node}).front() == shape; });
        fleet += fmt::format("  - {{pool: p{}, purchase: owned, gpu: V100, price: 1 USD/gpu-h, "
                             "nodes: {}, gpus_per_node: {}, cpu: {}, memory: {} MiB}}\n",
                             number++,
                             count,
                             shape.gpus,
                             std::stoi(shape.cpu_milli) / 1000,
                             shape.memory_mib);
    }
    return fleet;
}

/// A pod stays on one node: gangs of 2 and of 8 GPUs may use the pools whose nodes have as many.
std::string classes_of(const std::vector<Row>& nodes) {
    std::string classes;
    for (const int gpus : {8, 2}) {
        std::vector<std::string> pools;
        const auto shapes = shapes_of(nodes);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (shapes[i].gpus >= gpus)
                pools.push_back(fmt::format("p{}", i));
        }
        classes += fmt::format(
            "    - {{match: {{gpus: {}..}}, pools: [{}]}}\n", gpus, fmt::join(pools, ", "));
    }
    return classes + "    - {}\n";
}

/// Thousandths of a GPU in use after the last pod's arrival. A pod that does not fit never will:
/// run times come from the deletion times, all of which are after the last arrival.
std::int64_t
allocated_milli(const std::string& policy, const std::string& pods, const std::string& nodes) {
    const TemporaryFolder folder;
    const std::string scenario = fmt::format(R"(
bursar: 1
workload:
  trace:
    file: {}
    format: csv
    columns: {{job: name, submit: creation_time, duration: deletion_time, gpus: num_gpu}}
  classes:
{}fleet:
{}policy: {{head: skip, broker: any, {}}}
until: 10290218 s
)",
                                             pods,
                                             classes_of(read_plain_csv(read_file(nodes))),
                                             fleet_of(read_plain_csv(read_file(nodes))),
                                             policy);
    const Answer answer =
        bursar({"run", folder.write("fgd.yaml", scenario), "--out", folder.file("out")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    std::map<std::string, std::int64_t> asked;
    for (const Row& pod : read_plain_csv(read_file(pods)))
        asked[pod.at("name")] = std::stoll(pod.at("num_gpu")) * std::stoll(pod.at("gpu_milli"));
    std::int64_t allocated = 0;
    for (const Row& job : read_plain_csv(read_file(folder.file("out/jobs.csv")))) {
        if (job.at("final_state") == "running")
            allocated += asked.at(job.at("job_id"));
    }
    return allocated;
}

} // namespace

TEST_CASE("golden packing: placements allocate as much as those of the FGD simulator") {
    const auto pods = shared_data("golden/fgd/small_pods.csv");
    const auto nodes = shared_data("golden/fgd/small_nodes.csv");
    if (!pods || !nodes)
        return;
    constexpr double all_milli = 488'000;
    const std::pair<const char*, double> cases[] = {
        {"placement: fgd", 472'020},
        {"placement: best-fit-decreasing", 461'190},
        {"placement: {name: dot-product, first: smallest, memory_weight: 0}", 0.937 * all_milli},
        {"placement: gpu-packing", 0.949 * all_milli},
        {"placement: gpu-clustering", 0.931 * all_milli}};
    for (const auto& [policy, expected] : cases) {
        CAPTURE(policy);
        const auto allocated =
            static_cast<double>(allocated_milli(policy, pods->string(), nodes->string()));
        CAPTURE(allocated);
        CHECK(std::abs(allocated - expected) / all_milli <= 0.005);
    }
}

} // namespace bursar::test::golden_packing_test
