#include <optional>

#include <doctest/doctest.h>

#include "models/topology/level_rates.hpp"
#include "models/training/job/fabric_cluster.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/topologies.hpp"
#include "scenarios/topology/pool_fabric.hpp"

namespace bursar::pool_fabric_test {

TEST_CASE("every fabric of the catalogue can be built, with the levels of its summary") {
    const Catalogue catalogue = builtin_catalogue();
    for (const NamedTopology& named : builtin_topologies().all) {
        CAPTURE(named.name);
        const Gpu* gpu = catalogue.find(named.gpu);
        REQUIRE(gpu != nullptr);
        const Fabric fabric = short_form_fabric(
            named.spec, {named.name, named.nodes, named.gpus_per_node, {}}, *gpu, {});
        const Locality locality = locality_of(fabric);
        CHECK(static_cast<std::int64_t>(locality.num_nodes()) == named.nodes);
        const std::vector<LevelRates> rates = level_rates(fabric, locality);
        if (named.name == "dgx-h100") {
            CHECK(locality.levels[locality.find("rack")].max_gpus == 256);
            CHECK(rates.back().oversubscription == 1);
            CHECK(rates.back().bisection == ByteRate{50e9});
        } else if (named.name == "roce-3-tier") {
            CHECK(locality.levels[locality.find("pod")].max_gpus == 3072);
            CHECK(rates[locality.find("pod")].oversubscription == 1);
            CHECK(rates.back().oversubscription.value() == doctest::Approx(7));
        } else if (named.name == "nvl72") {
            CHECK(locality.find("nvlink") == locality.find("rack"));
        } else if (named.name == "torus-3d") {
            CHECK(locality.levels[locality.find("tile")].max_gpus == 64);
        }
    }
}

TEST_CASE("a pool without a topology has nodes and a fabric") {
    PoolSpec pool;
    pool.name = "a";
    pool.nodes = 4;
    pool.gpus_per_node = 8;
    const Catalogue catalogue = builtin_catalogue();
    const PoolFabric v100 = pool_fabric(pool, *catalogue.find("V100-SXM2-32GB"));
    REQUIRE(v100.locality.levels.size() == 2);
    CHECK(v100.locality.levels[0].names == std::vector<std::string>{"nvlink", "node"});
    const std::vector<LevelRates> rates = level_rates(v100.fabric, v100.locality);
    CHECK(rates[0].bisection == ByteRate{150e9});
    CHECK(rates[1].bisection == ByteRate{12.5e9 / 8}); // one adapter of 100 Gbit/s
    const PoolFabric t4 = pool_fabric(pool, *catalogue.find("T4"));
    CHECK(t4.locality.levels[0].medium == Medium::pcie);
}

TEST_CASE("NVLink joins as many nodes as the catalogue states and the racks do not cut") {
    const Catalogue catalogue = builtin_catalogue();
    const Gpu& gb200 = *catalogue.find("GB200");
    const auto domain = [&gb200](std::int64_t nodes, std::optional<GroupSize> rack) {
        PoolSpec pool;
        pool.name = "a";
        pool.nodes = nodes;
        pool.gpus_per_node = 4;
        if (rack) {
            pool.topology.emplace();
            pool.topology->rack = rack;
        }
        const Locality locality = pool_fabric(pool, gb200).locality;
        return locality.levels[locality.find("nvlink")].max_gpus;
    };
    CHECK(domain(36, {}) == 72);
    CHECK(domain(40, {}) == 72); // the last domain has 4 nodes
    CHECK(domain(16, {}) == 64);
    CHECK(domain(1, {}) == 4);
    CHECK(domain(36, GroupSize{.count = 18}) == 72);
    CHECK(domain(36, GroupSize{.count = 6}) == 72);
    CHECK(domain(32, GroupSize{.count = 16}) == 64);
    PoolSpec stated;
    stated.name = "a";
    stated.nodes = 36;
    stated.gpus_per_node = 4;
    stated.topology.emplace();
    stated.topology->nvlink = 4;
    const Locality locality = pool_fabric(stated, gb200).locality;
    CHECK(locality.levels[locality.find("nvlink")].max_gpus == 4);
}

TEST_CASE("a job over several domains sees those parts of them that it fills") {
    const Catalogue catalogue = builtin_catalogue();
    const Gpu& gb200 = *catalogue.find("GB200");
    PoolSpec pool;
    pool.name = "a";
    pool.nodes = 72;
    pool.gpus_per_node = 4;
    const PoolFabric fabric = pool_fabric(pool, gb200);
    const std::vector<LevelRates> rates = level_rates(fabric.fabric, fabric.locality);
    const std::size_t widest = fabric.locality.levels.size() - 1;
    const auto cluster = [&](std::int64_t gpus) {
        return fabric_cluster(gb200, fabric.locality, rates, gpus, widest);
    };
    CHECK(cluster(256).gpus_per_node == 64); // as without a topology
    CHECK(cluster(144).gpus_per_node == 72);
    CHECK(cluster(256).gpus_per_host == 4);
}

} // namespace bursar::pool_fabric_test
