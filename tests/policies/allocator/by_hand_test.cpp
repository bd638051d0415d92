#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/check_plan.hpp"
#include "sim/record/metrics.hpp"

#include "policies/runs/engine_instances.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

// Two pools of one GPU; the second works at half the speed of the first.
namespace bursar::test::allocator_by_hand_test {
namespace {

Plan two_pools(const std::vector<JobSpec>& jobs) {
    Plan plan = plan_of(jobs, {pool_of(1, 1), pool_of(1, 1)});
    plan.classes[0].speed_row = 1;
    plan.speeds.resize(2);
    plan.speeds[1].speed = reference_speed / 2;
    return plan;
}

PolicyChoice choice_of(const char* allocator) {
    PolicyChoice choice;
    choice.allocator = allocator;
    choice.capacity = "count";
    return choice;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

std::int64_t booked_ms(const Outcome& outcome, std::size_t pool, Leaf leaf) {
    int128 sum = 0;
    for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
        sum += outcome.cell(pool, tenant, leaf).count();
    return static_cast<std::int64_t>(sum) / slots_per_gpu;
}

/// GPUs of each stopped attempt.
std::vector<std::uint32_t> stopped_gpus(const Plan& plan, const Run& run) {
    std::vector<std::uint32_t> gpus;
    for (const PlanForm& form : run.jobs.stopped_form)
        gpus.push_back(plan.shapes[form.shape].gpus);
    return gpus;
}

/// Names the same rows at every decision.
class Scripted : public Allocator {
  public:
    explicit Scripted(std::vector<AllocationRow> rows) : rows_{std::move(rows)} {}
    void allocate(const AllocationView&, std::vector<AllocationRow>& rows) override {
        rows = rows_;
    }

  private:
    std::vector<AllocationRow> rows_;
};

/// The reason why the rows are refused; empty: they are not.
std::string refusal_of(const Plan& plan, std::vector<AllocationRow> rows) {
    const PolicyChoice choice = choice_of("fifo-perf");
    Scripted allocator{std::move(rows)};
    AllocatorRun memory{allocator};
    EngineChoice resolved = engine_choice(plan, choice);
    resolved.options.allocator = &memory;
    Workspace workspace;
    RunRecorder recorder;
    try {
        static_cast<void>(run_choice<RunRecorder>(
            plan, order_for(plan, choice), resolved, workspace, [&]() -> RunRecorder& {
                return recorder;
            }));
    } catch (const AllocationError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("fifo-perf moves a job to the faster pool once it is free") {
    Plan plan = two_pools({{0, 10, 1, 3}, {0, 10, 1, 3}});
    plan.classes[0].recovery = Duration{2'000};
    const Run run = run_of(plan, choice_of("fifo-perf"));
    CHECK(run.jobs.finish_ms[0] == 10'000);
    CHECK(run.jobs.finish_ms[1] == 17'000); // 5 s of work done by 10 s, then 2 s of recovery
    CHECK(booked_ms(run.outcome, 1, Leaf::prod_useful) == 10'000);
    CHECK(booked_ms(run.outcome, 0, Leaf::over_recovery) == 2'000);
    CHECK(run.outcome.num_preempted == 1);
}

TEST_CASE("fifo-perf starts no job past one that no pool has room for") {
    // Of three GPUs in two pools one is free: too few for the third job, enough for the fourth.
    const Plan plan = plan_of({{0, 10, 1, 1}, {0, 10, 1, 2}, {0, 10, 2, 1}, {0, 4, 1, 1}},
                              {pool_of(1, 2), pool_of(1, 1)});
    const Run run = run_of(plan, choice_of("fifo-perf"));
    CHECK(run.jobs.finish_ms[2] == 20'000);
    CHECK(run.jobs.finish_ms[3] == 24'000);
}

TEST_CASE("fifo-perf passes a job by that what is left is of no use to") {
    const Plan plan = two_pools({{0, 10, 1, 1}, {0, 10, 1, 1}, {1, 4, 1, 2}});
    const Run run = run_of(plan, choice_of("fifo-perf"));
    CHECK(run.jobs.finish_ms[1] == 20'000);
    CHECK(run.jobs.finish_ms[2] == 9'000); // 4 s of work at half the speed
}

TEST_CASE("a job that can't be stopped when fractions are computed keeps its pool after it") {
    Plan plan = two_pools({{0, 30, 1, 1}, {2, 4, 1, 2}});
    plan.classes[0].startup = Duration{3'000}; // until then a stop would throw it back
    PolicyChoice choice = choice_of("fifo-perf");
    choice.quantum = Duration{2'000};
    choice.allocator_options.set("recompute", {20'000});
    const Run run = run_of(plan, choice);
    CHECK(run.outcome.num_preempted == 0);
    CHECK(run.jobs.finish_ms[0] == 33'000);
}

TEST_CASE("the time in an allocator's decisions is measured") {
    const Plan plan = two_pools({{0, 10, 1, 3}, {0, 10, 1, 3}});
    CHECK(run_of(plan, choice_of("fifo-perf")).allocator.time.count() > 0);
    CHECK(run_of(plan, choice_of("none")).allocator.time.count() == 0);
}

TEST_CASE("GPUs that a job could have, but for the allocator's next decision, wait in one leaf") {
    const Plan plan = plan_of({{0, 30, 1, 1}, {2, 30, 1, 1}, {4, 4, 1, 1}}, {pool_of(1, 3)});
    PolicyChoice choice = choice_of("fifo-perf");
    choice.quantum = Duration{2'000};
    choice.allocator_options.set("recompute", {20'000});
    for (const char* capacity : {"count", "nodes"}) {
        choice.capacity = capacity;
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.finish_ms[2] == 26'000); // fractions of 2 s, then those of 22 s
        CHECK(booked_ms(run.outcome, 0, Leaf::idle_latency) == 18'000);
        CHECK(booked_ms(run.outcome, 0, Leaf::idle_fragmented) == 0);
        CHECK(booked_ms(run.outcome, 0, Leaf::idle_no_demand) ==
              2 * 2'000 + 2'000 + 4'000 + 2 * 2'000);
    }
}

TEST_CASE("a job on a node that closes is not stopped for one that could not have its GPU") {
    Plan plan = plan_of({{0, 30, 1, 1}, {1, 20, 1, 1}}, {pool_of(2, 1)});
    plan.world = {{5'000, NodeCloses{.node = 1}},
                  {6'000, NodeOffline{.node = 0, .cause = StopCause::node_failed}},
                  {40'000, NodeOnline{.node = 0, .cause = StopCause::node_failed}}};
    PolicyChoice choice = choice_of("fifo-perf");
    choice.capacity = "nodes";
    const Run run = run_of(plan, choice);
    CHECK(run.outcome.num_preempted == 0);
    CHECK(run.jobs.finish_ms[1] == 21'000);
    CHECK(run.jobs.finish_ms[0] == 70'000);
}

TEST_CASE("fifo-cost starts a job where a GPU is cheapest, and moves it when a price crosses") {
    Plan plan = plan_of({{0, 20, 1, 3}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.pools[0].purchase = Purchase::on_demand;
    plan.pools[0].rate = MoneyRate{2'000'000'000};
    plan.pools[1].purchase = Purchase::spot;
    PriceSeries series;
    series.start_ms = {0, 9'000};
    series.rate = {1'000'000'000, 3'000'000'000};
    plan.pools[1].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    PolicyChoice choice = choice_of("fifo-cost");
    choice.quantum = Duration{2'000};
    const Run run = run_of(plan, choice);
    CHECK(run.outcome.num_preempted == 1);
    CHECK(booked_ms(run.outcome, 1, Leaf::prod_useful) == 10'000);
    CHECK(booked_ms(run.outcome, 0, Leaf::prod_useful) == 10'000);
    CHECK(run.jobs.finish_ms[0] == 20'000);
}

TEST_CASE("fifo-cost goes by the price of work, and by paid pools first") {
    // The second pool costs 3/4 of the first, and works at half the speed.
    Plan plan = two_pools({{0, 10, 1, 3}});
    plan.pools[0].purchase = plan.pools[1].purchase = Purchase::on_demand;
    plan.pools[0].rate = MoneyRate{1'000'000'000};
    plan.pools[1].rate = MoneyRate{750'000'000};
    CHECK(run_of(plan, choice_of("fifo-cost")).jobs.finish_ms[0] == 10'000);
    plan.pools[1].purchase = Purchase::owned;
    CHECK(run_of(plan, choice_of("fifo-cost")).jobs.finish_ms[0] == 20'000);
}

namespace {

/// Four GPUs. The first job asks for two and may have 1, 2 or 4, at 0.5, 1 and 1.6 times its
/// speed with two; it goes on with others after 3 s. The second job asks for two GPUs.
Plan elastic_plan() {
    Plan plan = plan_of({{0, 100, 2, 1}, {10, 20, 2, 1}}, {pool_of(1, 4)});
    plan.shapes = {{.gpus = 1, .permitted_pools = 1},
                   {.gpus = 2, .permitted_pools = 1},
                   {.gpus = 4, .permitted_pools = 1}};
    plan.shape = {1, 1};
    const std::int64_t speeds[]{reference_speed / 2, reference_speed, reference_speed * 8 / 5 + 1};
    for (const std::int64_t speed : speeds) {
        PlanClass& form = plan.classes.emplace_back();
        plan.speeds.emplace_back().speed = speed;
        form.speed_row = static_cast<std::uint16_t>(plan.speeds.size());
        form.rescale = Duration{3'000};
        form.recovery = Duration{7'000};
    }
    plan.speeds[2].stalled_slots[static_cast<std::size_t>(Stall::communication)] = 800;
    plan.forms = {{0, 1}, {1, 2}, {2, 3}};
    plan.classes[2].num_forms = 3;
    plan.job_class[0] = 2;
    return plan;
}

} // namespace

TEST_CASE("a job grows, shrinks for another one, and grows again") {
    const Plan plan = elastic_plan();
    const Run run = run_of(plan, choice_of("optimus"));
    // 16 s of work in 10 s on 4 GPUs, then 3 s of rescale and 17 s on 2, then 67 s left on 4.
    CHECK(run.jobs.finish_ms[0] == 30'000 + 3'000 + 41'875);
    CHECK(run.jobs.finish_ms[1] == 30'000);
    CHECK(run.outcome.num_preempted == 0);
    REQUIRE(run.jobs.stopped.size() == 2);
    CHECK(run.jobs.stopped[0].cause == StopCause::resized);
    CHECK(run.jobs.stopped[0].stop_ms == 10'000);
    CHECK(run.jobs.stopped[1].stop_ms == 30'000);
    CHECK(stopped_gpus(plan, run) == std::vector<std::uint32_t>{4, 2});
    CHECK(plan.shapes[run.jobs.form[0].shape].gpus == 4);
    CHECK(booked_ms(run.outcome, 0, Leaf::over_recovery) == 3'000 * 2 + 3'000 * 4);
    CHECK(booked_ms(run.outcome, 0, Leaf::stall_comm) == 51'875 * 8 / 10);
    CHECK(booked_ms(run.outcome, 0, Leaf::prod_useful) ==
          20'000 * 2 + 17'000 * 2 + 51'875 * 4 - 51'875 * 8 / 10);
}

TEST_CASE("by deadline, the first job has the GPUs that make it fastest, the next what is left") {
    Plan plan = elastic_plan();
    plan.deadline_ms = {no_deadline_ms, 31'000};
    const Run run = run_of(plan, choice_of("edf"));
    CHECK(run.jobs.finish_ms[1] == 30'000);
    CHECK(run.jobs.finish_ms[0] == 30'000 + 3'000 + 41'875);
    // With the earlier deadline, all GPUs are those of the elastic job until it ends.
    plan.deadline_ms = {30'000, 31'000};
    const Run first = run_of(plan, choice_of("edf"));
    CHECK(first.jobs.finish_ms[0] == 62'500);
    CHECK(first.jobs.finish_ms[1] == 82'500);
}

TEST_CASE("elasticflow gives the fewest GPUs that suffice, and refuses what would be late") {
    // The elastic job needs 200 s on one GPU and 100 s on two. What is left goes to it, too.
    Plan plan = elastic_plan();
    plan.deadline_ms = {400'000, 31'000};
    const Run both = run_of(plan, choice_of("elasticflow"));
    CHECK(both.jobs.finish_ms[1] == 30'000);
    CHECK(both.jobs.finish_ms[0] == 30'000 + 3'000 + 41'875);
    // The second job would make the first late, so it waits for what the first leaves.
    plan.deadline_ms = {65'000, 31'000};
    const Run one = run_of(plan, choice_of("elasticflow"));
    CHECK(one.jobs.finish_ms[0] == 62'500);
    CHECK(one.jobs.finish_ms[1] == 82'500);
}

TEST_CASE("work of a job that fails is lost in each of the forms in which it was done") {
    Plan plan = elastic_plan();
    plan.end[0] = JobEnd::failed;
    const Run run = run_of(plan, choice_of("optimus"));
    CHECK(booked_ms(run.outcome, 0, Leaf::stall_comm) == 0);
    CHECK(booked_ms(run.outcome, 0, Leaf::lost_job_failed) == 17'000 * 2 + 51'875 * 4);
    CHECK(booked_ms(run.outcome, 0, Leaf::prod_useful) == 20'000 * 2);
}

TEST_CASE("a job without forms that are other than its own shape keeps it") {
    Plan plan = elastic_plan();
    plan.classes[2].num_forms = 0;
    const Run run = run_of(plan, choice_of("optimus"));
    CHECK(run.jobs.stopped.empty());
    CHECK(run.jobs.finish_ms[0] == 100'000);
}

TEST_CASE("a number of GPUs that a job may not have is refused with the reason") {
    const std::string refusal = refusal_of(elastic_plan(), {{JobId{0}, PoolId{0}, 3}});
    CHECK(refusal == "allocator: job 0 can't have 3 GPUs");
}

TEST_CASE("pollux and sia let a job grow to twice its GPUs where that is worth the change") {
    for (const char* allocator : {"pollux", "sia"}) {
        CAPTURE(allocator);
        PolicyChoice choice = choice_of(allocator);
        choice.allocator_options.set("growth", {1});
        const Run run = run_of(elastic_plan(), choice);
        // One GPU until 10 s, two from 13 s, and four from 33 s, after the second job's end: 5 and
        // 17 s of work, then 78 s at 1.6 times the speed.
        REQUIRE(run.jobs.stopped.size() == 2);
        CHECK(run.jobs.stopped[0].stop_ms == 10'000);
        CHECK(run.jobs.stopped[1].stop_ms == 30'000);
        CHECK(run.jobs.finish_ms[1] == 30'000);
        CHECK(run.jobs.finish_ms[0] == 81'750);
    }
}

TEST_CASE("pollux makes room for a second job, which counts less for sia than speed does") {
    const Plan plan = elastic_plan();
    const Run pollux = run_of(plan, choice_of("pollux"));
    // The first job has all four GPUs until 10 s, then two until the second job ends.
    REQUIRE(pollux.jobs.stopped.size() == 2);
    CHECK(stopped_gpus(plan, pollux) == std::vector<std::uint32_t>{4, 2});
    CHECK(pollux.jobs.finish_ms[1] == 30'000);
    // 16 s of work by 10 s, 17 by 30 s, and from 33 s 67 at 1.6 times the speed.
    CHECK(pollux.jobs.finish_ms[0] == 74'875);
    // With four GPUs the first job has 3.2 times its least speed: 3.2^-0.5 + 1.1 is 1.659. With two
    // at 10 s it has 2, less for 10 s of 13: 1.538^-0.5 + 1 is 1.806.
    const Run sia = run_of(elastic_plan(), choice_of("sia"));
    CHECK(sia.jobs.stopped.empty());
    CHECK(sia.jobs.finish_ms[0] == 62'500);
    CHECK(sia.jobs.finish_ms[1] == 82'500);
}

TEST_CASE("pollux and sia stop no job for an equal one that waits") {
    const Plan plan = plan_of({{0, 100, 4, 1},
                               {10, 100, 4, 1},
                               {20, 100, 4, 1},
                               {30, 100, 4, 1},
                               {40, 100, 4, 1},
                               {50, 100, 4, 1}},
                              {pool_of(1, 8)});
    for (const char* allocator : {"pollux", "sia"}) {
        CAPTURE(allocator);
        const Run run = run_of(plan, choice_of(allocator));
        CHECK(run.jobs.stopped.empty());
        CHECK(run.outcome.num_preempted == 0);
        std::vector<std::int64_t> finish_ms = run.jobs.finish_ms;
        std::ranges::sort(finish_ms);
        CHECK(finish_ms ==
              std::vector<std::int64_t>{100'000, 110'000, 200'000, 210'000, 300'000, 310'000});
    }
}

TEST_CASE("max-min gives two equal jobs the fast and the slow pool in turns") {
    Plan plan = two_pools({{0, 30, 1, 3}, {0, 30, 1, 3}});
    PolicyChoice choice = choice_of("max-min");
    choice.quantum = Duration{2'000};
    const Run run = run_of(plan, choice);
    // Each does 3 of 4 s of work in 4 s, so both have some 30 s done after 40 s.
    CHECK(run.jobs.finish_ms[0] >= 38'000);
    CHECK(run.jobs.finish_ms[1] >= 38'000);
    CHECK(run.jobs.finish_ms[0] <= 42'000);
    CHECK(run.jobs.finish_ms[1] <= 42'000);
}

TEST_CASE("max-min with agnostic speeds takes turns where speeds by pool give each job its pool") {
    // The first job works at half its speed on the second pool, the second job at twice its speed.
    Plan plan = two_pools({{0, 30, 1, 3}, {0, 30, 1, 3}});
    plan.classes.push_back(plan.classes[0]);
    plan.classes[1].speed_row = 2;
    plan.speeds.resize(4);
    plan.speeds[2].speed = reference_speed;
    plan.speeds[3].speed = 2 * reference_speed;
    plan.job_class[1] = 1;
    PolicyChoice choice = choice_of("max-min");
    choice.quantum = Duration{2'000};
    const Run by_pool = run_of(plan, choice);
    CHECK(by_pool.jobs.finish_ms[0] == 30'000);
    CHECK(by_pool.jobs.finish_ms[1] == 15'000);
    choice.allocator_options.set("speeds", {1});
    const Run agnostic = run_of(plan, choice);
    // 1.5 s of work of the first in 2 s, and 3 s of the second.
    CHECK(agnostic.jobs.finish_ms[0] >= 38'000);
    CHECK(agnostic.jobs.finish_ms[0] <= 42'000);
    CHECK(agnostic.jobs.finish_ms[1] >= 19'000);
    CHECK(agnostic.jobs.finish_ms[1] <= 21'000);
}

namespace {

/// The second pool costs a quarter of the first, and works at half the speed.
Plan priced_pools(const std::vector<JobSpec>& jobs) {
    Plan plan = two_pools(jobs);
    plan.pools[0].purchase = plan.pools[1].purchase = Purchase::on_demand;
    plan.pools[0].rate = MoneyRate{4'000'000'000};
    plan.pools[1].rate = MoneyRate{1'000'000'000};
    return plan;
}

} // namespace

TEST_CASE("min-cost uses the expensive pool for as long as the deadline needs") {
    Plan plan = priced_pools({{0, 10, 1, 3}});
    PolicyChoice choice = choice_of("min-cost");
    choice.quantum = Duration{2'000};
    CHECK(run_of(plan, choice).jobs.finish_ms[0] == 20'000);
    // In 14 s: 6 s on the first pool and 8 s on the second are 6 + 8 / 2 = 10 s of work.
    plan.deadline_ms = {14'000};
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.finish_ms[0] == 14'000);
    CHECK(booked_ms(run.outcome, 0, Leaf::prod_useful) == 6'000);
    CHECK(run.allocator.remark.empty());
    // No speed suffices: it goes without a deadline.
    plan.deadline_ms = {9'000};
    const Run late = run_of(plan, choice);
    CHECK(late.jobs.finish_ms[0] == 20'000);
    CHECK(late.allocator.remark.starts_with("the deadlines of 1 job did not count at some "));
}

TEST_CASE("min-cost says when deadlines can't be met together") {
    // Each needs 10 / 12 of the first pool's speed; both pools together have 1.5.
    Plan plan = priced_pools({{0, 10, 1, 3}, {0, 10, 1, 3}});
    plan.deadline_ms = {12'000, 12'000};
    PolicyChoice choice = choice_of("min-cost");
    choice.quantum = Duration{2'000};
    const Run run = run_of(plan, choice);
    CHECK(run.outcome.num_finished == 2);
    CHECK(run.allocator.remark.starts_with("at 1 computations of shares"));
}

TEST_CASE("rows that can't be followed are refused with the reason") {
    const Plan plan = two_pools({{0, 10, 1, 3}, {0, 10, 1, 1}});
    const JobId first{0};
    const JobId second{1};
    CHECK(refusal_of(plan, {{first, PoolId{0}}, {second, PoolId{0}}}) ==
          "allocator: pool 0 has too few GPUs for the jobs that it is given to");
    CHECK(refusal_of(plan, {{second, PoolId{1}}}) == "allocator: job 1 may not use pool 1");
    CHECK(refusal_of(plan, {{first, PoolId{3}}}) == "allocator: job 0 may not use pool 3");
    CHECK(refusal_of(plan, {{first, PoolId{1}}, {first, PoolId{0}}}) ==
          "allocator: job 0 is named twice");
    CHECK(refusal_of(plan, {{JobId{7}, PoolId{0}}}) ==
          "allocator: job 7 neither waits nor works now");
}

/// One node of two GPUs. All jobs have two: those of class 0 work at 3/4 of their speed beside one
/// of class 1, which then works at 5/8 of its speed.
Plan paired_plan(const std::vector<JobSpec>& jobs) {
    Plan plan = plan_of(jobs, {pool_of(1, 2)});
    plan.classes.resize(4);
    plan.shapes.push_back(plan.shapes[0]);
    plan.shapes[1].gpu_slots = slots_per_gpu / 2;
    plan.speeds.resize(2);
    for (std::uint16_t one = 0; one < 2; ++one) {
        PlanSpeed& paired = plan.speeds[one];
        paired.speed = one == 0 ? reference_speed * 3 / 4 : reference_speed * 5 / 8;
        paired.stalled_slots[static_cast<std::size_t>(Stall::interference)] = one == 0 ? 250 : 375;
        plan.classes[2U + one].speed_row = static_cast<std::uint16_t>(1 + one);
        plan.pairs.push_back({.job_class = one,
                              .partner = static_cast<std::uint16_t>(1 - one),
                              .shape = 1,
                              .paired_class = static_cast<std::uint16_t>(2 + one),
                              .pools = 1});
    }
    return plan;
}

PolicyChoice packing(std::int64_t gain_milli) {
    PolicyChoice choice = choice_of("fifo-perf");
    choice.allocator_options.set("packing", {1});
    choice.allocator_options.set("packing_gain", {gain_milli});
    return choice;
}

JobSpec paired_job(std::int64_t submit_s, std::int64_t work_s, std::uint16_t job_class) {
    JobSpec job{submit_s, work_s, 2};
    job.job_class = job_class;
    return job;
}

TEST_CASE("a waiting job shares the GPUs of another one until one of them ends") {
    for (const char* capacity : {"count", "nodes"}) {
        CAPTURE(capacity);
        const Plan plan = paired_plan({paired_job(0, 100, 0), paired_job(20, 60, 1)});
        REQUIRE(!check_plan(plan));
        PolicyChoice choice = packing(1'300);
        choice.capacity = capacity;
        const Run run = run_of(plan, choice);
        // 60 s of work at 5/8; in that time the first job does 72 s of the 80 that are left.
        CHECK(run.jobs.finish_ms[1] == 20'000 + 96'000);
        CHECK(run.jobs.finish_ms[0] == 116'000 + 8'000);
        REQUIRE(run.jobs.stopped.size() == 2);
        for (const StoppedAttempt& attempt : run.jobs.stopped) {
            CHECK(attempt.job == 0);
            CHECK(attempt.cause == StopCause::shared);
            CHECK(attempt.lost_ms == 0);
        }
        // Of 96 s on half of two GPUs 1/4 and 3/8 are interference.
        CHECK(booked_ms(run.outcome, 0, Leaf::stall_interference) == 24'000 + 36'000);
        CHECK(booked_ms(run.outcome, 0, Leaf::prod_useful) ==
              20'000 * 2 + 72'000 + 60'000 + 8'000 * 2);
        CHECK(booked_ms(run.outcome, 0, Leaf::over_recovery) == 0);
        CHECK(run.outcome.num_preempted == 0);
        const std::vector<std::int64_t> ideal_ms(plan.num_jobs(), 1);
        CHECK(measure(plan, run.jobs, ideal_ms, run.outcome.end).restarts == 0);
    }
}

TEST_CASE("jobs share no GPUs for less than packing_gain, and none passes another one") {
    const Plan plan =
        paired_plan({paired_job(0, 100, 0), paired_job(1, 10, 0), paired_job(2, 60, 1)});
    CHECK(run_of(plan, packing(1'374)).jobs.start_ms ==
          std::vector<std::int64_t>{0, 100'000, 100'000});
    CHECK(run_of(plan, packing(1'375)).jobs.start_ms ==
          std::vector<std::int64_t>{0, 100'000, 110'000});
    CHECK(run_of(plan, choice_of("fifo-perf")).jobs.start_ms ==
          std::vector<std::int64_t>{0, 100'000, 110'000});
}

TEST_CASE("a job that begins to share its GPUs goes on with its start-up") {
    Plan plan = paired_plan({paired_job(0, 100, 0), paired_job(2, 75, 1)});
    plan.classes[0].startup = plan.classes[2].startup = Duration{10'000};
    const Run run = run_of(plan, packing(1'000));
    CHECK(run.jobs.finish_ms[1] == 2'000 + 120'000);
    // 8 s of start-up and 112 s at work by then, at 3/4.
    CHECK(run.jobs.finish_ms[0] == 122'000 + 16'000);
    CHECK(booked_ms(run.outcome, 0, Leaf::over_startup) == 2'000 * 2 + 8'000);
    CHECK(booked_ms(run.outcome, 0, Leaf::over_recovery) == 0);
}

TEST_CASE("rows of jobs that can't share GPUs are refused") {
    const Plan plan =
        paired_plan({paired_job(0, 100, 0), paired_job(0, 60, 1), paired_job(0, 9, 1)});
    const PoolId pool{0};
    const AllocationRow host{JobId{0}, pool};
    const Plan later =
        paired_plan({paired_job(0, 100, 0), paired_job(0, 60, 1), paired_job(5, 9, 1)});
    CHECK(refusal_of(later, {host, {JobId{1}, pool, 0, JobId{0}}}) ==
          "allocator: job 0 shares its GPUs and can't be moved"); // as the third job arrives
    CHECK(refusal_of(plan, {{JobId{1}, pool, 0, JobId{0}}}) ==
          "allocator: job 1 can't share GPUs of pool 0 with job 0");
    CHECK(refusal_of(plan, {{JobId{1}, pool}, {JobId{2}, pool, 0, JobId{1}}}) ==
          "allocator: job 2 can't share GPUs of pool 0 with job 1");
    CHECK(refusal_of(plan, {host, {JobId{1}, pool, 0, JobId{0}}, {JobId{2}, pool, 0, JobId{0}}}) ==
          "allocator: job 1 can't share GPUs of pool 0 with job 0");
}

} // namespace bursar::test::allocator_by_hand_test
