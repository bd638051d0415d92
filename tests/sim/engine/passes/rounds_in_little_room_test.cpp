#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::rounds_in_little_room_test {

TEST_CASE("GPUs that wait for the round are idle.latency, for any size of the arena") {
    // Three jobs come a second after a round to a pool with a GPU for each: 1 s of 3 GPUs.
    const Plan plan = plan_of({{0, 1, 1}, {11, 5, 1}, {11, 5, 1}, {11, 5, 1}}, {pool_of(1, 4)});
    PolicyChoice choice{"fifo", HeadRule::skip, "count"};
    choice.quantum = 12 * second;
    for (const std::uint32_t room : {1U, 2U, 16U}) {
        CAPTURE(room);
        Workspace workspace{room};
        const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
        CHECK(run.outcome.cell(0, 1, Leaf::idle_latency) == slot_time(3 * slots_per_gpu, second));
    }
}

} // namespace bursar::test::rounds_in_little_room_test
