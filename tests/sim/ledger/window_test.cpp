#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::test::window_test {
namespace {

/// Between half and twice the reference speed; small shares of the gang stalled.
PlanSpeed draw_speed(std::uint32_t gpus) {
    PlanSpeed out;
    out.speed = drawn::in_range<std::int64_t>(reference_speed / 2, 2 * reference_speed);
    for (std::int64_t& stalled : out.stalled_slots)
        stalled = drawn::in_range<std::int64_t>(0, gpus * slots_per_gpu / 4);
    return out;
}

Plan draw_plan() {
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    const int num_jobs = drawn::in_range(1, 60);
    for (int j = 0; j < num_jobs; ++j) {
        submit += j == 0 ? 0 : drawn::in_range(0, 500);
        jobs.push_back({submit,
                        drawn::in_range(0, 2000),
                        drawn::in_range(1U, 9U),
                        drawn::in_range<std::uint64_t>(1, 4),
                        drawn::in_range<std::uint16_t>(0, 3)});
        if (jobs.back().permitted_pools != 1)
            jobs.back().gpus = 1 + jobs.back().gpus % 4;
        jobs.back().end = static_cast<JobEnd>(drawn::in_range(0, 5));
    }
    Plan plan = plan_of(jobs, {pool_of(2, 8), pool_of(3, 4)});
    plan.classes[0] = {Duration{drawn::in_range(0, 90'000)}, Duration{drawn::in_range(0, 9'000)}};
    if (drawn::boolean())
        give_speeds(plan, draw_speed);
    return plan;
}

std::vector<SlotTime> cells_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome.cells;
}

} // namespace

TEST_CASE("in every hour and pool the leaves add up to paid time, and the hours to the run") {
    CHECK(check_property([] {
        Plan plan = draw_plan();
        const PolicyChoice choice{drawn::one_of<std::string>("fifo", "sjf"),
                                  drawn::one_of(HeadRule::block, HeadRule::skip),
                                  "nodes",
                                  "consolidated"};
        plan.until = drawn::in_range(1, 8) * hour + Duration{drawn::in_range(0, 3'600'000)};
        const std::vector<SlotTime> whole = cells_of(plan, choice);
        std::vector<SlotTime> by_hour(whole.size());
        const std::size_t cells_of_pool = whole.size() / plan.pools.size();
        for (Duration begin{0}; begin < *plan.until; begin += hour) {
            const Duration end = std::min(begin + hour, *plan.until);
            plan.measure_from = begin;
            plan.measure_to = end;
            const std::vector<SlotTime> cells = cells_of(plan, choice);
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
                SlotTime booked;
                for (std::size_t c = 0; c < cells_of_pool; ++c) {
                    const SlotTime cell = cells[pool * cells_of_pool + c];
                    RC_ASSERT(cell >= SlotTime{0});
                    booked += cell;
                    by_hour[pool * cells_of_pool + c] += cell;
                }
                const std::int64_t slots = plan.pools[pool].num_gpus() * slots_per_gpu;
                RC_ASSERT(booked == slot_time(slots, end - begin));
            }
        }
        RC_ASSERT(by_hour == whole);
    }));
}

} // namespace bursar::test::window_test
