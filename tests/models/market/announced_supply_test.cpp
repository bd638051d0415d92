#include <vector>

#include <doctest/doctest.h>

#include "models/market/announced_supply.hpp"

namespace bursar::announced_supply_test {
namespace {

std::vector<SupplyStep> steps(const SupplySeries& supply) {
    return {supply.steps().begin(), supply.steps().end()};
}

} // namespace

TEST_CASE("falls are announced and rises are not; a visit shorter than a notice is none") {
    const SupplySeries supply{{{0, 3}, {50, 1}, {100, 4}, {120, 2}, {300, 5}, {305, 0}},
                              Duration{400}};
    CHECK(steps(announced(supply, Duration{0})) == steps(supply));
    CHECK(steps(announced(supply, Duration{30})) ==
          std::vector<SupplyStep>{{0, 3}, {20, 1}, {100, 2}, {275, 0}});
    CHECK(steps(announced(supply, Duration{60})).front() == SupplyStep{0, 1}); // from 0 on
    CHECK(announced(supply, Duration{30}).end() == Duration{400});
}

TEST_CASE("what is announced is the least that can be had until the notice has passed") {
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

} // namespace bursar::announced_supply_test
