#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "models/topology/level_rates.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/topology/fabric_file.hpp"

#include "tests/places.hpp"

namespace bursar::fabric_file_test {
namespace {

/// Two racks of two nodes on two rails, 2:1 oversubscribed.
const std::string rails = R"(bursar-fabric: 1
devices:
  gpu: rack[0..1]/node[0..1]/gpu[0..1]
  nvswitch: rack[0..1]/node[0..1]/nvswitch
  nic: rack[0..1]/node[0..1]/nic[0..1]
  switch:
    - rack[0..1]/leaf[0..1]
    - spine
links:
  - from: rack[r]/node[n]/gpu[g]
    to: rack[r]/node[n]/nvswitch
    bandwidth: 300 GB/s
    latency: 300 ns
  - from: rack[r]/node[n]/gpu[i]
    to: rack[r]/node[n]/nic[i]
    bandwidth: 25 GB/s
  - from: rack[r]/node[n]/nic[i]
    to: rack[r]/leaf[i]
    bandwidth: 200 Gbit/s
    latency: 1 us
  - from: rack[r]/leaf[l]
    to: spine
    bandwidth: 400 Gbit/s
    oversubscription: 2:1
)";

std::string error_of(const std::string& text) {
    try {
        read_fabric_text(text, "f.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("letters join devices of equal numbers; free letters join all") {
    const PoolFabric pool = read_fabric_text(rails, "f.yaml");
    CHECK(pool.fabric.name == "f");
    CHECK(pool.fabric.count(DeviceKind::gpu) == 8);
    CHECK(pool.fabric.links.size() == 8 + 8 + 8 + 4);
    CHECK(pool.locality.num_nodes() == 4);
    REQUIRE(pool.locality.levels.size() == 3);
    const std::vector<LevelRates> rates = level_rates(pool.fabric, pool.locality);
    CHECK(rates[0].bisection == ByteRate{300e9});
    CHECK(rates[1].bisection == ByteRate{25e9});         // 200 Gbit/s a GPU
    CHECK(rates[2].bisection == ByteRate{2 * 25e9 / 4}); // two leaves of 200 Gbit/s, four GPUs
    CHECK(rates[0].latency->count() == doctest::Approx(600e-9));
    CHECK_FALSE(rates[1].latency.has_value()); // the latency from GPU to adapter is not given
}

TEST_CASE("the fabric on the page is complete: every level has its rates and latency") {
    std::ifstream in{source_file("scenarios/topology/README.md")};
    std::ostringstream page;
    page << in.rdbuf();
    const std::string text = page.str();
    const std::string fence = "```yaml\n";
    const std::size_t begin = text.find(fence) + fence.size();
    const PoolFabric pool =
        read_fabric_text(text.substr(begin, text.find("```", begin) - begin), "f.yaml");
    CHECK(pool.locality.gpus.size() == 64);
    for (const LevelRates& rates : level_rates(pool.fabric, pool.locality)) {
        CHECK(rates.bisection.count() > 0);
        CHECK(rates.latency.has_value());
    }
}

TEST_CASE("an offset wraps around: a ring and a torus") {
    const std::string torus = R"(bursar-fabric: 1
devices:
  gpu: node[0..2,0..3]/gpu
  switch: node[0..2,0..3]/router
links:
  - {from: "node[x,y]/gpu", to: "node[x,y]/router", bandwidth: 500 GB/s}
  - {from: "node[x,y]/router", to: "node[x+1,y]/router", bandwidth: 50 GB/s}
  - {from: "node[x,y]/router", to: "node[x,y+1]/router", bandwidth: 50 GB/s}
)";
    const PoolFabric pool = read_fabric_text(torus, "t.yaml");
    CHECK(pool.locality.num_nodes() == 12);
    CHECK(pool.fabric.links.size() == 12 + 12 + 12);
    // In a row of two, the link and its wrap-around are one pair, joined once.
    const PoolFabric small =
        read_fabric_text(changed(changed(torus, "gpu: node[0..2,0..3]", "gpu: node[0..1,0..3]"),
                                 "switch: node[0..2,0..3]",
                                 "switch: node[0..1,0..3]"),
                         "t.yaml");
    CHECK(small.fabric.links.size() == 8 + 4 + 8);
}

TEST_CASE("a mesh of equal names joins each pair once and nothing with itself") {
    const PoolFabric mesh = read_fabric_text(R"(bursar-fabric: 1
devices: {gpu: "node[0]/gpu[0..3]"}
links: [{from: "node[n]/gpu[i]", to: "node[n]/gpu[j]", bandwidth: 50 GB/s}]
)",
                                             "m.yaml");
    CHECK(mesh.fabric.links.size() == 6);
}

TEST_CASE("an offset counts from a letter of the other end, or it is refused") {
    CHECK(
        error_of(changed(rails, "to: rack[r]/leaf[i]", "to: rack[r]/leaf[z+1]")) ==
        "f.yaml:18:9: links[2].to: \"z+1\" counts from a letter that from does not have; give z in "
        "from, or \"z\" alone: any number");
    CHECK(error_of(changed(rails, "to: rack[r]/leaf[i]", "to: rack[z+1]/leaf[i]"))
              .find("\"z+1\" counts from") != std::string::npos);
    CHECK(error_of(changed(rails, "to: rack[r]/leaf[i]", "to: rack[r]/leaf[i+1]")).empty());
}

TEST_CASE("a name with too many or too few indices is refused with their number") {
    CHECK(error_of(changed(rails, "gpu[g]", "gpu[0..7,3]")) ==
          "f.yaml:10:11: links[0].from: gives 2 indices to \"gpu\" (devices have 1 there, as in "
          "\"rack[]/node[]/gpu[]\"); several ranges are several names");
    CHECK(error_of(changed(rails, "to: spine", "to: spine[s]"))
              .find("gives 1 index to \"spine\" (devices have 0 there") != std::string::npos);
    CHECK(error_of(changed(rails, "to: rack[r]/leaf[i]", "to: rack/leaf[i]"))
              .find("gives 0 indices to \"rack\"") != std::string::npos);
}

TEST_CASE("every mistake of a fabric has its place") {
    CHECK(error_of("# nothing\n") ==
          "f.yaml: the file is empty (expected a fabric, which begins with \"bursar-fabric: 1\")");
    CHECK(error_of(changed(rails, "  nic: rack", "  nik: rack")) ==
          "f.yaml:5:3: devices.nik: unknown key; did you mean \"nic\"?");
    CHECK(error_of(changed(rails, "    - spine\n", "    - spine\n    - rack[1]/leaf[1..2]\n")) ==
          "f.yaml:9:7: devices.switch[2]: switch \"rack[1]/leaf[1]\" is a duplicate; device names "
          "are unique");
    CHECK(error_of(changed(rails, "gpu[0..1]\n", "gpu[0..1]\n  cpu: rack[0]/node[0]/cpu\n"))
              .starts_with("f.yaml:11:3: links: the fabric is not connected"));
    CHECK(error_of(changed(rails, "to: rack[r]/leaf[i]", "to: rack[r]/leef[i]")) ==
          "f.yaml:18:9: links[2].to: no device matches \"rack[r]/leef[i]\"; did you mean "
          "\"rack[]/leaf[]\"?");
    CHECK(error_of(changed(rails, "rack[0..1]/leaf[0..1]", "rack[0..1]/leaf[0..0]")) ==
          "f.yaml:18:9: links[2].to: leads to nothing from \"rack[0]/node[0]/nic[1]\"");
    CHECK(error_of(changed(rails, "200 Gbit/s", "0 Gbit/s")) ==
          "f.yaml:19:16: links[2].bandwidth: \"0 Gbit/s\" is zero (a bandwidth above zero)");
    CHECK(error_of(changed(rails, "2:1", "2"))
              .find("links[3].oversubscription: \"2\" is not a "
                    "ratio") != std::string::npos);
    CHECK(error_of(changed(rails, "leaf[0..1]", "leaf[1..0]"))
              .find("has a range that ends before it begins") != std::string::npos);
    CHECK(error_of(changed(rails, "- spine", "- spine[s]"))
              .find("a letter stands for a number of another name") != std::string::npos);
    CHECK(error_of(changed(rails, "to: spine", "to: Spine"))
              .find("\"Spine\" is not a name of devices") != std::string::npos);
    CHECK(error_of(changed(rails, "/gpu[0..1]", "/gpu[0..9999999]"))
              .find("devices.gpu: names 40000000 devices (at most 4000000)") != std::string::npos);
}

} // namespace bursar::fabric_file_test
