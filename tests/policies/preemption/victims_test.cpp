#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/preemption/by_priority.hpp"
#include "policies/preemption/by_value.hpp"
#include "policies/queue/first_come.hpp"
#include "policies/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/preemption/naive_victims.hpp"
#include "tests/policies/properties/logged_run.hpp"

namespace bursar::test::victims_test {
namespace {

struct Drawn {
    Plan plan;
    NaiveVictims::Rules rules;
};

PolicyChoice choice_of(const NaiveVictims::Rules& rules) {
    PolicyChoice choice;
    choice.head = rules.head_blocks ? HeadRule::block : HeadRule::skip;
    choice.capacity = rules.counts ? capacity_count : capacity_nodes;
    choice.placement =
        rules.placement == oracle::PlacementRule::first_fit ? "first-fit" : "consolidated";
    choice.preemption = rules.by_value ? PreemptByValue::name : PreemptByPriority::name;
    choice.quantum = Duration{rules.quantum_ms};
    const auto limit = [&](const OptionInfo& option, std::int64_t value) {
        choice.preemption_options.set(std::string{option.name}, {value});
    };
    limit(max_per_job_option, rules.limits.max_per_job);
    limit(min_run_option, rules.limits.min_run_ms);
    limit(grace_option, rules.limits.grace_ms);
    return choice;
}

/// First come, first served, also where victims are taken by value: order_for has value densities.
JobOrder order_of(const Drawn& drawn) {
    return drawn.rules.by_value ? order_jobs(drawn.plan, FirstComeFirstServed{})
                                : order_for(drawn.plan, choice_of(drawn.rules));
}

/// The attempts of a run that finished all its jobs.
std::vector<NaiveAttempt> attempts_of(const Run& run) {
    std::vector<NaiveAttempt> out;
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        out.push_back({attempt.job, attempt.pool, attempt.start_ms, attempt.stop_ms, true});
    for (std::uint32_t job = 0; job < run.jobs.phase.size(); ++job)
        out.push_back(
            {job, run.jobs.pool[job], run.jobs.last_start(job), run.jobs.finish_ms[job], false});
    std::sort(out.begin(), out.end());
    return out;
}

Duration draw_ms(int max) {
    return Duration{*rc::gen::inRange(0, max + 1)};
}

PlanClass draw_class() {
    PlanClass out;
    out.startup = draw_ms(3);
    out.teardown = draw_ms(2);
    out.recovery = draw_ms(3);
    out.checkpoint = *rc::gen::elementOf(
        std::vector{Checkpoint::on_preempt, Checkpoint::none, Checkpoint::every});
    out.save = draw_ms(2);
    out.interval = Duration{*rc::gen::inRange(1, 6)};
    return out;
}

Plan draw_plan() {
    std::vector<PlanPool> pools;
    const int num_pools = *rc::gen::inRange(1, 3);
    for (int p = 0; p < num_pools; ++p)
        pools.push_back(pool_of(*rc::gen::inRange(1U, 4U), *rc::gen::inRange(1U, 5U)));
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    for (int j = *rc::gen::inRange(1, 22); j > 0; --j) {
        submit += *rc::gen::inRange(0, 6);
        JobSpec job{submit, *rc::gen::inRange(0, 20)};
        job.permitted_pools = *rc::gen::inRange<std::uint64_t>(1, 1U << pools.size());
        std::int64_t max = 1;
        for (std::size_t p = 0; p < pools.size(); ++p)
            if ((job.permitted_pools >> p & 1U) != 0)
                max = std::max(max, pools[p].num_gpus());
        job.gpus = static_cast<std::uint32_t>(*rc::gen::inRange<std::int64_t>(1, max + 1));
        job.job_class = static_cast<std::uint16_t>(*rc::gen::inRange(0, 3));
        jobs.push_back(job);
    }
    Plan plan = plan_of(jobs, pools);
    to_milliseconds(plan);
    const PlanClass one = draw_class();
    const bool alike = *rc::gen::arbitrary<bool>();
    plan.classes = {one, alike ? one : draw_class(), alike ? one : draw_class()};
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        plan.priority.push_back(*rc::gen::inRange(-1, 3));
        plan.value_nano_usd.push_back(*rc::gen::inRange(0, 30));
    }
    return plan;
}

Drawn draw() {
    Drawn out{draw_plan(), {}};
    const auto coin = [] { return *rc::gen::arbitrary<bool>(); };
    out.rules.by_value = coin();
    out.rules.head_blocks = coin();
    out.rules.counts = coin();
    out.rules.placement =
        coin() ? oracle::PlacementRule::consolidated : oracle::PlacementRule::first_fit;
    PreemptionLimits& limits = out.rules.limits;
    if (coin())
        limits.grace_ms = *rc::gen::inRange(0, 5);
    if (coin())
        limits.min_run_ms = *rc::gen::inRange(0, 6);
    if (coin())
        limits.max_per_job = *rc::gen::inRange(0U, 3U);
    if (coin())
        out.rules.quantum_ms = *rc::gen::inRange(1, 9);
    return out;
}

/// Every GPU's time is in the ledger once, and attempts hold what it says they held.
void check_ledger(const Plan& plan, const Run& run) {
    int128 paid = 0;
    for (const PlanPool& pool : plan.pools)
        paid += slot_time(pool.num_gpus() * slots_per_gpu, run.outcome.end).count();
    int128 booked = 0;
    int128 allocated = 0;
    for (std::size_t cell = 0; cell < run.outcome.cells.size(); ++cell) {
        const int128 time = run.outcome.cells[cell].count();
        booked += time;
        if (group_of(static_cast<Leaf>(cell % num_leaves)) > LeafGroup::idle)
            allocated += time;
    }
    int128 held = 0;
    for (const NaiveAttempt& attempt : attempts_of(run))
        held += slot_time(plan.gpus(attempt.job) * slots_per_gpu,
                          Duration{attempt.stop_ms - attempt.start_ms})
                    .count();
    int128 lost = 0;
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        lost +=
            slot_time(plan.gpus(attempt.job) * slots_per_gpu, Duration{attempt.lost_ms}).count();
    int128 lost_in_ledger = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        lost_in_ledger += run.outcome.cell(pool, 0, Leaf::lost_preempt).count();
    RC_ASSERT(lost == lost_in_ledger);
    RC_ASSERT(booked == paid);
    RC_ASSERT(allocated == held);
}

} // namespace

TEST_CASE("victims are those of a scheduler that sorts and copies everything anew") {
    CHECK(rc::check("agreement, attempt by attempt", [] {
        const Drawn drawn = draw();
        const PolicyChoice choice = choice_of(drawn.rules);
        const JobOrder order = order_of(drawn);
        const auto run_in = [&](Workspace workspace) {
            return simulate(drawn.plan, order, choice, Record::jobs, workspace);
        };
        const Run run = run_in(Workspace{});
        RC_ASSERT(run.outcome.num_finished == drawn.plan.num_jobs());
        const std::vector<NaiveAttempt> expected = NaiveVictims{drawn.plan, drawn.rules}.run();
        RC_ASSERT((attempts_of(run) == expected));
        RC_ASSERT(run.outcome.num_preempted == run.jobs.stopped.size());
        check_ledger(drawn.plan, run);
        for (const std::uint32_t room : {1U, 3U})
            RC_ASSERT(run_in(Workspace{room}).outcome.fingerprint == run.outcome.fingerprint);
        RC_ASSERT(run_on_lanes(drawn.plan, order, choice).fingerprint == run.outcome.fingerprint);
    }));
}

} // namespace bursar::test::victims_test
