#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_series.hpp"

namespace bursar::supply_series_test {

Duration hours(std::int64_t n) {
    return n * hour;
}

SupplyStep step(std::int64_t hours, std::int32_t nodes) {
    return {hours * hour.count(), nodes};
}

// Two nodes for 3 h, none for 1 h, one for 2 h, three for 4 h.
SupplySeries example() {
    return {{step(10, 2), step(13, 0), step(14, 1), step(16, 3)}, hours(20)};
}

TEST_CASE("a step holds until the next; outside the observation the nearest step holds") {
    const SupplySeries supply = example();
    CHECK(supply.at(hours(10)) == 2);
    CHECK(supply.at(hours(13) - millisecond) == 2);
    CHECK(supply.at(hours(13)) == 0);
    CHECK(supply.at(hours(19)) == 3);
    CHECK(supply.at(hours(0)) == 2);
    CHECK(supply.at(hours(100)) == 3);
    CHECK(supply.max_nodes() == 3);
    CHECK(supply.length() == hours(10));
}

TEST_CASE("node-hours are the sum over the steps, exactly, between any two instants") {
    const SupplySeries supply = example();
    CHECK(supply.node_ms() == int128{3 * 2 + 2 * 1 + 4 * 3} * hour.count());
    CHECK(supply.node_ms(hours(12), hours(15)) == int128{2 + 1} * hour.count());
    CHECK(supply.node_ms(hours(8), hours(11)) == int128{3 * 2} * hour.count());
    CHECK(supply.node_ms(hours(19), hours(22)) == int128{3 * 3} * hour.count());
    CHECK(supply.node_ms(hours(15), hours(15)) == 0);
    for (std::int64_t cut = 9; cut <= 21; ++cut)
        CHECK(supply.node_ms(hours(9), hours(cut)) + supply.node_ms(hours(cut), hours(21)) ==
              supply.node_ms(hours(9), hours(21)));
}

TEST_CASE("a step that changes nothing is dropped") {
    const SupplySeries supply{{step(0, 1), step(1, 1), step(2, 0)}, hours(3)};
    CHECK(supply.steps().size() == 2);
    CHECK(supply.steps()[1] == step(2, 0));
}

TEST_CASE("the complement is the number missing from the maximum") {
    const SupplySeries other = inverted(example());
    CHECK(other.at(hours(10)) == 1);
    CHECK(other.at(hours(13)) == 3);
    CHECK(other.at(hours(19)) == 0);
    CHECK(other.node_ms() + example().node_ms() == int128{10 * 3} * hour.count());
    CHECK(inverted(SupplySeries{{step(0, 0)}, hours(2)}).at(hours(1)) == 1);
}

TEST_CASE("steps that form no valid series are refused") {
    CHECK_THROWS_WITH_AS((SupplySeries{{}, hours(1)}),
                         "supply: has no steps; give at least one time with its nodes",
                         ModelError);
    CHECK_THROWS_AS((SupplySeries{{step(1, 1), step(1, 2)}, hours(2)}), ModelError);
    CHECK_THROWS_AS((SupplySeries{{step(1, -1)}, hours(2)}), ModelError);
    CHECK_THROWS_AS((SupplySeries{{step(1, 1)}, hours(1)}), ModelError);
}

} // namespace bursar::supply_series_test
