#include <doctest/doctest.h>

#include "models/training/job/fabric_cluster.hpp"

#include "tests/models/network/example_links.hpp"
#include "tests/models/topology/example_fabrics.hpp"

namespace bursar::fabric_cluster_test {
namespace {

using test::gb_s;

Gpu gpu_of(const char* name, double scaleup_gb_s) {
    Gpu gpu;
    gpu.name = name;
    gpu.scaleup_gb_s = scaleup_gb_s;
    gpu.links = example_links();
    gpu.servers = example_servers();
    return gpu;
}

/// A gang on a fabric, at the level of that name.
Cluster
cluster_of(const RegularFabric& spec, const Gpu& gpu, std::int64_t gang, const char* level) {
    const Fabric fabric = make_fabric(spec);
    const Locality locality = locality_of(fabric);
    const std::vector<LevelRates> rates = level_rates(fabric, locality);
    return fabric_cluster(gpu, locality, rates, gang, locality.find(level));
}

std::vector<std::int64_t> gpus_of(const Cluster& cluster) {
    std::vector<std::int64_t> gpus;
    for (const LinkLevel& level : cluster.tree.levels)
        gpus.push_back(level.gpus);
    return gpus;
}

using Sizes = std::vector<std::int64_t>;

} // namespace

TEST_CASE("without racks a gang has the rates of the node network alone") {
    RegularFabric spec = test::rail_optimised();
    spec.tiers.clear();
    spec.nodes = 4;
    const Gpu gpu = gpu_of("H100-SXM5-80GB", 450);
    const Cluster flat = make_cluster(gpu, 8, spec.node_link);
    const Cluster seen = cluster_of(spec, gpu, 16, "fabric");
    REQUIRE(seen.tree.levels.size() == flat.tree.levels.size());
    CHECK(seen.gpus_per_node == 8);
    CHECK(seen.gpus_per_host == 8);
    CHECK(seen.host_link == flat.host_link);
    for (std::size_t l = 0; l < flat.tree.levels.size(); ++l) {
        CAPTURE(l);
        CHECK(seen.tree.levels[l].bandwidth == flat.tree.levels[l].bandwidth);
        CHECK(seen.tree.levels[l].latency == flat.tree.levels[l].latency);
        CHECK(seen.tree.levels[l].efficiency == flat.tree.levels[l].efficiency);
    }
}

TEST_CASE("a gang crosses the levels too small for it, and the level it is placed at") {
    const Gpu v100 = gpu_of("V100-SXM2-32GB", 150);
    const RegularFabric tree = test::tapered_tree(); // 8 in a node, 32 in a rack, 64 in a pod
    CHECK(gpus_of(cluster_of(tree, v100, 8, "node")) == Sizes{8});
    CHECK(gpus_of(cluster_of(tree, v100, 16, "rack")) == Sizes{8, 32});
    CHECK(gpus_of(cluster_of(tree, v100, 16, "fabric")) == Sizes{8, 128}); // no rack or pod held it
    CHECK(gpus_of(cluster_of(tree, v100, 64, "pod")) == Sizes{8, 32, 64}); // fills its racks
    CHECK(gpus_of(cluster_of(tree, v100, 8, "rack")) == Sizes{4, 32});     // in halves
    CHECK(cluster_of(tree, v100, 16, "fabric").tree.levels.back().bandwidth == gb_s * (25.0 / 64));
}

TEST_CASE("an NVLink domain of several nodes is the innermost level") {
    const Cluster nvl = cluster_of(test::nvl72(), gpu_of("GB200", 900), 72, "nvlink");
    CHECK(gpus_of(nvl) == Sizes{72});
    CHECK(nvl.gpus_per_node == 72);
    CHECK(nvl.gpus_per_host == 4);
    CHECK(nvl.tree.levels.front().bandwidth == gb_s * 900.0);
}

TEST_CASE("nodes of one GPU have their way out only") {
    const Cluster torus = cluster_of(test::torus_3d(), gpu_of("X", 25), 8, "fabric");
    CHECK(torus.tree.levels.front().bandwidth == torus.tree.levels.back().bandwidth);
    CHECK(torus.tree.levels.front().bandwidth.count() > 0);
}

} // namespace bursar::fabric_cluster_test
