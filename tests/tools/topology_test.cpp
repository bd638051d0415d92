// Topologies through the command line: drawings, and one gang computed by hand.

#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::topology_test {
namespace {

/// Four nodes of two GPUs in two racks. Two jobs of one GPU hold half of nodes 0 and 1 for an hour.
/// A gang of two comes later, which runs twice as long across nodes and four times as long across
/// racks.
const std::string gang = R"(bursar: 1
workload:
  jobs:
    - {name: left, gpus: 1, duration: 1 h}
    - {name: fill, gpus: 1, duration: 1 min}
    - {name: right, gpus: 1, duration: 1 h}
    - {name: rest, gpus: 4, submit: 1 s, duration: 1 h}
    - {name: gang, gpus: 2, submit: 2 min, duration: 30 min}
  classes:
    - {match: {names: gang}, LOCALITY slowdown: {rack: 2, fabric: 4}}
    - {startup: 0 s}
fleet:
  - {pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 2, price: 1 USD/gpu-h,
     topology: {rack: 2 nodes}}
policy: {queue: fifo, placement: first-fit}
)";

nlohmann::json summary_of(const std::string& locality) {
    std::string text = gang;
    text.replace(text.find("LOCALITY"), 8, locality);
    const TemporaryFolder folder;
    const Answer answer = bursar({"run", folder.write("s.yaml", text), "--format", "json"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

} // namespace

TEST_CASE("one gang on a small topology by hand: it may spread, or has to wait") {
    // From 1 min on one GPU is free on node 0 and on node 1, and `rest` holds the others: left and
    // fill are on node 0, right on node 1 beside the free GPU, rest on nodes 2 and 3. The gang
    // needs two GPUs of one node: 58 min until left and right end.
    const nlohmann::json summary = summary_of("");
    const nlohmann::json& placement = summary["metrics"]["placement"];
    CHECK(placement["wait_job_hours"] == doctest::Approx(58.0 / 60).epsilon(1e-6));
    CHECK(placement["wait_gpu_hours"] == doctest::Approx(2 * 58.0 / 60).epsilon(1e-6));
    // It runs 30 min on one node; across racks it would have taken 2 h: 1.5 h of two GPUs gained.
    CHECK(placement["gained_gpu_hours"] == 3.0);
    CHECK(placement["lost_gpu_hours"] == 0.0);
}

TEST_CASE("a level that no node has is refused at its key, before any run") {
    const TemporaryFolder folder;
    std::string text = gang;
    text.replace(text.find("LOCALITY"), 8, "locality: {require: pod},");
    const std::string file = folder.write("s.yaml", text);
    const Answer answer = bursar({"run", file, "--out", folder.file("out")});
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(has(answer.err,
              file + ":10:50: workload.classes[0].locality.require: no pool has a level \"pod\""));
    CHECK(!std::filesystem::exists(folder.file("out")));
}

TEST_CASE("levels with the same groups in a smaller fleet can be compared with a larger one") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", R"(bursar: 1
workload:
  jobs: [{name: gang, gpus: 2, duration: 1 h}]
  classes: [{slowdown: {rack: 1.25, fabric: 2}}]
fleet:
  - {pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h,
     topology: {rack: 2 nodes}}
)");
    const Answer answer =
        bursar({"compare", file, "--vary", "fleet.p.nodes=1,2", "--format", "json"});
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    // A node holds the gang in both: it runs for its hour.
    const Answer one = bursar({"run", file, "--format", "json"});
    REQUIRE(one.code == 0);
    CHECK(nlohmann::json::parse(one.out)["metrics"]["jct_s"]["mean"] == 3600.0);
}

TEST_CASE("check prints the cost of each level for a gang") {
    const TemporaryFolder folder;
    const std::string slow =
        bursar({"check",
                folder.write("s.yaml",
                             [] {
                                 std::string text = gang;
                                 return text.replace(text.find("LOCALITY"), 8, "");
                             }())})
            .out;
    CHECK(has(slow,
              "levels\n"
              "  2 GPUs on p, e.g. job gang\n"
              "    node        1 x the run time\n"
              "    rack        2 x the run time\n"
              "    fabric      4 x the run time\n"));
    const std::string mixed = bursar({"check", folder.write("m.yaml", R"(bursar: 1
workload:
  jobs: [{name: j, gpus: 2, duration: 1 h}]
  classes: [{slowdown: {rack: 1.5, fabric: 2}}]
fleet:
  - {pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 2, price: 1 USD/gpu-h,
     topology: {rack: 2 nodes}}
  - {pool: q, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 2, price: 1 USD/gpu-h}
)")})
                                  .out;
    CHECK(has(mixed,
              "  2 GPUs on q, e.g. job j\n"
              "    node        1 x the run time\n"
              "    rack, fabric 2 x the run time\n")); // q has no racks
    const std::string trained = bursar({"check", folder.write("t.yaml", R"(bursar: 1
workload:
  jobs: [{name: j, gpus: 16}]
  classes: [{model: gpt-1.3b, steps: 100, batch: 64 samples, sequence: 1024 tokens}]
fleet:
  - {pool: a, purchase: owned, gpu: A100-SXM4-80GB, nodes: 8, gpus_per_node: 8, price: 1 USD/gpu-h,
     topology: {rack: 4 nodes, rack_link: 8:1}}
)")})
                                    .out;
    CHECK(has(trained, "levels\n  16 GPUs on a, e.g. job j\n    rack        "));
    CHECK(has(trained, " s a step\n    fabric      "));
}

TEST_CASE("catalog topology lists, draws names, pools and files") {
    const Answer list = bursar({"catalog", "topology"});
    CHECK(list.code == 0);
    for (const char* name :
         {"dgx-h100", "fat-tree-2to1", "roce-3-tier", "pcie-only", "nvl72", "torus-3d"}) {
        CAPTURE(name);
        CHECK(has(list.out, name));
        const TemporaryFolder folder;
        const Answer drawn = bursar({"catalog", "topology", name, "--svg", folder.file("f.svg")});
        CHECK(drawn.code == 0);
        CHECK(drawn.out.starts_with("fabric "));
        CHECK(has(drawn.out, "gpu "));
        CHECK(read_file(folder.file("f.svg")).starts_with("<svg "));
    }
    const TemporaryFolder folder;
    std::string text = gang;
    text.replace(text.find("LOCALITY"), 8, "");
    const Answer pool = bursar({"catalog", "topology", folder.write("s.yaml", text)});
    CHECK(pool.code == 0);
    CHECK(has(pool.out, "`- 2 x rack"));
    const std::string fabric = folder.write("f.yaml",
                                            "bursar-fabric: 1\n"
                                            "devices: {gpu: 'node[0..1]/gpu[0..3]', switch: top}\n"
                                            "links: [{from: 'node[n]/gpu[g]', to: top, bandwidth: "
                                            "12 GB/s}]\n");
    const Answer file = bursar({"catalog", "topology", fabric, "--format", "csv"});
    CHECK(file.code == 0);
    CHECK(has(file.out, "fabric,1,8,network,1.2e+10"));
}

TEST_CASE("catalog topology refuses what it cannot draw") {
    const Answer unknown = bursar({"catalog", "topology", "dgx-h10"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "did you mean \"dgx-h100\"?"));
    const TemporaryFolder folder;
    std::string text = gang;
    text.replace(text.find("LOCALITY"), 8, "");
    const std::string file = folder.write("s.yaml", text);
    const Answer pool = bursar({"catalog", "topology", file, "--pool", "q"});
    CHECK(pool.code == 2);
    CHECK(has(pool.err, "no pool is named \"q\""));
    const Answer empty = bursar({"catalog", "topology", folder.write("e.yaml", "# nothing\n")});
    CHECK(empty.code == 2);
    CHECK(has(empty.err,
              "e.yaml: the file is empty (expected a fabric, which begins with "
              "\"bursar-fabric: 1\", or a scenario, which begins with \"bursar: 1\")"));
}

TEST_CASE("catalog topology refuses options without effect") {
    const TemporaryFolder folder;
    const std::string fabric =
        folder.write("f.yaml",
                     "bursar-fabric: 1\n"
                     "devices: {gpu: 'node[0]/gpu[0..3]'}\n"
                     "links: [{from: 'node[n]/gpu[g]', to: 'node[n]/gpu[h]', "
                     "bandwidth: 12 GB/s}]\n");
    const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
        const Answer answer = bursar(arguments);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK_MESSAGE(has(answer.err, why), answer.err);
    };
    refused({"catalog", "topology", "--svg", folder.file("f.svg")},
            "--svg: draws one topology (without WHAT the known topologies are listed)");
    CHECK(!std::filesystem::exists(folder.file("f.svg")));
    refused({"catalog", "topology", fabric, "--pool", "x"},
            "--pool: chooses a pool of a scenario (" + fabric + " is a fabric file)");
    refused({"catalog", "topology", "nvl72", "--pool", "x"},
            "--pool: chooses a pool of a scenario (nvl72 is a name of the catalogue)");
    refused({"catalog", "topology", fabric, "--set", "a=1"}, "--set: changes a scenario");
    CHECK(bursar({"catalog", "topology", fabric}).code == 0);
}

} // namespace bursar::test::topology_test
