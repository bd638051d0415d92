#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/record/recorder.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"

namespace bursar::test::invariance_test {
namespace {

/// 3,000 jobs of up to 16 GPUs for 8 nodes of 8 and 4 nodes of 4, with enough load to queue.
Plan busy_plan() {
    std::mt19937 random{7}; // its stream is the same everywhere, unlike the distributions
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint16_t>(random() % n); };
    for (int j = 0; j < 3000; ++j) {
        submit += below(40);
        const std::int64_t work = 1 + below(400);
        const std::uint32_t gpus = 1U << below(5);
        const std::uint64_t pools = below(4) == 0 ? 1 : 3;
        jobs.push_back({submit, work, gpus, pools, below(5)});
    }
    return plan_of(jobs, {pool_of(8, 8), pool_of(4, 4)});
}

/// The same jobs; speed and stalls differ by gang size and pool.
Plan busy_plan_with_speeds() {
    Plan plan = busy_plan();
    std::mt19937 random{11};
    give_speeds(plan, [&](std::uint32_t gpus) {
        const std::int64_t slots = gpus * slots_per_gpu;
        PlanSpeed speed;
        speed.speed = reference_speed / 2 + static_cast<std::int64_t>(random() % reference_speed);
        for (std::int64_t& stalled : speed.stalled_slots)
            stalled = static_cast<std::int64_t>(random()) % (slots / 5);
        return speed;
    });
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice, std::uint32_t max_live = 1U << 14U) {
    Workspace workspace{max_live};
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

const std::vector<PolicyChoice> all_choices{
    {"fifo", HeadRule::block, "count", ""},
    {"fifo", HeadRule::skip, "count", ""},
    {"sjf", HeadRule::block, "count", ""},
    {"fifo", HeadRule::block, "nodes", "first-fit"},
    {"fifo", HeadRule::skip, "nodes", "first-fit"},
    {"sjf", HeadRule::skip, "nodes", "consolidated"},
};

std::vector<PolicyChoice> with_more_choices() {
    std::vector<PolicyChoice> choices = all_choices;
    for (const char* capacity : {"count", "nodes"}) {
        for (const char* queue : {"srtf", "las"})
            choices.push_back({queue, HeadRule::skip, capacity, "consolidated"});
        choices.push_back({"sjf", HeadRule::skip, capacity, "first-fit", "none", "order"});
        for (const char* backfill : {"easy", "conservative"})
            choices.push_back({"sjf", HeadRule::block, capacity, "consolidated", backfill});
    }
    return choices;
}

/// The busy plan with costs of preemption.
Plan busy_plan_with_restarts() {
    Plan plan = busy_plan_with_speeds();
    for (std::size_t i = 0; i < plan.classes.size(); ++i) {
        PlanClass& job_class = plan.classes[i];
        job_class.startup = 5 * second;
        job_class.recovery = 20 * second;
        job_class.teardown = second;
        job_class.checkpoint = static_cast<Checkpoint>(i % 3);
        job_class.save = 3 * second;
        job_class.interval = 30 * second;
    }
    return plan;
}

} // namespace

TEST_CASE("results do not depend on the size of the arena") {
    const Plan plan = busy_plan_with_restarts();
    for (const PolicyChoice& choice : with_more_choices()) {
        const Run small = run_of(plan, choice, 1);
        const Run large = run_of(plan, choice, 1U << 16U);
        CHECK(small.outcome.fingerprint == large.outcome.fingerprint);
        CHECK(small.outcome.cells == large.outcome.cells);
        CHECK(small.jobs.start_ms == large.jobs.start_ms);
    }
}

TEST_CASE("results do not depend on earlier use of a workspace") {
    const Plan plan = busy_plan();
    Workspace workspace;
    for (const PolicyChoice& choice : with_more_choices()) {
        const JobOrder order = order_for(plan, choice);
        const Run first = simulate(plan, order, choice, Record::jobs, workspace);
        const Run again = simulate(plan, order, choice, Record::jobs, workspace);
        CHECK(first.outcome.fingerprint == again.outcome.fingerprint);
        CHECK(first.outcome.cells == again.outcome.cells);
    }
}

TEST_CASE("results do not depend on what is recorded") {
    const Plan plan = busy_plan();
    Workspace workspace;
    for (const PolicyChoice& choice : with_more_choices()) {
        const JobOrder order = order_for(plan, choice);
        const Run jobs = simulate(plan, order, choice, Record::jobs, workspace);
        const Run timeline = simulate(plan, order, choice, Record::timeline, workspace);
        CHECK(jobs.outcome.fingerprint == timeline.outcome.fingerprint);
        CHECK(jobs.jobs.finish_ms == timeline.jobs.finish_ms);
        CHECK(!timeline.timeline.empty());
    }
}

TEST_CASE("the lanes of a warp give the result of one lane, in any order between barriers") {
    for (const Plan& plan : {busy_plan(), busy_plan_with_restarts()}) {
        for (const PolicyChoice& choice : with_more_choices()) {
            CAPTURE(choice.queue);
            const Outcome one = run_of(plan, choice).outcome;
            CHECK(one.num_finished == plan.num_jobs());
            if (!lanes_serve(plan, choice))
                continue;
            const Outcome many = run_on_lanes(plan, choice); // which record nothing
            CHECK(one.fingerprint == many.fingerprint);
            CHECK(one.cells == many.cells);
        }
    }
}

// The same number in every build: debug with sanitizers and release at -O3.
TEST_CASE("the fingerprint of a fixed plan is the same in every build") {
    const Plan plan = busy_plan();
    std::string fingerprints;
    for (const PolicyChoice& choice : all_choices) {
        fingerprints += fmt::format("{:016x} ", run_of(plan, choice).outcome.fingerprint);
    }
    CHECK(fingerprints == "4cf1917231816398 1ea3ad31885edc45 785668010c37cef8 "
                          "992a4c91a05fc8be 547cb68b7ed98a26 739efca2a113f4d0 ");
}

TEST_CASE("capacity is never exceeded, and every job runs once for its full time") {
    const Plan plan = busy_plan();
    for (const PolicyChoice& choice : all_choices) {
        const Run run = run_of(plan, choice);
        std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> changes(2);
        for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
            REQUIRE(run.jobs.phase[job] == JobPhase::finished);
            CHECK(run.jobs.start_ms[job] >= plan.submit_ms[job]);
            CHECK(run.jobs.finish_ms[job] - run.jobs.start_ms[job] == plan.work_ms[job]);
            auto& pool = changes[run.jobs.pool[job]];
            pool.emplace_back(run.jobs.start_ms[job], plan.gpus(job));
            pool.emplace_back(run.jobs.finish_ms[job], -std::int64_t{plan.gpus(job)});
        }
        for (std::size_t p = 0; p < changes.size(); ++p) {
            std::sort(changes[p].begin(), changes[p].end()); // ends before starts of an instant
            std::int64_t held = 0;
            std::int64_t most = 0;
            for (const auto& [time, change] : changes[p])
                most = std::max(most, held += change);
            CHECK(most <= plan.pools[p].num_gpus());
            CHECK(held == 0);
        }
    }
}

TEST_CASE("the schedule does not depend on tenants") {
    Plan plan = busy_plan();
    const Run before = run_of(plan, all_choices[5]);
    for (std::uint16_t& tenant : plan.tenant)
        tenant = static_cast<std::uint16_t>(4 - tenant);
    const Run after = run_of(plan, all_choices[5]);
    CHECK(before.jobs.start_ms == after.jobs.start_ms);
    CHECK(before.jobs.pool == after.jobs.pool);
    for (std::size_t pool = 0; pool < 2; ++pool) {
        for (std::size_t tenant = 0; tenant < 5; ++tenant) {
            CHECK(before.outcome.cell(pool, tenant, Leaf::prod_useful) ==
                  after.outcome.cell(pool, 4 - tenant, Leaf::prod_useful));
        }
    }
}

TEST_CASE("jobs that arrive together and differ only in their tenant can be swapped") {
    Plan plan = busy_plan();
    for (std::size_t job = 1; job < plan.num_jobs(); job += 2) { // pairs of twins
        plan.submit_ms[job] = plan.submit_ms[job - 1];
        plan.work_ms[job] = plan.work_ms[job - 1];
        plan.shape[job] = plan.shape[job - 1];
    }
    Plan swapped = plan;
    for (std::size_t job = 1; job < plan.num_jobs(); job += 2)
        std::swap(swapped.tenant[job], swapped.tenant[job - 1]);
    for (const PolicyChoice& choice : all_choices) {
        const Outcome before = run_of(plan, choice).outcome;
        const Outcome after = run_of(swapped, choice).outcome;
        CHECK(before.end == after.end);
        for (std::size_t pool = 0; pool < 2; ++pool) {
            SlotTime useful_before;
            SlotTime useful_after;
            for (std::size_t tenant = 0; tenant < 5; ++tenant) {
                useful_before += before.cell(pool, tenant, Leaf::prod_useful);
                useful_after += after.cell(pool, tenant, Leaf::prod_useful);
            }
            CHECK(useful_before == useful_after);
            for (const Leaf leaf : {Leaf::idle_no_demand, Leaf::idle_gang, Leaf::idle_fragmented})
                CHECK(before.cell(pool, 5, leaf) == after.cell(pool, 5, leaf));
        }
    }
}

} // namespace bursar::test::invariance_test
