#include <doctest/doctest.h>

#include "models/network/link_facts.hpp"

namespace bursar::link_facts_test {
namespace {

Gpu gpu(std::string name, std::optional<double> scaleup_gb_s) {
    Gpu gpu;
    gpu.name = std::move(name);
    gpu.scaleup_gb_s = scaleup_gb_s;
    return gpu;
}

} // namespace

TEST_CASE("every link's constants are in range and sourced") {
    for (const LinkFacts& link : all_link_facts()) {
        CAPTURE(link.name);
        CHECK(link.gb_s > 0);
        CHECK(link.startup_us >= 0);
        CHECK(link.hop_us > 0);
        CHECK((link.efficiency > 0 && link.efficiency <= 1));
        CHECK((link.pair_loss >= 0 && link.pair_loss < 1));
        CHECK((link.low_latency_efficiency >= 0 && link.low_latency_efficiency <= 1));
        CHECK((link.reduction_efficiency >= 0 && link.reduction_efficiency <= 1));
        CHECK_FALSE(link.source.empty());
        CHECK(find_link(link.name)->hop_us == link.hop_us);
    }
    CHECK(find_link("nvlink4")->gb_s == 450);
    CHECK_FALSE(find_link("token ring"));
}

TEST_CASE("a GPU's name says its link; an unknown one goes by its rate") {
    CHECK(scaleup_link(gpu("A100-SXM4-80GB", 300), 8).name == "NVLink 3");
    CHECK(scaleup_link(gpu("H100-SXM5-80GB", 450), 8).name == "NVLink 4");
    CHECK(scaleup_link(gpu("H100-PCIe-80GB", 63), 8).name == "PCIe");
    CHECK(scaleup_link(gpu("MI300X", 448), 8).wiring == Wiring::full_mesh);
    CHECK(scaleup_link(gpu("mine", 31), 8).name == "PCIe");
    CHECK(scaleup_link(gpu("mine", 280), 8).name == "NVLink 3");
    CHECK(scaleup_link(gpu("mine", 900), 8).name == "NVLink 5");
    CHECK_THROWS_AS((void)scaleup_link(gpu("A10", std::nullopt), 8), UnknownFact);
}

TEST_CASE("V100 nodes of eight are a cube mesh, of sixteen have switches") {
    CHECK(scaleup_link(gpu("V100-SXM2-16GB", 150), 8).wiring == Wiring::cube_mesh);
    CHECK(scaleup_link(gpu("V100-SXM3-32GB", 150), 16).wiring == Wiring::switched);
}

TEST_CASE("a level says whether its switch adds") {
    const LinkLevel hopper = link_level(*find_link("NVLink 4"), "node", 8, ByteRate{450e9});
    CHECK(hopper.in_network_reduction);
    CHECK(hopper.reduction.ranks == 5);
    CHECK(hopper.source.starts_with("NVLink 4: "));
    const LinkLevel ampere = link_level(*find_link("NVLink 3"), "node", 8, ByteRate{300e9});
    CHECK_FALSE(ampere.in_network_reduction);
    CHECK(ampere.latency / Seconds{2.8e-6} == doctest::Approx(1));
}

} // namespace bursar::link_facts_test
