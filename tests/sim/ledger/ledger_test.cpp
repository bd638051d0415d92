#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "sim/ledger/leaf_power.hpp"
#include "sim/ledger/ledger.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::test::ledger_test {
namespace {

const PolicyChoice fifo_count{"fifo", HeadRule::block, "count", ""};
const PolicyChoice skip_count{"fifo", HeadRule::skip, "count", ""};
const PolicyChoice skip_nodes{"fifo", HeadRule::skip, "nodes", "consolidated"};

Outcome run_of(const Plan& plan, const PolicyChoice& choice = fifo_count) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
}

SlotTime gpu_seconds(int gpus_times_seconds) {
    return slot_time(std::int64_t{gpus_times_seconds} * slots_per_gpu, second);
}

SlotTime idle(const Outcome& outcome, Leaf leaf, std::size_t pool = 0) {
    return outcome.cell(pool, outcome.num_tenants, leaf);
}

SlotTime booked(const Outcome& outcome) {
    SlotTime sum;
    for (const SlotTime cell : outcome.cells)
        sum += cell;
    return sum;
}

} // namespace

TEST_CASE("a leaf is in the group that its name begins with, and draws power as that group") {
    const std::map<std::string_view, LeafGroup> groups{{"unavail", LeafGroup::unavailable},
                                                       {"idle", LeafGroup::idle},
                                                       {"over", LeafGroup::overhead},
                                                       {"stall", LeafGroup::stalled},
                                                       {"lost", LeafGroup::lost},
                                                       {"prod", LeafGroup::productive}};
    for (std::size_t i = 0; i < num_leaves; ++i) {
        const auto leaf = static_cast<Leaf>(i);
        const std::string_view name = name_of(leaf);
        CAPTURE(name);
        const LeafGroup group = groups.at(name.substr(0, name.find('.')));
        CHECK(group_of(leaf) == group);
        const bool is_off =
            leaf == Leaf::unavail_reserved_unlaunched || leaf == Leaf::unavail_asleep;
        const bool is_held = group != LeafGroup::unavailable && group != LeafGroup::idle;
        CHECK(power_state(leaf) == (is_off    ? PowerState::off
                                    : is_held ? PowerState::busy
                                              : PowerState::idle));
    }
}

SCENARIO("one job's bill") {
    GIVEN("a job of 4 GPUs for 100 s with 10 s of startup and 5 s of teardown on 8 GPUs") {
        Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 8)});
        plan.classes[0] = {10 * second, 5 * second};
        THEN("its GPU time is GPUs x seconds in each phase, and the rest had no demand") {
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == 115 * second);
            CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 10));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
            CHECK(outcome.cell(0, 0, Leaf::over_teardown) == gpu_seconds(4 * 5));
            CHECK(idle(outcome, Leaf::idle_no_demand) == gpu_seconds(4 * 115));
            CHECK(booked(outcome) == gpu_seconds(8 * 115));
        }
        THEN("its work is lost by its end in the trace; its overhead stays overhead") {
            const std::vector<std::pair<JobEnd, Leaf>> ends{
                {JobEnd::failed, Leaf::lost_job_failed},
                {JobEnd::cancelled, Leaf::lost_cancelled},
                {JobEnd::stopped, Leaf::lost_stopped},
                {JobEnd::node_failed, Leaf::lost_failure}};
            for (const auto& [end, leaf] : ends) {
                CAPTURE(name_of(leaf));
                plan.end[0] = end;
                const Outcome outcome = run_of(plan);
                CHECK(outcome.cell(0, 0, leaf) == gpu_seconds(4 * 100));
                CHECK(outcome.cell(0, 0, Leaf::prod_useful) == SlotTime{0});
                CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 10));
            }
        }
        THEN("a run that ends inside the work leaves it uncommitted") {
            plan.until = 60 * second;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == 60 * second);
            CHECK(outcome.num_running_at_end == 1);
            CHECK(outcome.num_finished == 0);
            CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 10));
            CHECK(outcome.cell(0, 0, Leaf::prod_uncommitted) == gpu_seconds(4 * 50));
            CHECK(booked(outcome) == gpu_seconds(8 * 60));
        }
        THEN("a run that ends inside the teardown keeps the work") {
            plan.until = 112 * second;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
            CHECK(outcome.cell(0, 0, Leaf::over_teardown) == gpu_seconds(4 * 2));
            CHECK(outcome.num_running_at_end == 1);
        }
        THEN("a job whose GPUs are released at the very end has finished") {
            plan.until = 115 * second;
            CHECK(run_of(plan).num_finished == 1);
        }
        THEN("capacity is paid until `until`, long after the last job") {
            plan.until = 1000 * second;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == 1000 * second);
            CHECK(booked(outcome) == gpu_seconds(8 * 1000));
        }
        THEN("a measurement window cuts every leaf to its interval") {
            plan.measure_from = 5 * second;
            plan.measure_to = 20 * second;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 5));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 10));
            CHECK(booked(outcome) == gpu_seconds(8 * 15));
        }
        THEN("time billed past the end by whole steps is unlaunched") {
            plan.pools[0].billing_step = minute; // 115 s are billed as 120 s
            const Outcome outcome = run_of(plan);
            CHECK(idle(outcome, Leaf::unavail_reserved_unlaunched) == gpu_seconds(8 * 5));
            CHECK(booked(outcome) == gpu_seconds(8 * 120));
        }
    }
}

SCENARIO("a job that trains a model") {
    GIVEN("4 GPUs for 100 s of work at half speed, an eighth of it communication, a 16th bubble") {
        Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 8)});
        plan.classes[0] = {10 * second, 5 * second, 1};
        plan.speeds = {{reference_speed / 2, {0, 500, 250, 0}}};
        THEN("it is at work for 200 s, and its stalls have separate leaves") {
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == 215 * second);
            CHECK(outcome.cell(0, 0, Leaf::stall_comm) == gpu_seconds(100));
            CHECK(outcome.cell(0, 0, Leaf::stall_bubble) == gpu_seconds(50));
            CHECK(outcome.cell(0, 0, Leaf::stall_input) == SlotTime{0});
            CHECK(outcome.cell(0, 0, Leaf::stall_sync) == SlotTime{0});
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 200 - 150));
            CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 10));
            CHECK(booked(outcome) == gpu_seconds(8 * 215));
        }
        THEN("stalls of lost work are lost with it") {
            plan.end[0] = JobEnd::failed;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::lost_job_failed) == gpu_seconds(4 * 200));
            CHECK(outcome.cell(0, 0, Leaf::stall_comm) == SlotTime{0});
        }
        THEN(
            "a run that ends inside the work leaves the steps uncommitted, and the stalls stalls") {
            plan.until = 50 * second;
            plan.end[0] = JobEnd::failed; // not known yet
            const Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::stall_comm) == gpu_seconds(20));
            CHECK(outcome.cell(0, 0, Leaf::stall_bubble) == gpu_seconds(10));
            CHECK(outcome.cell(0, 0, Leaf::prod_uncommitted) == gpu_seconds(4 * 40 - 30));
        }
        THEN("a second job of another class takes the time it says") {
            plan = plan_of({{0, 100, 4}, {0, 100, 4, 1, 0, JobEnd::completed, 1}}, {pool_of(1, 8)});
            plan.classes = {{Duration{}, Duration{}, 1}, {}};
            plan.speeds = {{reference_speed / 2, {0, 500, 250, 0}}};
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == 200 * second);
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 200 - 150 + 4 * 100));
        }
    }
    GIVEN("work that does not divide by the speed") {
        Plan plan = plan_of({{0, 1, 1}}, {pool_of(1, 1)});
        plan.classes[0].speed_row = 1;
        plan.speeds = {{3 * reference_speed, {}}};
        THEN("it ends in the millisecond in which it is done") {
            CHECK(run_of(plan).end == Duration{334});
        }
    }
    GIVEN("work so slow that it passes the horizon") {
        Plan plan = plan_of({{0, 1'000'000, 1}}, {pool_of(1, 1)});
        plan.classes[0].speed_row = 1;
        plan.speeds = {{1, {}}};
        THEN("the run reports it, or ends at `until`") {
            CHECK(run_of(plan).status == RunStatus::horizon_exceeded);
            plan.until = hour;
            CHECK(run_of(plan).cell(0, 0, Leaf::prod_uncommitted) == gpu_seconds(3600));
        }
    }
}

SCENARIO("the reasons for free GPUs") {
    GIVEN("4 of 8 GPUs busy for 100 s, an 8-GPU job next and a 1-GPU job behind it") {
        const Plan plan = plan_of({{0, 100, 4}, {10, 50, 8}, {20, 30, 1}}, {pool_of(1, 8)});
        THEN("a blocking head holds every free GPU from its arrival to its start") {
            const Outcome outcome = run_of(plan, fifo_count);
            CHECK(idle(outcome, Leaf::idle_no_demand) == gpu_seconds(4 * 10 + 7 * 30));
            CHECK(idle(outcome, Leaf::idle_gang) == gpu_seconds(4 * 90));
        }
        THEN("if it is skipped, free GPUs are still too few for it") {
            const Outcome outcome = run_of(plan, skip_count);
            // 10..20: 4 free, 20..50: 3 free with the small job, 50..100: 4 free.
            CHECK(idle(outcome, Leaf::idle_gang) == gpu_seconds(4 * 10 + 3 * 30 + 4 * 50));
            CHECK(idle(outcome, Leaf::idle_fragmented) == SlotTime{0});
        }
    }
    GIVEN("two nodes of 4, each with a job of 3, and a job of 2") {
        const Plan plan = plan_of({{0, 100, 3}, {0, 100, 3}, {10, 10, 2}}, {pool_of(2, 4)});
        THEN("free GPUs are fragmented, as many as it requests") {
            const Outcome outcome = run_of(plan, skip_nodes);
            CHECK(idle(outcome, Leaf::idle_fragmented) == gpu_seconds(2 * 90));
            CHECK(idle(outcome, Leaf::idle_gang) == SlotTime{0});
        }
    }
    GIVEN("three nodes of 4, each with a job of 3, and jobs of 2 and of 3") {
        const Plan plan = plan_of({{0, 100, 3}, {0, 100, 3}, {0, 100, 3}, {10, 10, 2}, {10, 10, 3}},
                                  {pool_of(3, 4)});
        THEN("both explain free GPUs") {
            const Outcome outcome = run_of(plan, skip_nodes);
            CHECK(idle(outcome, Leaf::idle_fragmented) == gpu_seconds(3 * 90));
            CHECK(idle(outcome, Leaf::idle_no_demand) == gpu_seconds(3 * 10 + 7 * 10));
        }
    }
    GIVEN("100 nodes of 2 with one GPU free on each, and one job of 2") {
        std::vector<JobSpec> jobs;
        for (int node = 0; node < 100; ++node) { // two to a node, the second one leaves at once
            jobs.push_back({0, 100, 1});
            jobs.push_back({0, 10, 1});
        }
        jobs.push_back({10, 10, 2});
        const Plan plan = plan_of(jobs, {pool_of(100, 2)});
        THEN("2 of the 100 free GPUs are fragmented, and there is no demand for the other 98") {
            const Outcome outcome = run_of(plan, skip_nodes);
            CHECK(idle(outcome, Leaf::idle_fragmented) == gpu_seconds(2 * 90));
            // ... and the other 198 once the job runs, from 100 to 110
            CHECK(idle(outcome, Leaf::idle_no_demand) == gpu_seconds(98 * 90 + 198 * 10));
        }
    }
    GIVEN("two pools, and a job that may use only the full one") {
        const Plan plan = plan_of({{0, 100, 4, 1}, {10, 50, 3, 1}}, {pool_of(1, 4), pool_of(1, 8)});
        THEN("the other pool's free GPUs are ineligible as far as the job asks, else without "
             "demand") {
            const Outcome outcome = run_of(plan, skip_nodes);
            CHECK(idle(outcome, Leaf::idle_ineligible, 1) == gpu_seconds(3 * 90));
            CHECK(idle(outcome, Leaf::idle_no_demand, 1) == gpu_seconds(8 * 10 + 5 * 90 + 8 * 50));
            CHECK(idle(outcome, Leaf::idle_gang, 0) == SlotTime{0});
        }
    }
    GIVEN("two pools of which both may be used, and demand enough for one") {
        const Plan plan = plan_of({{0, 100, 3, 1}, {0, 100, 3, 2}, {10, 50, 2, 3}},
                                  {pool_of(1, 4), pool_of(1, 4)});
        THEN("each job's demand is consumed once, pools by name") {
            const Outcome outcome = run_of(plan, skip_nodes);
            CHECK(idle(outcome, Leaf::idle_gang, 0) == gpu_seconds(1 * 90));
            CHECK(idle(outcome, Leaf::idle_gang, 1) == gpu_seconds(1 * 90));
            CHECK(idle(outcome, Leaf::idle_no_demand, 0) == gpu_seconds(1 * 10 + 2 * 50));
        }
    }
}

TEST_CASE("a cleared ledger is empty from its first cell to its last") {
    Plan plan = plan_of({{0, 1}}, {pool_of(1, 1)});
    plan.pools[0].price_series = static_cast<std::uint16_t>(plan.prices.add({{0, 5}, {1, 2}}));
    plan.grid.series = {static_cast<std::uint16_t>(plan.grid.integrals.add({{0, 5}, {1, 2}}))};
    const PlanView view = view_of(plan);
    ArenaBlock<Ledger> block{[&](ArenaCarver& carver) { return Ledger{carver, view}; }};
    Ledger& ledger = block.content;
    ledger.clear();
    const auto num_booked = [&] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < Ledger::num_cells(view); ++i)
            count += (ledger.cells()[i] != SlotTime{}) + (ledger.money()[i] != Money{}) +
                     (ledger.grid()[i] != GridTime{});
        return count;
    };
    CHECK(num_booked() == 0);
    for (const TenantId tenant : {TenantId{0}, ledger.no_tenant()})
        for (const Leaf leaf : {Leaf::unavail_reserved_unlaunched, Leaf::prod_uncommitted})
            ledger.charge(PoolId{0}, tenant, leaf, 1, 0, 10);
    CHECK(num_booked() == 4 * 3);
    ledger.clear();
    CHECK(num_booked() == 0);
}

TEST_CASE("an event past the horizon ends the run with that status") {
    Plan plan = plan_of({{0, horizon_ms / 1000 + 1, 1}}, {pool_of(1, 1)});
    CHECK(run_of(plan).status == RunStatus::horizon_exceeded);
    plan.until = day;
    const Outcome cut = run_of(plan);
    CHECK(cut.status == RunStatus::ok);
    CHECK(cut.cell(0, 0, Leaf::prod_uncommitted) == slot_time(slots_per_gpu, day));
}

TEST_CASE("at `until` ends still count, and nothing begins") {
    Plan plan = plan_of({{0, 100, 1}, {100, 10, 1}}, {pool_of(1, 1)});
    plan.until = 100 * second;
    const Outcome outcome = run_of(plan);
    CHECK(outcome.num_finished == 1);
    CHECK(outcome.num_started == 1);
    CHECK(outcome.num_queued_at_end == 0); // the second one was never submitted
    CHECK(booked(outcome) == gpu_seconds(100));
}

TEST_CASE("a window with an end excludes time billed past the run") {
    Plan plan = plan_of({{0, 180, 1}}, {pool_of(1, 1)});
    plan.pools[0].billing_step = hour;
    CHECK(booked(run_of(plan)) == gpu_seconds(3600));
    for (const int to : {60, 180, 600}) {
        CAPTURE(to);
        plan.measure_to = std::int64_t{to} * second;
        const Outcome outcome = run_of(plan);
        CHECK(booked(outcome) == gpu_seconds(std::min(to, 180)));
        CHECK(outcome.window_end == std::int64_t{std::min(to, 180)} * second);
    }
    plan.measure_to.reset();
    plan.measure_from = 600 * second; // after the end: nothing is measured
    CHECK(booked(run_of(plan)) == SlotTime{0});
}

TEST_CASE("running attempts are part of the fingerprint") {
    Plan plan = plan_of({{0, 100, 1}, {0, 100, 1}, {0, 100, 2}}, {pool_of(1, 2)});
    plan.until = 50 * second;
    const std::uint64_t small_ones = run_of(plan).fingerprint;
    plan = plan_of({{0, 100, 2}, {0, 100, 1}, {0, 100, 1}}, {pool_of(1, 2)});
    plan.until = 50 * second;
    CHECK(run_of(plan).fingerprint != small_ones);
}

TEST_CASE("jobs of zero length start and end at one instant, in successive rounds") {
    const Plan plan = plan_of({{5, 0, 1}, {5, 0, 1}, {5, 0, 1}}, {pool_of(1, 1)});
    const Outcome outcome = run_of(plan);
    CHECK(outcome.end == 5 * second);
    CHECK(outcome.num_finished == 3);
    CHECK(outcome.events == 6);
}

} // namespace bursar::test::ledger_test
