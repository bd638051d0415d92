#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/backfill/fit_frontier.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::fit_frontier_test {
namespace {

struct Noted {
    std::int64_t slots{};
    std::int64_t held_ms{};
    std::int64_t instant_ms{};
};

} // namespace

TEST_CASE("bounds never exceed recorded results, and equal them for the recorded gang") {
    CHECK(check_property([] {
        const auto unit = drawn::in_range(1U, 9U);
        std::vector<test::JobSpec> jobs;
        for (const std::uint32_t gpus : {1U, 2U, 4U, 7U, 16U})
            jobs.push_back({0, 1, unit * gpus});
        const Plan plan = test::plan_of(jobs, {test::pool_of(16, 9)});
        test::ArenaBlock<FitFrontier> block{[&](ArenaCarver& carver) {
            return FitFrontier{carver, RunPlan{view_of(plan)}};
        }};
        FitFrontier& frontier = block.content;
        frontier.clear();
        std::vector<Noted> noted;
        const auto draw_slots = [&] {
            return plan.shapes[drawn::in_range<std::size_t>(0, plan.shapes.size())].slots();
        };
        const auto draw_held = [] {
            return drawn::in_range<std::int64_t>(1, std::int64_t{1} << drawn::in_range(1, 40));
        };
        for (int change = 0; change < 60; ++change) {
            if (drawn::in_range(0, 30) == 0) {
                frontier.forget();
                noted.clear();
            }
            const Noted one{draw_slots(), draw_held(), drawn::in_range<std::int64_t>(1, 1000)};
            frontier.note(one.slots, one.held_ms, one.instant_ms);
            noted.push_back(one);
            const std::int64_t slots = draw_slots();
            const std::int64_t held_ms = draw_held();
            std::int64_t most = 0;
            for (const Noted& other : noted) {
                if (other.slots <= slots && other.held_ms <= held_ms)
                    most = std::max(most, other.instant_ms);
            }
            RC_ASSERT(frontier.before(slots, held_ms) <= most);
            RC_ASSERT(frontier.before(one.slots, 2 * one.held_ms) >= one.instant_ms);
        }
    }));
}

} // namespace bursar::fit_frontier_test
