#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/links_and_servers.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::links_test {
namespace {

const std::string own_gpu = "gpus:\n"
                            "  - {name: Mine, vendor: me, scaleup_bandwidth: 100 GB/s, source: me, "
                            "date: 2026-01-31}\n";

} // namespace

TEST_CASE("every link's constants are in range and sourced") {
    const LinkTable& links = *builtin_links();
    CHECK(links.all.size() >= 9);
    for (const LinkFacts& link : links.all) {
        CAPTURE(link.name);
        CHECK(link.gb_s > 0);
        CHECK(link.startup_us >= 0);
        CHECK(link.hop_us > 0);
        CHECK((link.efficiency > 0 && link.efficiency <= 1));
        CHECK((link.pair_loss >= 0 && link.pair_loss < 1));
        CHECK((link.low_latency_efficiency >= 0 && link.low_latency_efficiency <= 1));
        CHECK((link.reduction_efficiency >= 0 && link.reduction_efficiency <= 1));
        CHECK_FALSE(link.source.empty());
        CHECK(links.find(link.name) == &link);
    }
    CHECK(links.find("nvlink4")->gb_s == 450);
    CHECK(links.find("NVLink 3")->low_latency_efficiency == 0.079);
    CHECK(links.find("NVLink 5")->reduction_ranks == 6);
}

TEST_CASE("every GPU of the catalogue has the link of its generation") {
    const Catalogue catalogue = builtin_catalogue();
    const auto link_of = [&](std::string_view gpu, std::int64_t per_node) {
        return scaleup_link(*catalogue.find(gpu), per_node);
    };
    CHECK(link_of("A100-SXM4-80GB", 8).name == "NVLink 3");
    CHECK(link_of("H100-SXM5-80GB", 8).name == "NVLink 4");
    CHECK(link_of("V100-SXM2-16GB", 8).wiring == Wiring::cube_mesh);
    CHECK(node_network_link(catalogue.gpus.front()).name == "RDMA network");
    CHECK(pcie_link(catalogue.gpus.front()).name == "PCIe");
}

TEST_CASE("a user's catalogue has the built-in links or its own") {
    CHECK(read_catalogue_text(own_gpu, "own.yaml").links == builtin_links());
    const Catalogue own = read_catalogue_text(
        own_gpu + "links:\n"
                  "  - {name: Mesh, gpus: [Mine], kind: scaleup, rate: 100 GB/s, startup_us: 5, "
                  "hop_us: 1, efficiency: 0.9, source: me}\n",
        "own.yaml");
    const LinkFacts mesh = scaleup_link(own.gpus.front(), 8);
    CHECK(mesh.name == "Mesh");
    CHECK(mesh.gb_s == 100);
    CHECK(mesh.low_latency_efficiency == 0);
    CHECK_THROWS_AS((void)node_network_link(own.gpus.front()), UnknownFact);
    CHECK_THROWS_AS((void)read_catalogue_text(own_gpu + "links:\n  - {name: Mesh}\n", "own.yaml"),
                    ScenarioError);
}

} // namespace bursar::links_test
