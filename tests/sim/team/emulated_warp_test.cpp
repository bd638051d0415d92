#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/team/team.hpp"

#include "tests/sim/team/emulated_warp.hpp"

namespace bursar::test { namespace {

/// The result of ask(team) on each lane.
template <class Ask>
auto answers(const Ask& ask) {
    std::vector<decltype(ask(EmulatedWarp{}))> all;
    EmulatedWarp{}.launch([&](const EmulatedWarp& warp) { all.push_back(ask(warp)); });
    return all;
}

TEST_CASE("every lane of the emulated warp gets the result of a single lane") {
    CHECK(rc::check("", [](const std::vector<std::int32_t>& values) {
        const auto n = static_cast<std::uint32_t>(values.size());
        const auto least = [&](const auto& team) {
            return team.minimum(
                n, [&](std::uint32_t i) { return values[i]; }, std::int32_t{77});
        };
        const auto first = [&](const auto& team) {
            return team.first(n, [&](std::uint32_t i) { return values[i] < 0; });
        };
        RC_ASSERT(answers(least) == std::vector(EmulatedWarp::num_lanes, least(OneLane{})));
        RC_ASSERT(answers(first) == std::vector(EmulatedWarp::num_lanes, first(OneLane{})));
    }));
}

TEST_CASE("for_each visits every element once, and once() is complete before any lane continues") {
    std::vector<int> acts(100);
    int once = 0;
    std::vector<int> seen;
    EmulatedWarp{}.launch([&](const EmulatedWarp& warp) {
        warp.for_each(100, [&](std::uint32_t i) { ++acts[i]; });
        warp.once(
            [&] { once = *std::ranges::max_element(acts) + *std::ranges::min_element(acts); });
        seen.push_back(once);
    });
    CHECK(acts == std::vector<int>(100, 1));
    CHECK(seen == std::vector<int>(EmulatedWarp::num_lanes, 2));
}

TEST_CASE("between barriers, lanes run in any order") {
    std::vector<std::vector<std::uint32_t>> orders(3);
    WarpFibers fibers{1};
    fibers.run([&](std::uint32_t lane) {
        for (std::vector<std::uint32_t>& order : orders) {
            order.push_back(lane);
            fibers.meet(lane, "here");
        }
    });
    CHECK(std::set(orders.begin(), orders.end()).size() == 3);
    for (std::vector<std::uint32_t>& order : orders) {
        CHECK(!std::ranges::is_sorted(order));
        CHECK(std::set(order.begin(), order.end()).size() == WarpFibers::num_lanes);
    }
}

TEST_CASE("a write outside of for_each and once is done by every lane") {
    int written = 0;
    EmulatedWarp{}.launch([&](const EmulatedWarp& warp) {
        ++written; // the fault
        warp.once([] {});
    });
    CHECK(written == EmulatedWarp::num_lanes);
}

TEST_CASE("diverging lanes are reported with their places") {
    const auto alone = [](std::uint32_t only) {
        std::uint32_t lane = 0;
        EmulatedWarp{}.launch([&](const EmulatedWarp& warp) {
            if (lane++ == only) // as they come
                warp.once([] {});
            warp.for_each(1, [](std::uint32_t) {});
        });
    };
    CHECK_THROWS_AS(alone(0), std::logic_error);
    CHECK_THROWS_AS(alone(31), std::logic_error);
    CHECK_NOTHROW(alone(32));
    WarpFibers fibers{1};
    const auto leave = [&](std::uint32_t lane) {
        if (lane != 5)
            fibers.meet(lane, "here");
    };
    CHECK_THROWS_WITH(fibers.run(leave), "the lanes part: lane 0 is at here, lane 5 at the end");
    const auto fail = [&](std::uint32_t lane) {
        if (lane == 7)
            throw std::runtime_error{"lane 7"};
        fibers.meet(lane, "here");
    };
    CHECK_THROWS_WITH(fibers.run(fail), "lane 7");
}

} // namespace
} // namespace bursar::test
