#include <doctest/doctest.h>

#include "models/network/link_facts.hpp"

#include "tests/models/network/example_links.hpp"

namespace bursar::link_facts_test {
namespace {

Gpu gpu(std::string name, std::optional<double> scaleup_gb_s) {
    Gpu gpu;
    gpu.name = std::move(name);
    gpu.scaleup_gb_s = scaleup_gb_s;
    gpu.links = example_links();
    return gpu;
}

} // namespace

TEST_CASE("a link is found by name regardless of case and blanks") {
    CHECK(example_links()->find("nvlink4")->gb_s == 450);
    CHECK(example_links()->find("token ring") == nullptr);
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

TEST_CASE(
    "a GPU without links says so, and so does a catalogue without the kind that is asked for") {
    Gpu alone = gpu("H100-SXM5-80GB", 450);
    alone.links = nullptr;
    CHECK_THROWS_AS((void)scaleup_link(alone, 8), UnknownFact);
    CHECK_THROWS_AS((void)node_network_link(alone), UnknownFact);
    alone.links = std::make_shared<const LinkTable>();
    CHECK_THROWS_AS((void)scaleup_link(alone, 8), UnknownFact);
    CHECK_THROWS_AS((void)pcie_link(alone), UnknownFact);
}

TEST_CASE("V100 nodes of eight are a cube mesh, of sixteen have switches") {
    CHECK(scaleup_link(gpu("V100-SXM2-16GB", 150), 8).wiring == Wiring::cube_mesh);
    CHECK(scaleup_link(gpu("V100-SXM3-32GB", 150), 16).wiring == Wiring::switched);
}

TEST_CASE("a level states whether its switch reduces") {
    const LinkLevel hopper =
        link_level(*example_links()->find("NVLink 4"), "node", 8, ByteRate{450e9});
    CHECK(hopper.in_network_reduction);
    CHECK(hopper.reduction.ranks == 5);
    CHECK(hopper.source.starts_with("NVLink 4: "));
    const LinkLevel ampere =
        link_level(*example_links()->find("NVLink 3"), "node", 8, ByteRate{300e9});
    CHECK_FALSE(ampere.in_network_reduction);
    CHECK(ampere.latency / Seconds{2.8e-6} == doctest::Approx(1));
}

} // namespace bursar::link_facts_test
