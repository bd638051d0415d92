#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/owned_cost.hpp"
#include "models/market/price_integral.hpp"
#include "models/market/prices_by_use.hpp"
#include "models/units/int128.hpp"

namespace bursar::prices_by_use_test {
namespace {

constexpr std::int64_t hour_ms = hour.count();
constexpr std::int64_t usd = 1'000'000'000;

/// The cost of nodes of one GPU along a series, in nano-USD per GPU-hour x ms.
int128 cost_along(const PriceSeries& series, const std::vector<PaidNode>& nodes) {
    PriceIntegrals integrals;
    const PriceIntegral price = integrals.of(integrals.add(series));
    int128 cost{};
    for (const PaidNode& node : nodes)
        cost += price.between(Duration{node.begin_ms}, Duration{node.end_ms}).count();
    return cost;
}

std::int64_t rate_at(const PriceSeries& list, std::int64_t at_ms) {
    std::size_t step = 0;
    while (step + 1 < list.size() && list.start_ms[step + 1] <= at_ms)
        ++step;
    return list.rate[step];
}

/// A small separate generator, so that the cases never change.
struct Draws {
    std::uint64_t state;
    std::int64_t below(std::int64_t limit) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(limit));
    }
};

std::vector<PaidNode> drawn_nodes(Draws& draws, std::int64_t until_ms) {
    std::vector<PaidNode> nodes;
    for (std::int64_t i = 0; i < 40; ++i) {
        const std::int64_t begin = draws.below(until_ms);
        nodes.push_back({begin, begin + 1 + draws.below(until_ms / 3)});
    }
    return nodes;
}

PriceSeries drawn_prices(Draws& draws, std::int64_t until_ms) {
    PriceSeries list;
    for (std::int64_t at = 0; at < until_ms; at += 1 + draws.below(until_ms / 20)) {
        list.start_ms.push_back(at);
        list.rate.push_back(draws.below(3 * usd));
    }
    return list;
}

} // namespace

TEST_CASE("two nodes launched at different prices, by hand") {
    // 1 USD until hour 1, then 4. The first node runs from hour 0 to 3, the second from 2 to 5.
    const PriceSeries list{{0, hour_ms}, {1 * usd, 4 * usd}};
    const std::vector<PaidNode> nodes{{0, 3 * hour_ms}, {2 * hour_ms, 5 * hour_ms}};
    const PriceSeries paid = locked_at_launch(list, nodes);
    CHECK(paid == PriceSeries{{0, 2 * hour_ms, 3 * hour_ms}, {usd, 5 * usd / 2, 4 * usd}});
    CHECK(cost_along(paid, nodes) == int128{15 * usd} * hour_ms);
}

TEST_CASE(
    "a mean that is no whole number is dearer for a part of its time, and a whole one never is") {
    // Nodes at 1, 1 and, for 50 ms, 3 nano-dollars: 5 / 3 is 1, and 2 for 33 ms and a third, which
    // is left over.
    const PriceSeries list{{0, 1}, {1, 3}};
    CHECK(locked_at_launch(list, {{0, 101}, {0, 101}, {1, 51}}) ==
          PriceSeries{{0, 1, 34}, {1, 2, 1}});
    // Afterwards two nodes at 3 and 3 cost exactly that.
    CHECK(locked_at_launch(list, {{0, 51}, {0, 51}, {1, 51}, {51, 90}, {51, 90}}) ==
          PriceSeries{{0, 1, 34, 51}, {1, 2, 1, 3}});
}

TEST_CASE("an absent node costs nothing") {
    const PriceSeries list{{0, hour_ms}, {1 * usd, 4 * usd}};
    CHECK(locked_at_launch(list, {}) == PriceSeries{{0}, {usd}});
    CHECK(locked_at_launch(list, {{2 * hour_ms, 2 * hour_ms}}) == PriceSeries{{0}, {usd}});
    CHECK(locked_at_launch(list, {{2 * hour_ms, 3 * hour_ms}}) ==
          PriceSeries{{2 * hour_ms}, {4 * usd}});
}

TEST_CASE("launch prices sum to the payments of the nodes, to less than a nano-dollar") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        Draws draws{seed};
        const std::int64_t until_ms = 50 * hour_ms;
        const PriceSeries list = drawn_prices(draws, until_ms);
        const std::vector<PaidNode> nodes = drawn_nodes(draws, until_ms);
        int128 by_node{};
        for (const PaidNode& node : nodes)
            by_node += int128{rate_at(list, node.begin_ms)} * (node.end_ms - node.begin_ms);
        const PriceSeries paid = locked_at_launch(list, nodes);
        REQUIRE(paid.is_valid());
        const int128 missing = by_node - cost_along(paid, nodes);
        CHECK(missing >= 0);
        CHECK(missing < static_cast<std::int64_t>(nodes.size())); // of 3,600,000 a nano-dollar
    }
}

TEST_CASE("nodes that are always up are discounted like a fixed pool") {
    const PriceSeries list{{-5, 100 * hour_ms, 900 * hour_ms}, {usd, 2 * usd, 3 * usd}};
    const std::vector<std::int64_t> google{1'000'000, 800'000, 600'000, 400'000};
    const std::vector<VolumeTier> tiers{{Duration{1000 * hour_ms}, 900'000},
                                        {Duration{5001 * hour_ms + 1}, 700'000}};
    const std::int64_t until_ms = 2000 * hour_ms;
    const std::vector<PaidNode> nodes(3, PaidNode{0, until_ms});
    const auto same = [&](const PriceSeries& a, const PriceSeries& b) {
        for (std::int64_t at = 0; at < until_ms; at += hour_ms / 2)
            if (rate_at(a, at) != rate_at(b, at))
                return false;
        return cost_along(a, nodes) == cost_along(b, nodes);
    };
    const PriceSeries sustained = at_shares(list, sustained_use(google, Duration{until_ms}));
    CHECK(same(discounted_by_use(list, google, {}, 8, nodes), sustained));
    CHECK(
        same(discounted_by_use(list, {}, tiers, 8, nodes), at_shares(list, by_volume(tiers, 24))));
    CHECK(same(discounted_by_use(list, google, tiers, 8, nodes),
               at_shares(sustained, by_volume(tiers, 24))));
}

TEST_CASE("sustained use of nodes that come and go, by hand") {
    // Halves of a month of 730 h at 1 and 0.5. One node runs all month; a second one from hour 100
    // to 300 and another from 500 to 730: the second of two is used for 430 h, and in its second
    // half from hour 500 + 165 on.
    const std::vector<PaidNode> nodes{{0, 730 * hour_ms},
                                      {100 * hour_ms, 300 * hour_ms},
                                      {500 * hour_ms, 730 * hour_ms},
                                      {730 * hour_ms, 731 * hour_ms}};
    const PriceSeries paid =
        discounted_by_use({{0}, {4 * usd}}, {1'000'000, 500'000}, {}, 8, nodes);
    CHECK(paid == PriceSeries{{0, 365 * hour_ms, 500 * hour_ms, 665 * hour_ms, 730 * hour_ms},
                              {4 * usd, 2 * usd, 3 * usd, 2 * usd, 4 * usd}});
    // 365 h whole and 365 h half; 365 h whole and 65 h half; then a new month.
    CHECK(cost_along(paid, nodes) ==
          int128{4 * usd * 365 + 2 * usd * 365 + 4 * usd * 365 + 2 * usd * 65 + 4 * usd} * hour_ms);
}

TEST_CASE("a volume counts the GPU time of the pool, whichever nodes there are") {
    // 16 GPU-hours at the list's price: one node of 8 for an hour, two for another half.
    const std::vector<PaidNode> nodes{{0, 4 * hour_ms}, {hour_ms, 4 * hour_ms}};
    CHECK(discounted_by_use({{0}, {usd}}, {}, {{16 * hour, 500'000}}, 8, nodes) ==
          PriceSeries{{0, 3 * hour_ms / 2}, {usd, usd / 2}});
}

TEST_CASE("no discount raises a bill, and a pool used less gets less discount") {
    const std::vector<std::int64_t> google{1'000'000, 800'000, 600'000, 400'000};
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Draws draws{seed};
        const std::int64_t until_ms = 2000 * hour_ms;
        const PriceSeries list = drawn_prices(draws, until_ms);
        const std::vector<PaidNode> nodes = drawn_nodes(draws, until_ms);
        const int128 whole = cost_along(list, nodes);
        const int128 sustained = cost_along(discounted_by_use(list, google, {}, 8, nodes), nodes);
        CHECK(sustained <= whole);
        CHECK(sustained * 10 >= whole * 4);
        const std::vector<VolumeTier> tiers{{100 * hour, 900'000}, {900 * hour, 500'000}};
        CHECK(cost_along(discounted_by_use(list, google, tiers, 8, nodes), nodes) <= sustained);
    }
}

} // namespace bursar::prices_by_use_test
