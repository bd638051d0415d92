#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/markov_supply.hpp"
#include "models/market/supply_statistics.hpp"

namespace bursar::markov_supply_test {

TEST_CASE("two states: up for U / (U + D) of the time") {
    // Down 1 h, up 4 h in the mean.
    const MarkovSupply chain{{0, 8}, {0, 1, 0.25, 0}};
    CHECK(chain.shares()[1] == doctest::Approx(0.8));
    CHECK(chain.mean_nodes() == doctest::Approx(6.4));
    CHECK(chain.reclaims_per_day() == doctest::Approx(0.8 * 0.25 * 24 * 8));
    double mean = 0;
    double up_ms = 0;
    double ends = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const SupplySeries series = generate(chain, 60 * day, seed);
        mean += statistics_of(series).mean_nodes / 100;
        up_ms += static_cast<double>(series.node_ms());
        ends += static_cast<double>(statistics_of(series).num_reclaims);
    }
    CHECK(mean == doctest::Approx(6.4).epsilon(0.01));
    CHECK(up_ms / ends / 3.6e6 == doctest::Approx(4).epsilon(0.02));
}

TEST_CASE("three states in a ring: shares in proportion to the mean stays, by hand") {
    // 0 for 1 h, then 1 for 2 h, then 5 for 5 h, and back.
    const MarkovSupply ring{{0, 1, 5}, {0, 1, 0, 0, 0, 0.5, 0.2, 0, 0}};
    CHECK(ring.shares()[0] == doctest::Approx(1.0 / 8));
    CHECK(ring.shares()[1] == doctest::Approx(2.0 / 8));
    CHECK(ring.shares()[2] == doctest::Approx(5.0 / 8));
    CHECK(ring.leave_per_hour(2) == doctest::Approx(0.2));
    CHECK(ring.reclaims_per_day() == doctest::Approx(24.0 / 8 * 5));
}

TEST_CASE("a fitted chain has the shares of time of its series, exactly") {
    const auto at = [](std::int64_t hours, std::int32_t nodes) {
        return SupplyStep{hours * hour.count(), nodes};
    };
    const SupplySeries series{{at(0, 2), at(3, 0), at(4, 2), at(9, 7), at(11, 0)}, 14 * hour};
    const MarkovSupply chain = fit_markov(series);
    REQUIRE(chain.nodes() == std::vector<std::int32_t>{0, 2, 7});
    CHECK(chain.shares()[0] == doctest::Approx(4.0 / 14));
    CHECK(chain.shares()[1] == doctest::Approx(8.0 / 14));
    CHECK(chain.shares()[2] == doctest::Approx(2.0 / 14));
    CHECK(chain.mean_nodes() == doctest::Approx(statistics_of(series).mean_nodes));
    CHECK(chain.per_hour(1, 0) == doctest::Approx(1.0 / 8));
    CHECK(chain.per_hour(0, 1) == doctest::Approx(2.0 / 4)); // once back to the beginning
    // A last step that holds for no time adds no state.
    const SupplySeries events{{at(0, 1), at(2, 0), at(3, 9)}, 3 * hour};
    CHECK(fit_markov(events).nodes() == std::vector<std::int32_t>{0, 1});
}

TEST_CASE("the same seed, the same steps; another pool, others") {
    const MarkovSupply chain{{0, 8}, {0, 1, 0.25, 0}};
    const SupplySeries one = generate(chain, 10 * day, 3);
    CHECK(one.node_ms() == generate(chain, 10 * day, 3).node_ms());
    CHECK(one.node_ms() != generate(chain, 10 * day, 4).node_ms());
    CHECK(one.node_ms() != generate(chain, 10 * day, 3, {1, 0}).node_ms());
    CHECK(generate(chain, 20 * day, 3).node_ms(Duration{0}, 10 * day) == one.node_ms());
}

TEST_CASE("invalid chains are refused") {
    CHECK_THROWS_AS((MarkovSupply{{4}, {0}}), ModelError);
    CHECK_THROWS_AS((MarkovSupply{{4, 4}, {0, 1, 1, 0}}), ModelError);
    CHECK_THROWS_AS((MarkovSupply{{0, 4}, {0, 1, 1}}), ModelError);
    CHECK_THROWS_AS((MarkovSupply{{0, 4}, {0, -1, 1, 0}}), ModelError);
    CHECK_THROWS_AS((MarkovSupply{{0, 4}, {0, 1, 0, 0}}), ModelError); // never left
    CHECK_THROWS_AS((MarkovSupply{{0, 4}, {0, 0, 1, 0}}), ModelError); // never reached
    CHECK_THROWS_AS((void)fit_markov(SupplySeries{{{0, 1}}, hour}), ModelError);
}

} // namespace bursar::markov_supply_test
