#include <array>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/network/collective.hpp"
#include "models/training/job/cluster.hpp"

#include "tests/models/network/example_links.hpp"

namespace bursar::cluster_test {
namespace {

Gpu h100() {
    Gpu gpu;
    gpu.name = "H100-SXM5-80GB";
    gpu.scaleup_gb_s = 450;
    gpu.links = example_links();
    gpu.servers = example_servers();
    return gpu;
}

Seconds all_reduce(const Cluster& cluster, CommGroup group) {
    return collective_time(Collective::all_reduce, ByteVolume{1e9}, group, cluster.tree, {});
}

} // namespace

TEST_CASE("a cluster is nodes on one fabric") {
    const Cluster cluster = make_cluster(h100(), 8, ByteRate{400e9});
    REQUIRE(cluster.tree.levels.size() == 2);
    CHECK(cluster.tree.levels[0].gpus == 8);
    CHECK(cluster.tree.levels[0].bandwidth == ByteRate{450e9});
    CHECK(cluster.tree.levels[1].bandwidth == ByteRate{50e9}); // each GPU's share of the NICs
    CHECK(all_reduce(cluster, {1 << 20, 1}) > all_reduce(cluster, {8, 1}));
}

TEST_CASE("tiers divide the NICs' rate by their oversubscription") {
    const std::array tiers{NetworkTier{"rack", 32, 1}, NetworkTier{"fabric", 1024, 4}};
    const Cluster cluster = make_cluster(h100(), 8, ByteRate{400e9}, tiers);
    REQUIRE(cluster.tree.levels.size() == 3);
    CHECK(cluster.tree.levels[1].bandwidth == ByteRate{50e9});
    CHECK(cluster.tree.levels[2].bandwidth == ByteRate{12.5e9});
    const Cluster flat = make_cluster(h100(), 8, ByteRate{400e9});
    CHECK(all_reduce(cluster, {32, 1}) == all_reduce(flat, {32, 1}));
    CHECK(all_reduce(cluster, {4, 32}) > all_reduce(flat, {4, 32}));
    CHECK_THROWS_AS((void)all_reduce(cluster, {2048, 1}), ModelError);
}

TEST_CASE("a node of one GPU needs no scale-up link") {
    Gpu gpu = h100();
    gpu.scaleup_gb_s.reset();
    const Cluster cluster = make_cluster(gpu, 1, ByteRate{50e9});
    CHECK(all_reduce(cluster, {2, 1}).count() == doctest::Approx(1e9 / 47e9).epsilon(0.01));
    CHECK_THROWS_AS((void)make_cluster(gpu, 2, ByteRate{50e9}), UnknownFact);
}

TEST_CASE("clusters that cannot be are refused") {
    const std::array shrinking{NetworkTier{"rack", 32, 1}, NetworkTier{"pod", 32, 1}};
    const std::array uneven{NetworkTier{"rack", 12, 1}};
    const std::array generous{NetworkTier{"rack", 32, 0.5}};
    CHECK_THROWS_AS((void)make_cluster(h100(), 0, ByteRate{1e9}), ModelError);
    CHECK_THROWS_AS((void)make_cluster(h100(), 8, ByteRate{0}), ModelError);
    CHECK_THROWS_AS((void)make_cluster(h100(), 8, ByteRate{1e9}, shrinking), ModelError);
    CHECK_THROWS_AS((void)make_cluster(h100(), 8, ByteRate{1e9}, uneven), ModelError);
    CHECK_THROWS_AS((void)make_cluster(h100(), 8, ByteRate{1e9}, generous), ModelError);
}

TEST_CASE("servers have the NICs and PCIe of their GPU's generation") {
    Gpu gpu = h100();
    CHECK(usual_node_network(gpu, 8) == ByteRate{400e9});
    CHECK(host_link(gpu) == ByteRate{50e9});
    gpu.name = "A100-SXM4-80GB";
    CHECK(usual_node_network(gpu, 8) == ByteRate{200e9});
    CHECK(host_link(gpu) == ByteRate{25e9});
    gpu.name = "A10G";
    CHECK(usual_node_network(gpu, 8) == ByteRate{12.5e9});
    gpu.name = "V100-SXM2-16GB";
    CHECK(usual_node_network(gpu, 8) == ByteRate{12.5e9});
    CHECK(host_link(gpu) == ByteRate{12e9});
    gpu.servers = std::make_shared<const ServerTable>(
        ServerTable{{{"mine", {"H100"}, false, 60, 0, 100, 8, 2023, "mine"}}});
    CHECK_THROWS_AS((void)host_link(gpu), UnknownFact);
    gpu.servers = nullptr;
    CHECK_THROWS_AS((void)usual_node_network(gpu, 8), UnknownFact);
}

} // namespace bursar::cluster_test
