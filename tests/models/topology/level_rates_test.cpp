#include <doctest/doctest.h>

#include "models/topology/level_rates.hpp"

#include "tests/models/topology/example_fabrics.hpp"

namespace bursar::level_rates_test {
namespace {

using test::gb_s;

struct Rates {
    Locality locality;
    std::vector<LevelRates> rates;

    [[nodiscard]] const LevelRates& at(std::string_view level) const {
        return rates[locality.find(level)];
    }
};

Rates rates_of(const Fabric& fabric) {
    Rates out{locality_of(fabric), {}};
    out.rates = level_rates(fabric, out.locality);
    return out;
}

double in_gb_s(ByteRate rate) {
    return rate.count() / 1e9;
}

} // namespace

TEST_CASE("rails without oversubscription give each GPU its own adapter at every level") {
    const Rates rails = rates_of(make_fabric(test::rail_optimised()));
    CHECK(in_gb_s(rails.at("node").pair) == 450);
    CHECK(in_gb_s(rails.at("node").bisection) == 450);
    for (const char* level : {"rack", "fabric"}) {
        CAPTURE(level);
        CHECK(in_gb_s(rails.at(level).pair) == 50);
        CHECK(in_gb_s(rails.at(level).bisection) == 50);
        CHECK(rails.at(level).oversubscription == 1);
    }
    CHECK(rails.at("rack").latency->count() == doctest::Approx(2 * 0.5e-6 + 2 * 0.6e-6 + 0.6e-6));
}

TEST_CASE("a tapered tree divides by its oversubscription tier by tier") {
    // A node's 12.5 GB/s over its 8 GPUs; a rack lets 25 of 50 GB/s out, a pod 25 of 50.
    const Rates tree = rates_of(make_fabric(test::tapered_tree()));
    CHECK(in_gb_s(tree.at("rack").bisection) == 12.5 / 8);
    CHECK(in_gb_s(tree.at("pod").bisection) == 25.0 / 32);
    CHECK(in_gb_s(tree.at("fabric").bisection) == 25.0 / 64);
    CHECK(tree.at("rack").oversubscription == 1);
    CHECK(tree.at("pod").oversubscription == 2);
    CHECK(tree.at("fabric").oversubscription == 4);
    for (const char* level :
         {"rack", "pod", "fabric"}) // a single pair is limited by the adapter only
        CHECK(in_gb_s(tree.at(level).pair) == 12);
}

TEST_CASE("without NVLink GPUs meet at the host") {
    const Rates pcie = rates_of(make_fabric(test::pcie_only()));
    CHECK(in_gb_s(pcie.at("node").pair) == 12);
    CHECK(in_gb_s(pcie.at("node").bisection) == 12);
    CHECK(in_gb_s(pcie.at("rack").bisection) == 12.5 / 8);
    CHECK(pcie.at("fabric").oversubscription == 2);
}

TEST_CASE("an NVL72 rack is one domain of 72 GPUs") {
    const Rates nvl = rates_of(make_fabric(test::nvl72()));
    CHECK(in_gb_s(nvl.at("nvlink").pair) == 900);
    CHECK(in_gb_s(nvl.at("nvlink").bisection) == 900);
    CHECK(in_gb_s(nvl.at("fabric").bisection) == 50);
}

TEST_CASE("the bisection of a torus is that of its longest side") {
    // Cutting a k-ary n-cube of N nodes through cuts 2 N / k links (Dally 1990); per node of half.
    const auto closed = [](double nodes, double side, double link) {
        return 2 * nodes / side * link / (nodes / 2);
    };
    CHECK(in_gb_s(rates_of(make_fabric(test::torus_3d())).at("fabric").bisection) ==
          closed(64, 4, 50));
    RegularFabric flat = test::torus_3d();
    flat.torus = {4, 8};
    flat.tile = {};
    flat.nodes = 32;
    const Rates two_sides = rates_of(make_fabric(flat));
    CHECK(in_gb_s(two_sides.at("fabric").bisection) == closed(32, 8, 50));
    CHECK(in_gb_s(two_sides.at("fabric").pair) == 50);
    CHECK_FALSE(two_sides.at("fabric").oversubscription.has_value()); // no adapters
    flat.torus = {2, 2}; // a side of 2 has one link, not two: a ring of four nodes
    flat.nodes = 4;
    CHECK(in_gb_s(rates_of(make_fabric(flat)).at("fabric").bisection) == 2 * 50.0 / 2);
}

TEST_CASE("a pair may use a wider path than the direct one: hybrid cube mesh of a DGX-1") {
    // Links of 25 GB/s as on a DGX-1 with V100: GPU 0 has two to 3 and 4, one to 1 and 2, none to
    // 5, 6 and 7 (NVIDIA DGX-1 whitepaper, figure 4).
    constexpr int links[8][8] = {{0, 1, 1, 2, 2, 0, 0, 0},
                                 {1, 0, 2, 1, 0, 2, 0, 0},
                                 {1, 2, 0, 2, 0, 0, 1, 0},
                                 {2, 1, 2, 0, 0, 0, 0, 1},
                                 {2, 0, 0, 0, 0, 1, 1, 2},
                                 {0, 2, 0, 0, 1, 0, 2, 1},
                                 {0, 0, 1, 0, 1, 2, 0, 2},
                                 {0, 0, 0, 1, 2, 1, 2, 0}};
    FabricBuilder builder{"dgx-1"};
    std::vector<std::uint32_t> gpus;
    for (int g = 0; g < 8; ++g)
        gpus.push_back(builder.device("node[0]/gpu[" + std::to_string(g) + "]", DeviceKind::gpu));
    int degree = 0;
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = a + 1; b < 8; ++b)
            if (links[a][b] > 0) {
                builder.link(gpus[a], gpus[b], gb_s * (25.0 * links[a][b]), {});
                degree += a == 0 ? links[a][b] : 0;
            }
    REQUIRE(degree == 6);
    const Rates dgx = rates_of(builder.take());
    CHECK(dgx.locality.levels.front().medium == Medium::nvlink);
    CHECK(in_gb_s(dgx.at("node").pair) == 50); // over doubled links all the way
    CHECK(in_gb_s(dgx.at("node").bisection) == (2 + 2 + 1 + 1) * 25.0 / 4);
}

TEST_CASE("a sampled pair agrees with the maximum flow where parts are alike") {
    for (const RegularFabric& spec :
         {test::rail_optimised(), test::tapered_tree(), test::nvl72()}) {
        CAPTURE(spec.name);
        const Fabric fabric = make_fabric(spec);
        const Locality locality = locality_of(fabric);
        for (std::size_t level = 1; level < locality.levels.size(); ++level) {
            CAPTURE(level);
            const Bisection whole = bisection_of(fabric, locality, level, 0);
            const Bisection sampled = bisection_of(fabric, locality, level, 0, 0);
            CHECK(whole.method == BisectionMethod::max_flow);
            CHECK(sampled.method == BisectionMethod::sampled_pair);
            CHECK(whole.per_gpu == sampled.per_gpu);
        }
    }
}

TEST_CASE("a latency is that of the level's medium, and not known where a link has none") {
    FabricBuilder builder{"f"};
    builder.device("top", DeviceKind::network_switch);
    for (const char* node : {"node[0]", "node[1]"}) {
        const std::string path = node;
        builder.device(path + "/nvswitch", DeviceKind::nvswitch);
        builder.device(path + "/nic", DeviceKind::nic);
        builder.link(path + "/nic", "top", gb_s, Seconds{1e-6});
        for (const char* gpu : {"/gpu[0]", "/gpu[1]"}) {
            builder.device(path + gpu, DeviceKind::gpu);
            builder.link(path + gpu, path + "/nvswitch", gb_s, Seconds{0.3e-6});
            builder.link(path + gpu, path + "/nic", gb_s, Seconds{0});
        }
    }
    Fabric fabric = builder.take();
    const Rates given = rates_of(fabric);
    CHECK(given.at("node").latency->count() == doctest::Approx(0.6e-6)); // not by the adapter
    CHECK(given.at("fabric").latency->count() == doctest::Approx(2e-6));
    fabric.links[2].latency = std::nullopt; // GPU to adapter
    const Rates missing = rates_of(fabric);
    CHECK(missing.at("node").latency->count() == doctest::Approx(0.6e-6));
    CHECK_FALSE(missing.at("fabric").latency.has_value());
}

TEST_CASE("nodes of one GPU have nothing inside") {
    RegularFabric spec = test::torus_3d();
    const Rates torus = rates_of(make_fabric(spec));
    CHECK(torus.at("node").pair == ByteRate{});
    CHECK(torus.at("node").bisection == ByteRate{});
}

} // namespace bursar::level_rates_test
