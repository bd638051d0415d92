#include <doctest/doctest.h>

#include "models/reliability/gang_interruptions.hpp"

namespace bursar::gang_interruptions_test {
namespace {

FailureModel failures() {
    FailureModel model;
    model.components.push_back({.name = "gpu", .per_gpu_hour = 1e-4});
    model.components.push_back({.name = "board", .per_node_hour = 1e-3});
    return model;
}

} // namespace

TEST_CASE("a gang fails with its nodes and with their racks") {
    FailureModel model = failures();
    CHECK(gang_failures_per_hour(model, 1, 8) == doctest::Approx(1.8e-3));
    CHECK(gang_failures_per_hour(model, 64, 8) == doctest::Approx(64 * 1.8e-3));
    model.racks = {.nodes_per_rack = 16, .per_rack_hour = 0.01};
    CHECK(gang_failures_per_hour(model, 16, 8) == doctest::Approx(16 * 1.8e-3 + 0.01));
    CHECK(gang_failures_per_hour(model, 17, 8) == doctest::Approx(17 * 1.8e-3 + 0.02));
}

TEST_CASE("a fall of a series hits a gang with the probability of a random choice of nodes") {
    // 10 h: 4 nodes, then 3, then 0, then 4.
    const auto at = [](int of_hour, std::int32_t nodes) {
        return SupplyStep{of_hour * hour.count(), nodes};
    };
    const SupplySeries supply{{at(0, 4), at(4, 3), at(6, 0), at(8, 4)}, 10 * hour};
    // One node, up for 8 h: the first fall hits it with probability 1/4, the second surely.
    CHECK(gang_reclaims_per_hour(supply, 1) == doctest::Approx(1.25 / 8));
    // Two: 1 - C(3, 2) / C(4, 2) = 1/2.
    CHECK(gang_reclaims_per_hour(supply, 2) == doctest::Approx(1.5 / 8));
    // Four are up for 6 h, and the first fall takes one.
    CHECK(gang_reclaims_per_hour(supply, 4) == doctest::Approx(1.0 / 6));
    CHECK(gang_reclaims_per_hour(supply, 5) == 0);
}

TEST_CASE("a fall of nodes that are not launched hits no gang") {
    const auto at = [](int of_hour, std::int32_t nodes) {
        return SupplyStep{of_hour * hour.count(), nodes};
    };
    const SupplySeries supply{{at(0, 8), at(4, 4), at(6, 1), at(8, 8)}, 10 * hour};
    CHECK(gang_reclaims_per_hour(supply, 1, 4) == doctest::Approx(0.75 / 10)); // from 4 to 1
    CHECK(gang_reclaims_per_hour(supply, 1, 1) == 0);
    CHECK(gang_reclaims_per_hour(supply, 1, 8) == doctest::Approx((0.5 + 0.75) / 10));
    CHECK(gang_reclaims_per_hour(supply, 1, 99) == gang_reclaims_per_hour(supply, 1));
}

TEST_CASE("maintenance takes a gang as often as its nodes are among those worked on") {
    const MaintenancePlan windows{{}, 10 * hour, hour, 2};
    CHECK(gang_maintenance_per_hour(windows, 1, 8) == doctest::Approx(0.25 / 10));
    CHECK(gang_maintenance_per_hour(windows, 8, 8) == doctest::Approx(0.1));
    CHECK(gang_maintenance_per_hour({{}, 10 * hour, hour, 0}, 1, 8) == doctest::Approx(0.1));
}

TEST_CASE("memoryless laws hit a gang at the sum of their rates, as in a long draw") {
    const auto law = [](Duration mean) { return LifeLaw::exponential(mean); };
    const ZoneSupply alone{8, {law(10 * hour), law(2 * hour)}, {}};
    CHECK(gang_reclaims_per_hour(SupplyModel{alone}, 3) == doctest::Approx(0.3));
    const ZoneSupply zoned{8, {law(10 * hour), law(2 * hour)}, UpDown{law(20 * hour), law(hour)}};
    CHECK(gang_reclaims_per_hour(SupplyModel{zoned}, 3) == doctest::Approx(0.35));
    const SupplySeries drawn = generate(zoned, 4000 * day, 7);
    for (const int nodes : {1, 3})
        CHECK(gang_reclaims_per_hour(drawn, nodes) ==
              doctest::Approx(gang_reclaims_per_hour(SupplyModel{zoned}, nodes)).epsilon(0.02));
}

TEST_CASE("a law with memory is measured in a separate draw") {
    const ZoneSupply supply{
        2, {LifeLaw::weibull(0.7, 10 * hour), LifeLaw::weibull(0.7, 2 * hour)}, {}};
    const double measured = gang_reclaims_per_hour(SupplyModel{supply}, 1);
    CHECK(measured == doctest::Approx(3.6e6 / supply.node.up.mean_ms()).epsilon(0.1));
}

} // namespace bursar::gang_interruptions_test
