#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/allocator/free_ahead.hpp"

namespace bursar::test::free_ahead_test {
namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> steps_of(const FreeAhead& free) {
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    for (const FreeAhead::Step& step : free.steps())
        out.emplace_back(step.begin_ms, step.slots);
    return out;
}

} // namespace

TEST_CASE("slots are taken over a time and are free again after it") {
    FreeAhead free{8};
    CHECK(free.split(0) == 0);
    free.add(10, 30, -3);
    CHECK(steps_of(free) ==
          std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 8}, {10, 5}, {30, 8}});
    free.add(0, 20, -5);
    CHECK(steps_of(free) ==
          std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 3}, {10, 0}, {20, 5}, {30, 8}});
    CHECK(free.now() == 3);
    CHECK(free.split(25) == 3);
    CHECK(free.steps()[3].slots == 5);
    CHECK(free.split(40) == 5);
}

} // namespace bursar::test::free_ahead_test
