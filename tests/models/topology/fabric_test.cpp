#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/topology/fabric.hpp"

namespace bursar::fabric_test {
namespace {

template <class Act>
std::string error_of(Act act) {
    try {
        act();
    } catch (const ModelError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("paths make enclosures and lead back to devices") {
    FabricBuilder builder{"f"};
    const std::uint32_t gpu = builder.device("rack[1]/node[0]/gpu[3]", DeviceKind::gpu);
    builder.device("rack[1]/leaf", DeviceKind::network_switch);
    builder.link("rack[1]/node[0]/gpu[3]", "rack[1]/leaf", ByteRate{1e9}, Seconds{1e-6});
    const Fabric fabric = builder.take();
    CHECK(fabric.path(gpu) == "rack[1]/node[0]/gpu[3]");
    CHECK(fabric.enclosures.size() == 3); // the fabric, the rack, the node
    CHECK(fabric.enclosures[fabric.devices[1].enclosure].name == "rack[1]");
    CHECK(fabric.count(DeviceKind::gpu) == 1);
    CHECK(fabric.links.size() == 1);
    CHECK(word_of("rack[1]") == "rack");
    CHECK(word_of("leaf") == "leaf");
}

TEST_CASE("an invalid fabric is refused by name") {
    FabricBuilder builder{"f"};
    builder.device("node[0]/gpu[0]", DeviceKind::gpu);
    builder.device("node[0]/nic", DeviceKind::nic);
    const auto link = [&](const char* from, const char* to, double rate, double latency) {
        return error_of([&] { builder.link(from, to, ByteRate{rate}, Seconds{latency}); });
    };
    CHECK(error_of([&] { builder.device("node[0]/gpu[0]", DeviceKind::gpu); }) ==
          "devices: gpu \"node[0]/gpu[0]\" is a duplicate; device names are unique");
    CHECK(link("node[0]/gpu[0]", "node[1]/nic", 1, 0) == "links: no device \"node[1]/nic\"");
    CHECK(link("node[0]/gpu[0]", "node[0]/nik", 1, 0) == "links: no device \"node[0]/nik\"");
    CHECK(link("node[0]/gpu[0]", "node[0]/gpu[0]", 1, 0) ==
          "links: \"node[0]/gpu[0]\" is linked with itself");
    CHECK(link("node[0]/gpu[0]", "node[0]/nic", 0, 0) ==
          "bandwidth: 0 is not a finite number above zero");
    CHECK(link("node[0]/gpu[0]", "node[0]/nic", 1, -1) ==
          "latency: -1 is not a finite number of zero or above");
}

} // namespace bursar::fabric_test
