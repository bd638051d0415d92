#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/topology/locality.hpp"

#include "tests/models/topology/example_fabrics.hpp"

namespace bursar::locality_test {
namespace {

using test::gb_s;

/// Two racks of two nodes of two GPUs; the second rack is named first.
FabricBuilder two_racks() {
    FabricBuilder builder{"racks"};
    builder.device("spine", DeviceKind::network_switch);
    for (const char* rack : {"rack[1]", "rack[0]"}) {
        for (const char* node : {"node[0]", "node[1]"}) {
            const std::string path = std::string{rack} + "/" + node;
            for (const char* gpu : {"/gpu[0]", "/gpu[1]"}) {
                builder.device(path + gpu, DeviceKind::gpu);
                builder.link(path + gpu, "spine", gb_s, {});
            }
        }
    }
    return builder;
}

std::string error_of(FabricBuilder& builder) {
    try {
        static_cast<void>(locality_of(builder.take()));
    } catch (const ModelError& error) {
        return error.what();
    }
    return {};
}

using Groups = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("enclosures are levels, from the node to the fabric") {
    const Locality locality = locality_of(two_racks().take());
    CHECK(locality.gpus_per_unit == 2);
    CHECK(locality.units_per_node == 1);
    CHECK(locality.num_nodes() == 4);
    REQUIRE(locality.levels.size() == 3);
    CHECK(locality.levels[0].names == std::vector<std::string>{"node"});
    CHECK(locality.levels[1].names == std::vector<std::string>{"rack"});
    CHECK(locality.levels[2].names == std::vector<std::string>{"fabric"});
    CHECK(locality.levels[0].group_of_unit == Groups{0, 1, 2, 3});
    CHECK(locality.levels[1].group_of_unit == Groups{0, 0, 1, 1});
    CHECK(locality.levels[2].group_of_unit == Groups{0, 0, 0, 0});
    CHECK(locality.find("rack") == 1);
    CHECK(locality.find("pod") == 3);
    CHECK(locality.narrowest_for(2) == 0);
    CHECK(locality.narrowest_for(3) == 1);
    CHECK(locality.narrowest_for(8) == 2);
    CHECK(locality.narrowest_for(9) == 3);
    CHECK(locality.gpus_of(1, 1) == std::pair<std::size_t, std::size_t>{4, 8});
}

TEST_CASE("a unit is an NVLink domain where nodes hold several, and domains may hold nodes") {
    const Locality pairs = locality_of(make_fabric(test::bridged_pairs()));
    CHECK(pairs.gpus_per_unit == 2);
    CHECK(pairs.units_per_node == 4);
    CHECK(pairs.levels[0].names == std::vector<std::string>{"nvlink"});
    CHECK(pairs.levels[0].medium == Medium::nvlink);
    CHECK(pairs.levels[1].medium == Medium::pcie);
    CHECK(pairs.levels[2].medium == Medium::network);

    const Locality racks = locality_of(make_fabric(test::nvl72()));
    CHECK(racks.gpus_per_unit == 4);
    CHECK(racks.levels[1].names == std::vector<std::string>{"nvlink", "rack"}); // the same groups
    CHECK(racks.levels[1].max_gpus == 72);
    CHECK(racks.levels[1].medium == Medium::nvlink);
}

TEST_CASE("a node of GPUs with NVLink is an NVLink level") {
    const Locality locality = locality_of(make_fabric(test::rail_optimised()));
    CHECK(locality.find("nvlink") == 0);
    CHECK(locality.find("node") == 0);
    CHECK(locality_of(make_fabric(test::pcie_only())).find("nvlink") == 3);
}

TEST_CASE("the last group of a level may be smaller") {
    RegularFabric spec = test::rail_optimised();
    spec.nodes = 6;
    const Locality locality = locality_of(make_fabric(spec));
    CHECK(locality.levels[1].num_groups() == 2);
    CHECK(locality.levels[1].max_gpus == 32);
    CHECK(locality.levels[1].min_gpus == 16);
}

TEST_CASE("anything but a fabric of equal nodes is refused") {
    SUBCASE("no GPU") {
        FabricBuilder builder{"f"};
        builder.device("node[0]/nic", DeviceKind::nic);
        CHECK(error_of(builder) == "devices: no GPU is among them; give devices of kind gpu");
    }
    SUBCASE("two parts") {
        FabricBuilder builder = two_racks();
        builder.device("rack[0]/node[7]/nic", DeviceKind::nic);
        CHECK(error_of(builder) ==
              "links: the fabric is not connected: no path leads from \"spine\" to "
              "\"rack[0]/node[7]/nic\"; every device needs a link that leads to the others");
    }
    SUBCASE("no node") {
        FabricBuilder builder{"f"};
        builder.device("host[0]/gpu[0]", DeviceKind::gpu);
        CHECK(error_of(builder).starts_with("devices: no enclosure of the GPUs is named \"node\""));
    }
    SUBCASE("nodes of two sizes") {
        FabricBuilder builder = two_racks();
        builder.device("rack[0]/node[1]/gpu[2]", DeviceKind::gpu);
        builder.link("rack[0]/node[1]/gpu[2]", "spine", gb_s, {});
        CHECK(error_of(builder).starts_with("devices: one node holds 2 GPUs and another 3"));
    }
    SUBCASE("GPUs at two depths") {
        FabricBuilder builder = two_racks();
        builder.device("node[0]/gpu[0]", DeviceKind::gpu);
        builder.link("node[0]/gpu[0]", "spine", gb_s, {});
        CHECK(error_of(builder).starts_with("devices: GPU \"rack[1]/node[0]/gpu[0]\" is in "
                                            "rack/node/ and \"node[0]/gpu[0]\" in node/"));
    }
    SUBCASE("a word twice") {
        FabricBuilder builder{"f"};
        builder.device("node[0]/node[1]/gpu[0]", DeviceKind::gpu);
        CHECK(error_of(builder).find("is in two enclosures called node") != std::string::npos);
    }
}

} // namespace bursar::locality_test
