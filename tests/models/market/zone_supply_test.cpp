#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_statistics.hpp"
#include "models/market/zone_supply.hpp"

namespace bursar::zone_supply_test {

UpDown exponential(Duration up, Duration down) {
    return {LifeLaw::exponential(up), LifeLaw::exponential(down)};
}

/// Means over seeds of what a generator gives.
struct Means {
    double up_share{};
    double mean_up_h{};
    double p90_up_h{};
    double variance{}; ///< of the number of nodes, over time
};

Means means_of(const ZoneSupply& supply, Duration horizon, int num_seeds) {
    Means out;
    double up_ms = 0;
    double ends = 0;
    for (int seed = 0; seed < num_seeds; ++seed) {
        const SupplySeries series = generate(supply, horizon, static_cast<std::uint64_t>(seed));
        const SupplyStatistics facts = statistics_of(series);
        out.up_share += facts.mean_nodes / supply.nodes / num_seeds;
        out.p90_up_h += static_cast<double>(facts.p90_up.count()) / 3.6e6 / num_seeds;
        up_ms += static_cast<double>(series.node_ms());
        ends += static_cast<double>(facts.num_reclaims);
        const double expected = supply.node_up_share() * supply.nodes;
        for (std::size_t i = 0; i < series.steps().size(); ++i) {
            const std::int64_t until = i + 1 < series.steps().size() ? series.steps()[i + 1].time_ms
                                                                     : series.end().count();
            const double off = series.steps()[i].nodes - expected;
            out.variance += off * off * static_cast<double>(until - series.steps()[i].time_ms) /
                            static_cast<double>(horizon.count()) / num_seeds;
        }
    }
    out.mean_up_h = up_ms / ends / 3.6e6;
    return out;
}

TEST_CASE("exponential nodes: up-share, mean and 90th percentile of up-times in closed form") {
    const ZoneSupply supply{1, exponential(3 * hour, hour), std::nullopt};
    const Means means = means_of(supply, 60 * day, 100);
    CHECK(supply.node_up_share() == doctest::Approx(0.75));
    CHECK(means.up_share == doctest::Approx(0.75).epsilon(0.01));
    CHECK(means.mean_up_h == doctest::Approx(3).epsilon(0.02));
    CHECK(means.p90_up_h == doctest::Approx(3 * std::log(10.0)).epsilon(0.02));
}

TEST_CASE("Weibull nodes: the same, with early ends") {
    const ZoneSupply supply{
        1, {LifeLaw::weibull(0.7, 2 * hour), LifeLaw::weibull(1.5, hour)}, std::nullopt};
    const double up = 2 * std::tgamma(1 + 1 / 0.7);
    const double down = std::tgamma(1 + 1 / 1.5);
    const Means means = means_of(supply, 60 * day, 100);
    CHECK(means.up_share == doctest::Approx(up / (up + down)).epsilon(0.01));
    CHECK(means.mean_up_h == doctest::Approx(up).epsilon(0.02));
    CHECK(means.p90_up_h == doctest::Approx(2 * std::pow(std::log(10.0), 1 / 0.7)).epsilon(0.03));
}

TEST_CASE("the first instant is as likely up as any other") {
    int up = 0;
    constexpr int num_seeds = 4000;
    const ZoneSupply supply{
        1, {LifeLaw::weibull(0.5, hour), LifeLaw::exponential(4 * hour)}, std::nullopt};
    for (int seed = 0; seed < num_seeds; ++seed)
        up += generate(supply, hour, static_cast<std::uint64_t>(seed)).at(Duration{0});
    // One third, and three standard errors.
    CHECK(up / static_cast<double>(num_seeds) == doctest::Approx(1.0 / 3).epsilon(0.07));
}

TEST_CASE("independent nodes vary as a binomial number; nodes of a zone go together") {
    const ZoneSupply alone = zone_supply({10, 4 * hour, 0.8, 0});
    CHECK_FALSE(alone.zone.has_value());
    const Means independent = means_of(alone, 60 * day, 40);
    CHECK(independent.variance == doctest::Approx(10 * 0.8 * 0.2).epsilon(0.03));
    CHECK(independent.mean_up_h == doctest::Approx(4).epsilon(0.02));

    const ZoneSupply half = zone_supply({10, 4 * hour, 0.8, 0.5});
    CHECK(half.node_up_share() == doctest::Approx(0.8).epsilon(1e-6));
    const Means together = means_of(half, 60 * day, 100);
    // n A (1 - A) (1 + (n - 1) correlation)
    CHECK(together.variance == doctest::Approx(10 * 0.8 * 0.2 * 5.5).epsilon(0.03));
    CHECK(together.up_share == doctest::Approx(0.8).epsilon(0.01));
    CHECK(together.mean_up_h == doctest::Approx(4).epsilon(0.02));

    const Means as_one = means_of(zone_supply({10, 4 * hour, 0.8, 1}), 60 * day, 100);
    CHECK(as_one.variance == doctest::Approx(100 * 0.8 * 0.2).epsilon(0.03));
    CHECK(as_one.mean_up_h == doctest::Approx(4).epsilon(0.03));
}

TEST_CASE("a draw belongs to seed, pool and node: more nodes move none, pools of a zone share it") {
    const UpDown node = exponential(3 * hour, hour);
    const auto series = [&](std::int32_t nodes, std::uint64_t seed, SupplyEntity entity) {
        return generate(ZoneSupply{nodes, node, std::nullopt}, 10 * day, seed, entity);
    };
    const SupplySeries one = series(1, 7, {2, 0});
    const SupplySeries two = series(2, 7, {2, 0});
    bool within = true;
    for (Duration at; at < 10 * day; at += minute)
        within = within && two.at(at) >= one.at(at) && two.at(at) <= one.at(at) + 1;
    CHECK(within);
    CHECK(one.node_ms() != series(1, 8, {2, 0}).node_ms());
    CHECK(one.node_ms() != series(1, 7, {3, 0}).node_ms());
    // A longer run begins as the shorter one.
    const SupplySeries longer =
        generate(ZoneSupply{1, node, std::nullopt}, 20 * day, 7, SupplyEntity{2, 0});
    CHECK(longer.node_ms(Duration{0}, 10 * day) == one.node_ms());

    const UpDown always{LifeLaw::exponential(max_life), LifeLaw::exponential(second)};
    const ZoneSupply zoned{1, always, node};
    const SupplySeries here = generate(zoned, 10 * day, 7, {0, 5});
    const SupplySeries there = generate(zoned, 10 * day, 7, {1, 5});
    CHECK(here.node_ms() == there.node_ms());
    CHECK(here.node_ms() != generate(zoned, 10 * day, 7, {1, 6}).node_ms());
}

TEST_CASE("supply that is none is refused") {
    CHECK_THROWS_AS((void)generate(ZoneSupply{0, exponential(hour, hour), std::nullopt}, day, 1),
                    ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 1, 0}), ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 0, 0}), ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 0.5, 1.5}), ModelError);
}

} // namespace bursar::zone_supply_test
