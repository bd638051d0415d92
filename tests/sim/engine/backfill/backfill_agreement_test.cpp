#include <algorithm>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/engine_instances.hpp"
#include "policies/policy_choice.hpp"
#include "policies/queue/first_come.hpp"
#include "policies/queue/shortest_job.hpp"
#include "policies/simulate.hpp"

#include "tests/oracle/naive_backfill.hpp"
#include "tests/plan_builder.hpp"

// Backfilling against its definitions, and what it promises, on random small worlds: several pools,
// many ties, jobs of no length, estimates that are right, too long and too short.
namespace bursar::test::backfill_agreement_test {
namespace {

enum class Estimates : std::uint8_t { exact, long_enough, any };

/// The first start that each job was promised.
class Promises : public RunWatcher {
  public:
    void begun() override { reserved_ms.clear(); }
    void started(JobId, PoolId, std::uint32_t, std::int64_t) override {}
    void stopped(JobId, StopCause, std::int64_t) override {}
    void finished(JobId, std::int64_t) override {}
    void reserved(JobId job, std::int64_t at_ms) override { reserved_ms.try_emplace(job, at_ms); }
    void settled(std::int64_t, std::span<const std::int64_t>, std::uint32_t) override {}

    std::map<std::size_t, std::int64_t> reserved_ms;
};

Plan draw_plan(Estimates estimates) {
    std::vector<PlanPool> pools;
    const int num_pools = *rc::gen::inRange(1, 4);
    for (int p = 0; p < num_pools; ++p)
        pools.push_back(pool_of(*rc::gen::inRange(1U, 5U), *rc::gen::inRange(1U, 5U)));
    const int num_jobs = *rc::gen::inRange(1, 40);
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    for (int j = 0; j < num_jobs; ++j) {
        submit += *rc::gen::inRange(0, 4);
        JobSpec job{submit,
                    *rc::gen::inRange(0, 20),
                    1,
                    *rc::gen::inRange<std::uint64_t>(1, 1U << static_cast<unsigned>(num_pools))};
        std::uint32_t most = 0;
        for (std::size_t p = 0; p < pools.size(); ++p) {
            if ((job.permitted_pools >> p & 1U) != 0)
                most = std::max(most, static_cast<std::uint32_t>(pools[p].num_gpus()));
        }
        job.gpus = *rc::gen::inRange(1U, most + 1);
        jobs.push_back(job);
    }
    Plan plan = plan_of(jobs, pools);
    std::rotate(plan.pool_preference.begin(),
                plan.pool_preference.begin() + *rc::gen::inRange(0, num_pools),
                plan.pool_preference.end());
    if (*rc::gen::arbitrary<bool>())
        plan.classes[0] = {*rc::gen::inRange(0, 4) * second, *rc::gen::inRange(0, 3) * second};
    to_milliseconds(plan);
    if (*rc::gen::arbitrary<bool>()) {
        give_speeds(plan, [](std::uint32_t) {
            return PlanSpeed{
                *rc::gen::inRange<std::int64_t>(reference_speed / 3, 2 * reference_speed), {}};
        });
    }
    for (std::size_t j = 0; estimates != Estimates::exact && j < plan.num_jobs(); ++j) {
        const auto most = std::max<std::int64_t>(plan.work_ms[j] * 2, 3);
        const std::int64_t min = estimates == Estimates::long_enough ? plan.work_ms[j] : 0;
        plan.estimate_ms.push_back(*rc::gen::inRange<std::int64_t>(min, most + 1));
    }
    return plan;
}

/// Takes away all of the length of about every other job, or of what is believed of it.
Plan without_length(Plan plan) {
    plan.classes[0] = {};
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (*rc::gen::arbitrary<bool>())
            plan.work_ms[job] = 0;
        if (!plan.estimate_ms.empty() && *rc::gen::arbitrary<bool>())
            plan.estimate_ms[job] = 0;
    }
    return plan;
}

std::vector<oracle::BackfillJob> oracle_jobs(const Plan& plan, const std::string& queue) {
    const PlanView view = view_of(plan);
    std::vector<oracle::BackfillJob> jobs;
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        const PlanClass& own = plan.classes[plan.job_class[job]];
        const std::int64_t believed = view.believed_work_ms(job);
        oracle::BackfillJob& out = jobs.emplace_back();
        out.submit_ms = plan.submit_ms[job];
        out.rank = queue == "sjf" ? believed : 0;
        out.gpus = plan.gpus(job);
        out.permitted_pools = plan.shapes[plan.shape[job]].permitted_pools;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            const PlanSpeed* speed = plan.speed_of(job, pool);
            const std::int64_t pace = speed == nullptr ? reference_speed : speed->speed;
            const auto held = [&](std::int64_t work) {
                return (own.startup + own.teardown).count() + elapsed_ms(work, pace);
            };
            out.held_ms.push_back(held(plan.work_ms[job]));
            out.believed_ms.push_back(held(believed));
        }
    }
    return jobs;
}

oracle::BackfillSchedule ask_oracle(const Plan& plan, const PolicyChoice& choice) {
    oracle::BackfillRules rules;
    rules.backfill =
        choice.backfill == "easy" ? oracle::BackfillRule::easy : oracle::BackfillRule::conservative;
    rules.capacity =
        choice.capacity == "count" ? oracle::CapacityRule::count : oracle::CapacityRule::nodes;
    rules.placement = choice.placement == "first-fit" ? oracle::PlacementRule::first_fit
                                                      : oracle::PlacementRule::consolidated;
    rules.depth = run_options(choice).backfill_depth;
    rules.pool_preference.assign(plan.pool_preference.begin(), plan.pool_preference.end());
    std::vector<oracle::Pool> pools;
    for (const PlanPool& pool : plan.pools)
        pools.push_back({std::to_string(pools.size()), pool.num_nodes, pool.gpus_per_node});
    return oracle::NaiveBackfill{oracle_jobs(plan, choice.queue), pools, rules}.run();
}

struct Told {
    Run run;
    Promises promises;
};

Told run_on(const Plan& plan, const JobOrder& order, const EngineChoice& choice) {
    Workspace workspace{1}; // grows on the way: every run is also a test of the doubling
    Told told;
    RunRecorder recorder;
    const auto begin = [&]() -> RunRecorder& {
        told.promises.begun();
        return recorder = RunRecorder{plan, {.watch = choice.watch, .watcher = &told.promises}};
    };
    told.run.outcome = run_choice<OneLane, RunRecorder>(plan, order, choice, workspace, begin);
    told.run.jobs = recorder.take_jobs(told.run.outcome.end);
    return told;
}

Told run_engine(const Plan& plan, const PolicyChoice& choice) {
    const JobOrder order = choice.queue == "sjf" ? order_jobs(plan, ShortestJobFirst{})
                                                 : order_jobs(plan, FirstComeFirstServed{});
    return run_on(plan, order, engine_choice(plan, choice));
}

/// For the report of a counterexample.
void log_plan(const Plan& plan) {
    std::ostringstream text;
    for (const PlanPool& pool : plan.pools)
        text << "pool " << pool.num_nodes << " x " << pool.gpus_per_node << "\n";
    text << "startup " << plan.classes[0].startup.count() << " teardown "
         << plan.classes[0].teardown.count() << "\n";
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        text << "job " << job << ": submit " << plan.submit_ms[job] << " gpus " << plan.gpus(job)
             << " work " << plan.work_ms[job] << " estimate " << view_of(plan).believed_work_ms(job)
             << " pools " << plan.shapes[plan.shape[job]].permitted_pools << "\n";
    }
    RC_LOG() << text.str();
}

void check_agreement(const Plan& plan, const PolicyChoice& choice) {
    log_plan(plan);
    const Told told = run_engine(plan, choice);
    const oracle::BackfillSchedule expected = ask_oracle(plan, choice);
    RC_ASSERT(told.run.outcome.num_finished == plan.num_jobs());
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        RC_ASSERT(told.run.jobs.start_ms[job] == expected.start_ms[job]);
        RC_ASSERT(told.run.jobs.finish_ms[job] == expected.finish_ms[job]);
        RC_ASSERT(told.run.jobs.pool[job] == expected.pool[job]);
    }
    for (const auto& [job, start_ms] : told.promises.reserved_ms)
        RC_ASSERT(expected.reserved_ms.at(job) == start_ms);
    if (choice.backfill == "conservative")
        RC_ASSERT(told.run.outcome.num_reservations == plan.num_jobs());
}

/// Every leaf together is all that was paid.
void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    int128 paid = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    for (const PlanPool& pool : plan.pools)
        paid += slot_time(pool.num_gpus() * slots_per_gpu, outcome.end).count();
    RC_ASSERT(booked == paid);
}

std::vector<PolicyChoice> choices(const std::string& backfill) {
    std::vector<PolicyChoice> all;
    for (const char* queue : {"fifo", "sjf"}) {
        all.push_back({queue, HeadRule::block, "count", "", backfill});
        all.push_back({queue, HeadRule::block, "nodes", "consolidated", backfill});
        all.push_back({queue, HeadRule::block, "nodes", "first-fit", backfill});
    }
    return all;
}

} // namespace

TEST_CASE("backfilling agrees with its definition, whatever the estimates") {
    for (const char* backfill : {"easy", "conservative"}) {
        for (const PolicyChoice& choice : choices(backfill)) {
            for (const Estimates estimates : {Estimates::exact, Estimates::any}) {
                CAPTURE(choice.queue);
                CAPTURE(choice.capacity);
                CAPTURE(static_cast<int>(estimates));
                CHECK(rc::check(std::string{backfill} + " " + choice.queue + " " + choice.capacity,
                                [&] { check_agreement(draw_plan(estimates), choice); }));
            }
        }
    }
}

TEST_CASE("a job of no length holds nothing") {
    // 16 GPUs: the second waits until 3 s for all of them, and has them for an instant; the third
    // goes at once, and the fourth finds room beside the first until 3 s. The fifth does not.
    const Plan plan =
        plan_of({{0, 3, 3}, {0, 0, 16}, {0, 0, 8}, {0, 3, 7}, {0, 1, 10}}, {pool_of(1, 16)});
    const PolicyChoice choice{"fifo", HeadRule::block, "count", "", "conservative"};
    const JobRows rows = run_engine(plan, choice).run.jobs;
    CHECK((rows.start_ms == std::vector<std::int64_t>{0, 3'000, 0, 0, 3'000}));
}

TEST_CASE("nobody is promised GPUs across the instant of a job of no length") {
    const Plan plan = plan_of({{0, 3, 3}, {0, 0, 16}, {0, 5, 8}, {0, 0, 16}}, {pool_of(1, 16)});
    const PolicyChoice choice{"fifo", HeadRule::block, "count", "", "conservative"};
    const JobRows rows = run_engine(plan, choice).run.jobs;
    // The third starts as the second has gone; the fourth comes after it, as it was promised later.
    CHECK((rows.start_ms == std::vector<std::int64_t>{0, 3'000, 3'000, 8'000}));
}

TEST_CASE("conservative backfilling agrees where many jobs have no length") {
    for (PolicyChoice choice : choices("conservative")) {
        for (const Estimates estimates : {Estimates::exact, Estimates::any}) {
            CAPTURE(choice.queue);
            CAPTURE(choice.capacity);
            CHECK(rc::check([&] {
                if (*rc::gen::arbitrary<bool>())
                    choice.backfill_options.set("depth", {*rc::gen::inRange(1, 5)});
                check_agreement(without_length(draw_plan(estimates)), choice);
            }));
        }
    }
}

TEST_CASE("conservative backfilling agrees where only a few jobs hold reservations") {
    for (PolicyChoice choice : choices("conservative")) {
        CHECK(rc::check([&] {
            choice.backfill_options.set("depth", {*rc::gen::inRange(1, 5)});
            check_agreement(draw_plan(Estimates::any), choice);
        }));
    }
}

TEST_CASE("no reserved start is ever delayed by backfill") {
    for (const char* backfill : {"easy", "conservative"}) {
        for (const PolicyChoice& choice : choices(backfill)) {
            // Under EASY, an order in which a later job may come to the head delays on its own.
            if (choice.backfill == "easy" && choice.queue != "fifo")
                continue;
            CAPTURE(choice.capacity);
            CHECK(rc::check([&] {
                const bool exact = *rc::gen::arbitrary<bool>();
                const Plan plan = draw_plan(exact ? Estimates::exact : Estimates::long_enough);
                log_plan(plan);
                const Told told = run_engine(plan, choice);
                for (const auto& [job, start_ms] : told.promises.reserved_ms)
                    RC_ASSERT(told.run.jobs.start_ms[job] <= start_ms);
                check_books(plan, told.run.outcome);
            }));
        }
    }
}

} // namespace bursar::test::backfill_agreement_test
