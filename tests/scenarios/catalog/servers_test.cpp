#include <string>

#include <doctest/doctest.h>

#include "models/training/job/cluster.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/links_and_servers.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::servers_test {
namespace {

const std::string own_gpu = "gpus:\n"
                            "  - {name: Mine, vendor: me, scaleup_bandwidth: 100 GB/s, source: me, "
                            "date: 2026-01-31}\n";

Catalogue own_catalogue(const std::string& servers) {
    return read_catalogue_text(own_gpu + servers, "own.yaml");
}

} // namespace

TEST_CASE("every server has its facts and their source, and every GPU has a server") {
    for (const ServerFacts& server : builtin_servers()->all) {
        CAPTURE(server.name);
        CHECK(server.host_gb_s > 0);
        CHECK((server.nic_gb_s > 0) != (server.shared_gb_s > 0));
        CHECK(server.source.find("host_copy:") != std::string::npos);
        CHECK(server.source.find(server.nic_gb_s > 0 ? "; nic:" : "; shared_nics:") !=
              std::string::npos);
    }
    const Catalogue catalogue = builtin_catalogue();
    for (const Gpu& gpu : catalogue.gpus) {
        CAPTURE(gpu.name);
        CHECK_NOTHROW((void)usual_server(gpu));
    }
    const auto server_of = [&](std::string_view gpu) {
        return usual_server(*catalogue.find(gpu)).name;
    };
    CHECK(server_of("V100-SXM2-16GB") == "PCIe 3");
    CHECK(server_of("Quadro-RTX-8000") == "PCIe 3");
    CHECK(server_of("A100-SXM4-80GB") == "PCIe 4, a NIC per GPU");
    CHECK(server_of("A10G") == "PCIe 4, shared NICs");
    CHECK(server_of("L40S") == "PCIe 4, shared NICs");
    CHECK(server_of("H100-SXM5-80GB") == "PCIe 5, a NIC per GPU");
    CHECK(server_of("MI300X") == "PCIe 5, a NIC per GPU");
}

TEST_CASE("a user's catalogue has the built-in servers or its own") {
    CHECK(own_catalogue("").servers == builtin_servers());
    const Catalogue own = own_catalogue("servers:\n"
                                        "  - {name: Box, gpus: [Mine], host_copy: 40 GB/s, "
                                        "shared_nics: 200 Gbit/s, source: me}\n");
    CHECK(host_link(own.gpus.front()) == ByteRate{40e9});
    CHECK(usual_node_network(own.gpus.front(), 8) == ByteRate{25e9});
    const Catalogue others = own_catalogue(
        "servers:\n"
        "  - {name: Box, gpus: [Other], host_copy: 40 GB/s, nic: 200 Gbit/s, source: me}\n");
    CHECK_THROWS_AS((void)host_link(others.gpus.front()), UnknownFact);
}

TEST_CASE("a server has its own NICs or those of its GPUs, and a unique name") {
    for (const char* facts :
         {"{name: Box, host_copy: 40 GB/s, source: me}",
          "{name: Box, host_copy: 40 GB/s, nic: 1 GB/s, shared_nics: 1 GB/s, source: me}",
          "{name: Box, host_copy: 40, nic: 1 GB/s, source: me}",
          "{name: Box, host_copy: 40 GB/s, nic: 1 GB/s}"}) {
        CAPTURE(facts);
        CHECK_THROWS_AS((void)own_catalogue("servers:\n  - " + std::string{facts} + "\n"),
                        ScenarioError);
    }
    const std::string box = "  - {name: Box, host_copy: 40 GB/s, nic: 1 GB/s, source: me}\n";
    CHECK_NOTHROW((void)own_catalogue("servers:\n" + box));
    CHECK_THROWS_AS((void)own_catalogue("servers:\n" + box + box), ScenarioError);
}

} // namespace bursar::servers_test
