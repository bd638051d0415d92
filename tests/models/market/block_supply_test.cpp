#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/block_supply.hpp"
#include "models/market/supply_statistics.hpp"

namespace bursar::block_supply_test {

SupplySeries example() {
    const auto at = [](std::int64_t hours, std::int32_t nodes) {
        return SupplyStep{hours * hour.count(), nodes};
    };
    return {{at(5, 2), at(7, 0), at(8, 2), at(13, 7), at(15, 0), at(18, 2)}, 25 * hour};
}

TEST_CASE("stretches of a series have its mean, whatever their length") {
    const SupplySeries series = example();
    for (const Duration block : {hour, 5 * hour, 100 * hour}) {
        double mean = 0;
        constexpr int num_seeds = 400;
        for (std::uint64_t seed = 0; seed < num_seeds; ++seed)
            mean +=
                statistics_of(generate(BlockSupply{series, block}, 100 * hour, seed)).mean_nodes /
                num_seeds;
        CHECK(mean == doctest::Approx(statistics_of(series).mean_nodes).epsilon(0.03));
    }
}

TEST_CASE("inside a stretch all is as it was, round the end, too") {
    const SupplySeries series = example();
    const SupplySeries played = generate(BlockSupply{series, max_life}, 40 * hour, 3);
    // One stretch: it repeats after the length of the series, and holds each number as long.
    CHECK(played.node_ms(Duration{0}, 20 * hour) == series.node_ms());
    bool repeats = true;
    for (Duration at; at < 20 * hour; at += minute)
        repeats = repeats && played.at(at) == played.at(at + 20 * hour);
    CHECK(repeats);
    CHECK(played.max_nodes() == 7);
}

TEST_CASE("the same seed, the same stretches; a longer run begins as the shorter one") {
    const BlockSupply supply = block_supply(example());
    CHECK(supply.mean_block == 10 * hour);
    const SupplySeries one = generate(supply, 100 * hour, 3);
    CHECK(generate(supply, 300 * hour, 3).node_ms(Duration{0}, 100 * hour) == one.node_ms());
    CHECK(generate(supply, 100 * hour, 4).node_ms() != one.node_ms());
    CHECK(generate(supply, 100 * hour, 3, {1, 0}).node_ms() != one.node_ms());
    CHECK_THROWS_AS((void)generate(BlockSupply{example(), Duration{5}}, hour, 1), ModelError);
}

} // namespace bursar::block_supply_test
