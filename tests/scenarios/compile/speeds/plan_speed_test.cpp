#include <cmath>

#include <doctest/doctest.h>

#include "scenarios/compile/speeds/plan_speed.hpp"

#include "tests/properties.hpp"

namespace bursar::test::plan_speed_test {

TEST_CASE("shares become slots of the gang by largest remainder") {
    // 8 GPUs are 8,000 slots: 1,666.67 and 333.33 leave 6,000 working.
    const PlanSpeed speed = plan_speed(0.75, {1.0 / 24, 5.0 / 24, 0, 0}, 8);
    CHECK(speed.speed == 3 * reference_speed / 4);
    CHECK(speed.stalled_slots[0] == 333);
    CHECK(speed.stalled_slots[1] == 1667);
    CHECK(speed.all_stalled_slots() == 2000);
}

TEST_CASE("a job that only stalls has no slot at work, and the slowest job still advances") {
    const PlanSpeed speed = plan_speed(1e-9, {0.25, 0.25, 0.25, 0.25 + 1e-12}, 1);
    CHECK(speed.all_stalled_slots() == 1000);
    CHECK(speed.speed == 1);
}

TEST_CASE("each stall is rounded by less than a slot, and together they fit the gang") {
    CHECK(check_property([] {
        const auto gpus = drawn::in_range<std::int64_t>(1, 4096);
        StallShares shares{};
        double left = 1.0;
        for (double& share : shares) {
            share = left * drawn::in_range(0, 1'000'001) / 1e6;
            left -= share;
        }
        const PlanSpeed speed = plan_speed(1.0, shares, gpus);
        for (std::size_t stall = 0; stall < num_stalls; ++stall) {
            const double exact = shares[stall] * static_cast<double>(gpus * slots_per_gpu);
            RC_ASSERT(speed.stalled_slots[stall] >= 0);
            RC_ASSERT(std::abs(static_cast<double>(speed.stalled_slots[stall]) - exact) < 1.0);
        }
        RC_ASSERT(speed.all_stalled_slots() <= gpus * slots_per_gpu);
    }));
}

} // namespace bursar::test::plan_speed_test
