#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_generators.hpp"
#include "models/market/supply_statistics.hpp"

namespace bursar::supply_generators_test {

UpDown exponential(Duration up, Duration down) {
    return {LifeLaw::exponential(up), LifeLaw::exponential(down)};
}

/// Means of generated series over seeds.
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

TEST_CASE("invalid supply is refused") {
    CHECK_THROWS_AS((void)generate(ZoneSupply{0, exponential(hour, hour), std::nullopt}, day, 1),
                    ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 1, 0}), ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 0, 0}), ModelError);
    CHECK_THROWS_AS((void)zone_supply({1, hour, 0.5, 1.5}), ModelError);
}

SupplySeries example() {
    const auto at = [](std::int64_t hours, std::int32_t nodes) {
        return SupplyStep{hours * hour.count(), nodes};
    };
    return {{at(5, 2), at(7, 0), at(8, 2), at(13, 7), at(15, 0), at(18, 2)}, 25 * hour};
}

TEST_CASE("stretches of a series have its mean at any length") {
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

namespace {

std::vector<SupplyStep> steps(const SupplySeries& supply) {
    return {supply.steps().begin(), supply.steps().end()};
}

} // namespace

TEST_CASE("falls are announced, rises are not; a rise shorter than a notice is dropped") {
    const SupplySeries supply{{{0, 3}, {50, 1}, {100, 4}, {120, 2}, {300, 5}, {305, 0}},
                              Duration{400}};
    CHECK(steps(announced(supply, Duration{0})) == steps(supply));
    CHECK(steps(announced(supply, Duration{30})) ==
          std::vector<SupplyStep>{{0, 3}, {20, 1}, {100, 2}, {275, 0}});
    CHECK(steps(announced(supply, Duration{60})).front() == SupplyStep{0, 1}); // from 0 on
    CHECK(announced(supply, Duration{30}).end() == Duration{400});
}

TEST_CASE("the announced number is the minimum of the supply over the notice") {
    std::vector<SupplyStep> some;
    for (int i = 0; i < 200; ++i)
        some.push_back({i * 7 + i * i % 5, (i * 37 + i * i) % 11});
    some.front().time_ms = 0;
    const SupplySeries supply{some, Duration{1500}};
    for (const int notice : {1, 6, 20, 100}) {
        const SupplySeries early = announced(supply, Duration{notice});
        bool is_least = true;
        for (int time = 0; time + notice < 1500; ++time) {
            std::int32_t least = 1000;
            for (int at = time; at <= time + notice; ++at)
                least = std::min(least, supply.at(Duration{at}));
            is_least = is_least && early.at(Duration{time}) == least;
        }
        CHECK(is_least);
    }
}

TEST_CASE("a series since a time inside it, before it and behind it") {
    const SupplySeries supply{{{10, 3}, {50, 1}}, Duration{80}};
    CHECK(steps(since(supply, Duration{20})) == std::vector<SupplyStep>{{0, 3}, {30, 1}});
    CHECK(since(supply, Duration{20}).end() == Duration{60});
    CHECK(steps(since(supply, Duration{0})) == std::vector<SupplyStep>{{0, 3}, {50, 1}});
    CHECK(steps(since(supply, Duration{90})) == std::vector<SupplyStep>{{0, 1}});
}

} // namespace bursar::supply_generators_test
