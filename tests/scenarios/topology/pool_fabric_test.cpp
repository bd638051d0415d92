#include <doctest/doctest.h>

#include "models/topology/level_rates.hpp"

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

} // namespace bursar::pool_fabric_test
