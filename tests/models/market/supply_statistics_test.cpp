#include <vector>

#include <doctest/doctest.h>

#include "models/market/supply_series.hpp"
#include "models/market/supply_statistics.hpp"

namespace bursar::supply_statistics_test {

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

TEST_CASE("spells are observed times in order; those at the ends are cut short") {
    const auto one = spells(example(), 1);
    REQUIRE(one.size() == 3);
    CHECK((one[0].up && !one[0].whole && one[0].length == hours(3)));
    CHECK((!one[1].up && one[1].whole && one[1].length == hours(1)));
    CHECK((one[2].up && !one[2].whole && one[2].length == hours(6)));
    // Node 1: 3, 6; node 2: 3, 4; node 3: 4.
    std::int64_t up = 0;
    for (const SupplySpell& spell : node_spells(example()))
        up += spell.up ? spell.length.count() : 0;
    CHECK(int128{up} == example().node_ms());
}

TEST_CASE("the facts of a series, worked by hand") {
    const SupplyStatistics facts = statistics_of(example());
    CHECK(facts.mean_nodes == doctest::Approx(2.0));
    CHECK(facts.availability == doctest::Approx(0.9));
    CHECK(facts.node_up_share == doctest::Approx(2.0 / 3));
    CHECK(facts.changes_per_day == doctest::Approx(3 * 2.4));
    CHECK(facts.node_hours == doctest::Approx(20));
    CHECK(facts.num_launches == 2 + 1 + 2);
    CHECK(facts.num_reclaims == 2);
    CHECK(facts.mean_up == hours(4));
    CHECK(facts.p90_up == hours(6)); // of 3, 3, 4, 4, 6
}

TEST_CASE("the confidence interval of a percentile of up-times, by ranks") {
    // 100 spells of 1 to 100 h: of the 90th percentile 90 - 5.88 and 90 + 5.88, rounded up.
    std::vector<SupplySpell> spells;
    for (std::int64_t n = 100; n >= 1; --n)
        spells.push_back({hours(n), true, true});
    spells.push_back({hours(1000), false, true}); // down
    CHECK(up_percentile(spells, 90) == hours(90));
    CHECK(up_percentile_range(spells, 90).low == hours(85));
    CHECK(up_percentile_range(spells, 90).high == hours(96));
    CHECK(up_percentile_range({}, 90).high == Duration{});
}

TEST_CASE("a series without nodes has facts, too") {
    const SupplyStatistics facts = statistics_of(SupplySeries{{step(0, 0)}, hours(5)});
    CHECK(facts.mean_nodes == 0);
    CHECK(facts.availability == 0);
    CHECK(facts.mean_up == Duration{});
    CHECK(facts.p90_up == Duration{});
    CHECK(facts.changes_per_day == 0);
}

} // namespace bursar::supply_statistics_test
