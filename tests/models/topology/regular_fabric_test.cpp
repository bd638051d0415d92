#include <algorithm>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/topology/level_rates.hpp"

#include "tests/models/topology/example_fabrics.hpp"
#include "tests/properties.hpp"

namespace bursar::regular_fabric_test {
namespace {

using test::gb_s;

RegularFabric random_fabric() {
    RegularFabric spec;
    spec.name = "random";
    spec.gpus_per_node = drawn::one_of(1, 2, 4, 8);
    spec.nvlink = drawn::one_of<std::int64_t>(0,
                                              spec.gpus_per_node,
                                              spec.gpus_per_node * 2,
                                              std::max<std::int64_t>(1, spec.gpus_per_node / 2));
    spec.nvlink_link = gb_s * static_cast<double>(drawn::in_range(100, 900));
    spec.pcie_link = gb_s * static_cast<double>(drawn::in_range(10, 60));
    spec.node_link = gb_s * static_cast<double>(drawn::in_range(1, 400));
    spec.rails = drawn::one_of<std::int64_t>(1, spec.gpus_per_node);
    const std::int64_t rack = 2 * drawn::in_range(1, 4);
    spec.tiers.push_back({"rack", rack, {}, static_cast<double>(drawn::in_range(1, 5))});
    if (drawn::boolean())
        spec.tiers.push_back({"pod", rack * drawn::in_range(2, 4), {}, 2});
    spec.nodes = 2 * drawn::in_range(1, 20);
    return spec;
}

std::string error_of(const RegularFabric& spec) {
    try {
        static_cast<void>(make_fabric(spec));
    } catch (const ModelError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("groups of a narrower level lie in one of the wider, and every unit in one of each") {
    check_property([] {
        const RegularFabric spec = random_fabric();
        const Locality locality = locality_of(make_fabric(spec));
        RC_ASSERT(static_cast<std::int64_t>(locality.num_nodes()) == spec.nodes);
        RC_ASSERT(locality.levels.back().num_groups() == 1U);
        for (std::size_t l = 0; l < locality.levels.size(); ++l) {
            const LocalityLevel& level = locality.levels[l];
            RC_ASSERT(level.group_of_unit.size() == locality.num_units());
            RC_ASSERT(std::ranges::is_sorted(level.group_of_unit));
            RC_ASSERT(level.group_of_unit.front() == 0U);
            RC_ASSERT(level.group_of_unit.back() + 1U == level.num_groups());
            std::int64_t gpus = 0;
            for (std::uint32_t group = 0; group < level.num_groups(); ++group) {
                const auto [first, last] = locality.gpus_of(l, group);
                RC_ASSERT(first < last);
                gpus += static_cast<std::int64_t>(last - first);
            }
            RC_ASSERT(gpus == spec.nodes * spec.gpus_per_node);
            if (l == 0)
                continue;
            const LocalityLevel& narrower = locality.levels[l - 1];
            RC_ASSERT(narrower.num_groups() > level.num_groups());
            for (std::size_t unit = 1; unit < locality.num_units(); ++unit)
                if (narrower.group_of_unit[unit] == narrower.group_of_unit[unit - 1])
                    RC_ASSERT(level.group_of_unit[unit] == level.group_of_unit[unit - 1]);
        }
    });
}

TEST_CASE("a narrower level never has less bandwidth or more latency than a wider one") {
    check_property([] {
        RegularFabric spec = random_fabric();
        // Direct links between GPUs are faster than the links out of the node.
        spec.nvlink_link = spec.pcie_link + spec.nvlink_link;
        // Whole groups only: a smaller last rack has more uplink for each of its GPUs.
        spec.nodes = spec.tiers.back().nodes * drawn::in_range(1, 4);
        const Fabric fabric = make_fabric(spec);
        const Locality locality = locality_of(fabric);
        const std::vector<LevelRates> rates = level_rates(fabric, locality);
        for (std::size_t l = 1; l < rates.size(); ++l) {
            if (locality.levels[l - 1].max_gpus < 2)
                continue;
            RC_ASSERT(rates[l - 1].pair.count() >= rates[l].pair.count());
            RC_ASSERT(rates[l - 1].bisection.count() >= rates[l].bisection.count());
            RC_ASSERT(rates[l - 1].latency->count() <= rates[l].latency->count() + 1e-12);
            RC_ASSERT(rates[l].bisection.count() > 0);
        }
    });
}

TEST_CASE("an invalid fabric is refused by the key at fault") {
    RegularFabric spec = test::tapered_tree();
    SUBCASE("domains") {
        spec.nvlink = 3;
        CHECK(error_of(spec).starts_with("nvlink: is 3"));
    }
    SUBCASE("racks in pods") {
        spec.tiers[1].nodes = 6;
        CHECK(error_of(spec) ==
              "pod: holds 6 nodes; give a multiple of the 4 of what stands below it");
    }
    SUBCASE("racks against domains") {
        spec.nvlink = 24;
        CHECK(error_of(spec).starts_with("rack: of 4 nodes divides an NVLink domain of 3"));
    }
    SUBCASE("rails") {
        spec.rails = 9;
        CHECK(error_of(spec).starts_with("rails: is 9"));
    }
    SUBCASE("a torus of other nodes") {
        spec = test::torus_3d();
        spec.nodes = 63;
        CHECK(error_of(spec) == "torus: of 4x4x4 is not of 63 nodes; the product of its sides is "
                                "the number of nodes");
    }
    SUBCASE("tiles") {
        spec = test::torus_3d();
        spec.tile = {3, 2, 2};
        CHECK(error_of(spec) == "tile: of 3x2x2 does not divide a torus of 4x4x4");
        spec.tile = {2, 2};
        CHECK(error_of(spec) == "tile: has not as many sides as the torus");
    }
    SUBCASE("racks in a torus") {
        spec = test::torus_3d();
        spec.tiers.push_back({"rack", 4, {}, 1});
        CHECK(error_of(spec).starts_with("rack: is not possible in a torus"));
    }
    SUBCASE("no way out") {
        spec.node_link = {};
        CHECK(error_of(spec).starts_with("node_link: 0"));
    }
}

} // namespace bursar::regular_fabric_test
