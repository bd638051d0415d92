#include <limits>

#include <doctest/doctest.h>

#include "policies/queue/value_density.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::value_density_test {
namespace {

std::uint64_t key_of(std::int64_t value, std::uint32_t gpus, std::int64_t remaining_ms) {
    JobView job;
    job.value_nano_usd = value;
    job.gpus = gpus;
    job.remaining = Duration{remaining_ms};
    return HighestValueDensityFirst{}.key(job);
}

} // namespace

TEST_CASE("value-density divides the value by GPUs and remaining time") {
    CHECK(key_of(100, 1, 10) < key_of(99, 1, 10));   // more value
    CHECK(key_of(100, 1, 10) < key_of(100, 1, 11));  // less work
    CHECK(key_of(100, 1, 10) < key_of(100, 2, 10));  // fewer GPUs
    CHECK(key_of(100, 1, 10) == key_of(300, 3, 10)); // 10 nano-USD per GPU-ms, thrice
    CHECK(key_of(7, 2, 9) == key_of(21, 6, 9));      // 7/18, which no binary number is

    JobView half;
    half.value_nano_usd = 50;
    half.gpus = 1;
    half.gpu_slots = slots_per_gpu / 2;
    half.remaining = Duration{10};
    CHECK(HighestValueDensityFirst{}.key(half) == key_of(100, 1, 10));
}

TEST_CASE("value-density at the ends of its range") {
    constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
    CHECK(key_of(0, 8, 100) == key_of(0, 1, 0)); // nothing to win: last
    CHECK(key_of(1, 0xffffffff, horizon_ms) < key_of(0, 1, 1));
    CHECK(key_of(max, 1, 1) < key_of(1, 0xffffffff, horizon_ms));
    CHECK(key_of(1, 1, 0) <= key_of(max, 1, 1)); // no work left: first
}

TEST_CASE("the key agrees with the exact comparison of fractions, close ones being ties") {
    CHECK(check_property([] {
        const auto draw = [] {
            return std::tuple{drawn::in_range<std::int64_t>(1, std::int64_t{1} << 60),
                              drawn::in_range<std::uint32_t>(1, 1U << 20),
                              drawn::in_range<std::int64_t>(1, std::int64_t{1} << 38)};
        };
        const auto [va, ga, ra] = draw();
        auto [vb, gb, rb] = draw();
        if (drawn::boolean())
            std::tie(vb, gb, rb) = std::tuple{va + drawn::in_range(-2, 3), ga, ra};
        const uint128 left = static_cast<uint128>(va) * gb * static_cast<std::uint64_t>(rb);
        const uint128 right = static_cast<uint128>(vb) * ga * static_cast<std::uint64_t>(ra);
        const std::uint64_t a = key_of(va, ga, ra);
        const std::uint64_t b = key_of(vb, gb, rb);
        if (left == right)
            RC_ASSERT(a == b);
        else if (left > right)
            RC_ASSERT(a < b || (a == b && left - right <= right >> 50));
        else
            RC_ASSERT(b < a || (a == b && right - left <= left >> 50));
    }));
}

TEST_CASE("value-density serves the most valuable GPU-hour first") {
    Plan plan = test::plan_of({{0, 10, 2}, {1, 10, 2}, {2, 10, 1}, {3, 20, 2}, {4, 10, 2}},
                              {test::pool_of(1, 2)});
    plan.value_nano_usd = {0, 40, 21, 80, 0}; // per GPU and 10 s: 20, 21, 20, 0
    const PolicyChoice choice{"value-density", HeadRule::block, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 20'000, 10'000, 30'000, 50'000});
}

} // namespace bursar::value_density_test
