#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::preemption_bill_test {
namespace {

const PolicyChoice srtf{"srtf", HeadRule::skip, "count", ""};

Outcome run_of(const Plan& plan, const PolicyChoice& choice = srtf) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
}

SlotTime gpu_seconds(int gpus_times_seconds) {
    return slot_time(std::int64_t{gpus_times_seconds} * slots_per_gpu, second);
}

SlotTime booked(const Outcome& outcome) {
    SlotTime sum;
    for (const SlotTime cell : outcome.cells)
        sum += cell;
    return sum;
}

/// 4 GPUs; a job of 100 s on all of them; at second 40 a job of 10 s arrives that ranks before it.
Plan long_and_short() {
    Plan plan = plan_of({{0, 100, 4}, {40, 10, 4}}, {pool_of(1, 4)});
    plan.classes[0].startup = 5 * second;
    plan.classes[0].recovery = 8 * second;
    return plan;
}

} // namespace

SCENARIO("the bill of a job that is preempted once") {
    GIVEN("a long job, stopped after 5 s of start-up and 35 s of work for one of 5 + 10 s") {
        Plan plan = long_and_short();
        THEN("its work survives, and it recovers before it continues") {
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == (40 + 15 + 8 + 65) * second);
            CHECK(outcome.num_preempted == 1);
            CHECK(outcome.num_started == 3);
            CHECK(outcome.num_preempted_without_progress == 0);
            CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * (5 + 5)));
            CHECK(outcome.cell(0, 0, Leaf::over_recovery) == gpu_seconds(4 * 8));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 110));
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == SlotTime{0});
            CHECK(booked(outcome) == gpu_seconds(4 * 128));
        }
        THEN("without checkpoints all its work so far is lost, stalls included") {
            plan.classes[0].checkpoint = Checkpoint::none;
            give_speeds(plan, [](std::uint32_t) {
                return PlanSpeed{reference_speed, {0, 1'000, 0, 0}}; // 1 of 4 GPUs stalls
            });
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == (40 + 15 + 8 + 100) * second);
            CHECK(outcome.num_preempted_without_progress == 1);
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 35));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(3 * 110));
            CHECK(outcome.cell(0, 0, Leaf::stall_comm) == gpu_seconds(110));
            CHECK(booked(outcome) == gpu_seconds(4 * 163));
        }
        THEN("with a save every 10 s of work, 2 s each, work after the last one is lost") {
            plan.classes[0].checkpoint = Checkpoint::every;
            plan.classes[0].interval = 10 * second;
            plan.classes[0].save = 2 * second;
            const Outcome outcome = run_of(plan);
            // Offset 35 s: two cycles of 12 s, 10 s more at work, 1 s of an interrupted save. Then
            // 80 s are left: 7 saves.
            CHECK(outcome.end == (40 + 15 + 8 + 80 + 7 * 2) * second);
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * (2 * 2 + 1 + 14)));
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 10));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 110));
            CHECK(booked(outcome) == gpu_seconds(4 * 157));
        }
        THEN("with increments written during its work, work after the last durable state is lost") {
            PlanClass& own = plan.classes[0];
            own.checkpoint = Checkpoint::every;
            own.interval = 10 * second;
            own.save = own.increment = 1 * second;
            own.full_every = 4;
            own.write = 10 * second;
            own.increment_write = 3 * second;
            // Offset 35 s: saves over at 11, 22 and 33 s, of which the full one is written at 21
            // and the first increment at 25. It has worked for 32 s; 80 s are left, with 7 saves.
            Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 12));
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * (3 + 7)));
            CHECK(outcome.end == (40 + 15 + 8 + 80 + 7) * second);
            CHECK(booked(outcome) == gpu_seconds(4 * 150));
            own.increment_write = 2 * second; // the second one is written at 35 s
            CHECK(run_of(plan).cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 2));
            own.write = 25 * second; // the full one is not: increments need it
            outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 32));
            CHECK(outcome.end == (40 + 15 + 8 + 100 + 9) * second);
        }
        THEN("a last save holds its GPUs, and the others are held for the waiting job") {
            plan.classes[0].save = 6 * second;
            plan.pools[0].num_nodes = 2; // the short job needs all 8, the long one has 4
            plan.shapes.push_back({8, 1});
            plan.shape[1] = 1;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.end == (40 + 6 + 15 + 8 + 65) * second);
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 6));
            CHECK(outcome.cell(0, 1, Leaf::idle_gang) == gpu_seconds(4 * 6));
            CHECK(booked(outcome) == gpu_seconds(8 * 134));
        }
        THEN("a run that ends inside that save has billed a part of it") {
            plan.classes[0].save = 6 * second;
            plan.until = 43 * second;
            const Outcome outcome = run_of(plan);
            CHECK(outcome.num_running_at_end == 1);
            CHECK(outcome.num_queued_at_end == 1);
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 3));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 35));
            CHECK(booked(outcome) == gpu_seconds(4 * 43));
        }
        THEN("a window of measurement cuts every phase") {
            plan.classes[0].checkpoint = Checkpoint::every;
            plan.classes[0].interval = 10 * second;
            plan.classes[0].save = 2 * second;
            plan.measure_from = 16 * second; // 1 s into the first save
            plan.measure_to = 39 * second;   // at the end of the work of the third cycle
            const Outcome outcome = run_of(plan);
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 3));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 10));
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(4 * 10));
            CHECK(booked(outcome) == gpu_seconds(4 * 23));
        }
    }
}

SCENARIO("saves at intervals cost time without preemption, too") {
    Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 4)});
    plan.classes[0].checkpoint = Checkpoint::every;
    plan.classes[0].interval = 30 * second;
    plan.classes[0].save = 4 * second;
    const PolicyChoice fifo{"fifo", HeadRule::block, "count", ""};
    THEN("three saves of 4 s make 100 s of work 112 s long") {
        const Outcome outcome = run_of(plan, fifo);
        CHECK(outcome.end == 112 * second);
        CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 12));
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
    }
    THEN("work in the last save is durable when the run ends first") {
        plan.until = 80 * second; // 2 cycles of 34 s, 12 s of work after them
        const Outcome outcome = run_of(plan, fifo);
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 60));
        CHECK(outcome.cell(0, 0, Leaf::prod_uncommitted) == gpu_seconds(4 * 12));
        CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 8));
    }
}

SCENARIO("a job that cannot be placed keeps its GPUs for the pass") {
    // Two nodes of 4. Gangs of 3 leave one GPU free on each; the job of 2 comes first but fits on
    // no node; the job of 1 behind it would, but GPUs are held for the first.
    Plan plan = plan_of({{0, 100, 3}, {0, 100, 3}, {10, 20, 2}, {10, 50, 1}}, {pool_of(2, 4)});
    const PolicyChoice choice{"fifo", HeadRule::skip, "nodes", "consolidated", "none", "order"};
    const Outcome outcome = run_of(plan, choice);
    CHECK(outcome.end == 150 * second);
    CHECK(outcome.num_preempted == 0);
    CHECK(outcome.cell(0, 1, Leaf::idle_gang) == gpu_seconds(2 * 90));
    CHECK(outcome.cell(0, 1, Leaf::idle_no_demand) ==
          gpu_seconds(2 * 10 + (8 - 3) * 20 + (8 - 1) * 30));
    CHECK(booked(outcome) == gpu_seconds(8 * 150));
}

} // namespace bursar::test::preemption_bill_test
