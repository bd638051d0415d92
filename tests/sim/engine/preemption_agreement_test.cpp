#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/random_saves.hpp"
#include "tests/sim/engine/naive_preemption.hpp"

// The incremental pass against a full walk over all jobs at every instant.
namespace bursar::test::preemption_agreement_test {
namespace {

PlanClass draw_class(bool is_plain) {
    PlanClass job_class;
    if (is_plain)
        return job_class;
    job_class.startup = Duration{drawn::in_range(0, 4)};
    job_class.teardown = Duration{drawn::in_range(0, 3)};
    job_class.recovery = Duration{drawn::in_range(0, 5)};
    draw_saves(job_class, 1, 8);
    return job_class;
}

/// Few GPUs, many ties, gangs up to a whole pool, jobs of zero length; times of milliseconds.
Plan draw_plan(bool is_plain) {
    std::vector<PlanPool> pools;
    const int num_pools = drawn::in_range(1, 4);
    for (int p = 0; p < num_pools; ++p)
        pools.push_back(pool_of(drawn::in_range(1U, 4U), drawn::in_range(1U, 5U)));
    std::vector<JobSpec> jobs;
    const int num_jobs = drawn::in_range(1, 30);
    std::int64_t submit = 0;
    for (int j = 0; j < num_jobs; ++j) {
        submit += drawn::in_range(0, 5);
        JobSpec job{submit,
                    drawn::in_range(0, 30),
                    1,
                    drawn::in_range<std::uint64_t>(1, 1U << static_cast<unsigned>(num_pools))};
        std::uint32_t most = 0;
        for (int p = 0; p < num_pools; ++p) {
            if ((job.permitted_pools >> p & 1U) != 0)
                most = std::max(
                    most,
                    static_cast<std::uint32_t>(pools[static_cast<std::size_t>(p)].num_gpus()));
        }
        job.gpus = drawn::in_range(1U, most + 1);
        job.job_class = drawn::in_range<std::uint16_t>(0, 3);
        job.end = drawn::in_range(0, 5) < 4 ? JobEnd::completed : JobEnd::failed;
        jobs.push_back(job);
    }
    Plan plan = plan_of(jobs, pools);
    to_milliseconds(plan);
    std::rotate(plan.pool_preference.begin(),
                plan.pool_preference.begin() + drawn::in_range(0, num_pools),
                plan.pool_preference.end());
    plan.classes = {draw_class(is_plain), draw_class(is_plain), draw_class(is_plain)};
    return plan;
}

PlanSpeed draw_speed(std::uint32_t gpus) {
    PlanSpeed out;
    out.speed = drawn::in_range<std::int64_t>(reference_speed / 3, 3 * reference_speed);
    out.interval_ms = drawn::in_range(0, 8);
    std::int64_t left = gpus * slots_per_gpu;
    for (std::int64_t& stalled : out.stalled_slots) {
        stalled = drawn::in_range<std::int64_t>(0, left / 2 + 1);
        left -= stalled;
    }
    return out;
}

struct Case {
    const char* queue;
    NaivePreemption::Order order;
};
constexpr Case cases[]{{"fifo", NaivePreemption::Order::submit},
                       {"sjf", NaivePreemption::Order::run_time},
                       {"srtf", NaivePreemption::Order::remaining},
                       {"las", NaivePreemption::Order::attained}};

void check_agreement(const Plan& plan, const Case& of) {
    const bool owes = drawn::boolean();
    const std::vector<std::int64_t> limits{drawn::in_range(1, 10), drawn::in_range(10, 60)};
    PolicyChoice choice{of.queue, HeadRule::skip, "count", ""};
    choice.preemption = "order";
    choice.preemption_options.set("unfinished_recovery", {owes ? 1 : 0});
    choice.queue_options.set("levels", limits);

    NaivePreemption naive{plan, of.order, limits, owes};
    naive.run();
    Workspace workspace{1}; // grows on the way
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);

    RC_ASSERT(run.outcome.num_finished == plan.num_jobs()); // a finite workload ends
    std::vector<NaivePreemption::Attempt> attempts;
    for (const StoppedAttempt& stopped : run.jobs.stopped)
        attempts.push_back({stopped.job, stopped.pool, stopped.start_ms, stopped.stop_ms});
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        attempts.push_back(
            {job, run.jobs.pool[job], run.jobs.last_start(job), run.jobs.finish_ms[job]});
    }
    std::ranges::sort(attempts);
    std::ranges::sort(naive.attempts);
    RC_ASSERT(attempts == naive.attempts);
    RC_ASSERT(run.outcome.num_preempted == naive.num_preempted);
    RC_ASSERT(run.outcome.num_preempted_without_progress <= naive.num_preempted);

    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        int128 booked = 0;
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
            const Leaf which = static_cast<Leaf>(leaf);
            const int128 found = run.outcome.cell(pool, 0, which).count();
            const auto expected = naive.leaves.find({pool, which});
            RC_ASSERT(found == (expected == naive.leaves.end() ? 0 : expected->second));
            booked += found + run.outcome.cell(pool, run.outcome.num_tenants, which).count();
        }
        RC_ASSERT(booked ==
                  slot_time(plan.pools[pool].num_gpus() * slots_per_gpu, run.outcome.end).count());
    }
}

} // namespace

TEST_CASE("the incremental pass agrees with the full walk, attempt by attempt and leaf by leaf") {
    for (const Case& of : cases) {
        CAPTURE(of.queue);
        CHECK(rc::check(std::string{of.queue} + ", nothing costs anything",
                        [&] { check_agreement(draw_plan(true), of); }));
        CHECK(rc::check(std::string{of.queue} + ", with start-up, saves, recovery and teardown",
                        [&] { check_agreement(draw_plan(false), of); }));
        CHECK(rc::check(std::string{of.queue} + ", at speeds that differ by pool", [&] {
            Plan plan = draw_plan(false);
            give_speeds(plan, draw_speed);
            check_agreement(plan, of);
        }));
    }
}

} // namespace bursar::test::preemption_agreement_test
