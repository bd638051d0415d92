#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/preemption/by_priority.hpp"
#include "policies/preemption/by_value.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/properties.hpp"
#include "tests/random_saves.hpp"

// Victims by priority or by value, against the naive scheduler: in larger worlds than in the tests
// of all combinations, in milliseconds, with limits, rounds and saves that rarely coincide.
namespace bursar::test::victims_test {
namespace {

Duration draw_ms(int max) {
    return Duration{drawn::in_range(0, max + 1)};
}

PlanClass draw_class() {
    PlanClass out;
    out.startup = draw_ms(3);
    out.teardown = draw_ms(2);
    out.recovery = draw_ms(3);
    draw_saves(out, 1, 6);
    if (drawn::in_range(0, 3) == 0) { // stops cost nothing, so that many tie
        out.recovery = out.save = out.write = out.increment = out.increment_write = Duration{};
        out.checkpoint = Checkpoint::on_preempt;
    }
    return out;
}

Plan draw_plan() {
    std::vector<PlanPool> pools;
    const int num_pools = drawn::in_range(1, 3);
    for (int p = 0; p < num_pools; ++p)
        pools.push_back(pool_of(drawn::in_range(1U, 4U), drawn::in_range(1U, 5U)));
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    for (int j = drawn::in_range(1, 22); j > 0; --j) {
        submit += drawn::in_range(0, 6);
        JobSpec job{submit, drawn::in_range(0, 20)};
        job.permitted_pools = drawn::in_range<std::uint64_t>(1, 1U << pools.size());
        std::int64_t max = 1;
        for (std::size_t p = 0; p < pools.size(); ++p)
            if ((job.permitted_pools >> p & 1U) != 0)
                max = std::max(max, pools[p].num_gpus());
        job.gpus = static_cast<std::uint32_t>(drawn::in_range<std::int64_t>(1, max + 1));
        job.job_class = static_cast<std::uint16_t>(drawn::in_range(0, 3));
        jobs.push_back(job);
    }
    Plan plan = plan_of(jobs, pools);
    to_milliseconds(plan);
    const PlanClass one = draw_class();
    const bool alike = drawn::boolean();
    plan.classes = {one, alike ? one : draw_class(), alike ? one : draw_class()};
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        plan.priority.push_back(drawn::in_range(-1, 3));
        plan.value_nano_usd.push_back(drawn::in_range(0, 30));
    }
    return plan;
}

PolicyChoice draw_choice() {
    const auto coin = [] { return drawn::boolean(); };
    PolicyChoice choice{"fifo", coin() ? HeadRule::block : HeadRule::skip};
    choice.capacity = coin() ? capacity_count : capacity_nodes;
    choice.placement = coin() ? "first-fit" : "consolidated";
    choice.preemption = coin() ? PreemptByValue::name : PreemptByPriority::name;
    if (coin())
        choice.quantum = Duration{drawn::in_range(1, 9)};
    const auto limit = [&](const OptionInfo& option, int min, int end) {
        if (coin())
            choice.preemption_options.set(std::string{option.name}, {drawn::in_range(min, end)});
    };
    limit(max_per_job_option, 0, 3);
    limit(min_run_option, 0, 6);
    limit(grace_option, 0, 5);
    return choice;
}

/// Held and lost time of attempts agree with the ledger.
void check_ledger(const Plan& plan, const Run& run) {
    int128 allocated = 0;
    for (std::size_t cell = 0; cell < run.outcome.cells.size(); ++cell) {
        if (group_of(static_cast<Leaf>(cell % num_leaves)) > LeafGroup::idle)
            allocated += run.outcome.cells[cell].count();
    }
    int128 held = 0;
    const auto hold = [&](std::uint32_t job, std::int64_t start_ms, std::int64_t end_ms) {
        held += slot_time(plan.gpus(job) * slots_per_gpu, Duration{end_ms - start_ms}).count();
    };
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        hold(attempt.job, attempt.start_ms, attempt.stop_ms);
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job)
        hold(job, run.jobs.last_start(job), run.jobs.finish_ms[job]);
    int128 lost = 0;
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        lost +=
            slot_time(plan.gpus(attempt.job) * slots_per_gpu, Duration{attempt.lost_ms}).count();
    int128 lost_in_ledger = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        lost_in_ledger += run.outcome.cell(pool, 0, Leaf::lost_preempt).count();
    RC_ASSERT(lost == lost_in_ledger);
    RC_ASSERT(allocated == held);
}

} // namespace

TEST_CASE("victims agree with a scheduler that sorts and copies everything again") {
    CHECK(check_property("agreement, attempt by attempt", [] {
        const Plan plan = draw_plan();
        const PolicyChoice choice = draw_choice();
        check_agreement(plan, choice);
        const JobOrder order = order_for(plan, choice);
        const auto run_in = [&](Workspace workspace) {
            return simulate(plan, order, choice, Record::jobs, workspace);
        };
        const Run run = run_in(Workspace{});
        RC_ASSERT(run.outcome.num_preempted == run.jobs.stopped.size());
        check_ledger(plan, run);
        for (const std::uint32_t room : {1U, 3U})
            RC_ASSERT(run_in(Workspace{room}).outcome.fingerprint == run.outcome.fingerprint);
        RC_ASSERT(run_on_lanes(plan, order, choice).fingerprint == run.outcome.fingerprint);
    }));
}

} // namespace bursar::test::victims_test
