#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/supply_generators.hpp"
#include "models/random/philox.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Properties of runs in the same world, under any policies: of one run, or of several compared.
namespace bursar::test::world_properties_test {
namespace {

PolicyChoice draw_choice() {
    static const std::vector<PolicyChoice> all = every_combination();
    return draw_options(drawn::element_of(all));
}

Plan draw_moving_plan() {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 15, .with_estimates = true});
    plan.world = draw_world(plan);
    draw_fleet(plan);
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice, Record record = Record::jobs) {
    Workspace workspace;
    Run run = simulate(plan, order_for(plan, choice), choice, record, workspace);
    RC_ASSERT(run.outcome.status == RunStatus::ok);
    return run;
}

std::int64_t slots_of_node(const Plan& plan, std::size_t pool) {
    return std::int64_t{plan.pools[pool].gpus_per_node} * slots_per_gpu;
}

/// All nodes of all pools come and go by the provider alone, independent of policies.
void supply_all(Plan& plan) {
    for (PlanPool& pool : plan.pools) {
        PlanProvisioning& rule = plan.provisioning.emplace_back();
        rule.is_fixed = false;
        rule.first_nodes = rule.min_nodes = pool.num_nodes;
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        plan.boot_ms.push_back(drawn::in_range(0, 8) * 500);
    }
}

void draw_supply(Plan& plan, std::int64_t notice_ms) {
    for (int changes = drawn::in_range(1, 8); changes > 0; --changes) {
        const auto pool = drawn::in_range<std::size_t>(0, plan.pools.size());
        const std::int64_t time_ms = draw_half_seconds(80);
        const auto num_nodes = drawn::in_range(0U, plan.pools[pool].num_nodes + 1);
        plan.world.emplace_back(time_ms, SupplyChange{PoolId{pool}, num_nodes, notice_ms});
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

SlotTime lost(const Outcome& outcome) {
    SlotTime sum{};
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool)
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            sum += outcome.cell(pool, tenant, Leaf::lost_preempt) +
                   outcome.cell(pool, tenant, Leaf::lost_failure);
    return sum;
}

} // namespace

TEST_CASE("nodes are paid for once while they are up, and no job runs on others") {
    CHECK(check_property([] {
        Plan plan = draw_moving_plan();
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            plan.pools[pool].billing_step = Duration{1};
            plan.provisioning[pool].min_paid_ms = 0;
        }
        const Run run = run_of(plan, draw_choice(), Record::timeline);
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            const std::int64_t all = plan.pools[pool].num_nodes * slots_of_node(plan, pool);
            std::int64_t there_slot_ms = 0;
            std::int64_t since_ms = 0;
            std::int64_t there = 0;
            for (const TimelineRow& row : run.timeline) {
                if (row.pool != pool)
                    continue;
                RC_ASSERT(row.allocated_slots >= 0);
                RC_ASSERT(row.allocated_slots + row.down_slots + row.off_slots <= all);
                there_slot_ms += there * (row.time_ms - since_ms);
                there = all - row.off_slots;
                since_ms = row.time_ms;
            }
            there_slot_ms += there * (run.outcome.end.count() - since_ms);
            RC_ASSERT(there_slot_ms ==
                      run.outcome.nodes[pool].paid.count() * slots_of_node(plan, pool));
        }
    }));
}

TEST_CASE("a pool whose nodes no job needs costs nothing") {
    CHECK(check_property([] {
        Plan plan = draw_moving_plan();
        plan.pools.push_back(pool_of(4, 2));
        plan.pool_preference.push_back(static_cast<std::uint16_t>(plan.pools.size() - 1));
        plan.pools_by_name.push_back(static_cast<std::uint16_t>(plan.pools.size() - 1));
        PlanProvisioning& rule = plan.provisioning.emplace_back();
        rule.is_fixed = false;
        rule.follows_queue = true;
        rule.min_paid_ms = 60'000;
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        plan.boot_ms.push_back(0);
        const Outcome outcome = run_of(plan, draw_choice()).outcome;
        RC_ASSERT(outcome.nodes.back().num_launches == 0U);
        RC_ASSERT(outcome.nodes.back().paid == Duration{});
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                RC_ASSERT(outcome.cell(plan.pools.size() - 1, tenant, static_cast<Leaf>(leaf)) ==
                          SlotTime{});
    }));
}

TEST_CASE("a notice longer than a save loses nothing") {
    CHECK(check_property([] {
        Plan plan = draw_plan({.max_pools = 2, .max_jobs = 15, .with_every_save = false});
        std::int64_t longest = 0;
        for (PlanClass& job_class : plan.classes) {
            job_class.checkpoint = Checkpoint::on_preempt;
            job_class.save = Duration{draw_half_seconds(6)};
            longest = std::max(longest, job_class.save.count());
        }
        supply_all(plan);
        draw_supply(plan, longest + 1);
        const Run run = run_of(plan, draw_choice());
        RC_ASSERT(lost(run.outcome) == SlotTime{});
        for (const StoppedAttempt& stopped : run.jobs.stopped)
            RC_ASSERT(stopped.cause != StopCause::reclaimed_unsaved);
    }));
}

TEST_CASE("without reclaims and failures spot costs the on-demand cost times the price ratio") {
    CHECK(check_property([] {
        Plan plan = draw_plan({.max_pools = 3, .max_jobs = 15, .with_estimates = true});
        draw_fleet(plan);
        std::erase_if(plan.world,
                      [](const WorldEvent& event) { return !event.is<MinNodesChange>(); });
        const PolicyChoice choice = draw_choice();
        const auto bought = [&](Purchase purchase, std::int64_t nano_usd) {
            for (PlanPool& pool : plan.pools) {
                pool.purchase = purchase;
                pool.rate = MoneyRate{nano_usd};
            }
            const Outcome outcome = run_of(plan, choice).outcome;
            int128 cost = 0;
            for (const SlotTime cell : outcome.cells)
                cost += (MoneyRate{nano_usd} * cell).count();
            return cost;
        };
        const int128 on_demand = bought(Purchase::on_demand, 1'000);
        RC_ASSERT(bought(Purchase::spot, 318) * 1'000 == on_demand * 318);
    }));
}

TEST_CASE("nodes come, go and fail at the same times under any policies") {
    CHECK(check_property([] {
        Plan plan = draw_plan({.max_pools = 2, .max_jobs = 15, .with_overheads = false});
        // No job runs, because the end of a held node would depend on policies.
        plan.world = draw_world(plan, 0);
        supply_all(plan);
        draw_supply(plan, 0);
        plan.until = Duration{60'000};
        for (PlanClass& own : plan.classes)
            own.save = own.write = own.increment_write = Duration{0};
        const Outcome one = run_of(plan, draw_choice()).outcome;
        const Outcome other = run_of(plan, draw_choice()).outcome;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            RC_ASSERT(one.nodes[pool].paid == other.nodes[pool].paid);
            RC_ASSERT(one.nodes[pool].num_launches == other.nodes[pool].num_launches);
            RC_ASSERT(one.nodes[pool].num_reclaimed == other.nodes[pool].num_reclaimed);
            RC_ASSERT(one.nodes[pool].num_failures == other.nodes[pool].num_failures);
        }
    }));
}

TEST_CASE("the same run has the same bytes") {
    CHECK(check_property([] {
        const Plan plan = draw_moving_plan();
        const PolicyChoice choice = draw_choice();
        const Run one = run_of(plan, choice);
        const Run other = run_of(plan, choice);
        RC_ASSERT(one.outcome.fingerprint == other.outcome.fingerprint);
        RC_ASSERT(one.outcome.cells == other.outcome.cells);
        RC_ASSERT(one.outcome.end == other.outcome.end);
        RC_ASSERT(one.jobs.start_ms == other.jobs.start_ms);
        RC_ASSERT(one.jobs.finish_ms == other.jobs.finish_ms);
        RC_ASSERT(one.jobs.stopped.size() == other.jobs.stopped.size());
    }));
}

namespace {

/// 200 jobs of some hours on 8 nodes of 8 GPUs that a provider reclaims without notice after
/// `mean_up` on average; they save every 30 min.
Plan reclaimed_plan(Duration mean_up, std::uint64_t seed) {
    std::vector<JobSpec> jobs;
    const RandomStream draws{seed, Stream::run_times};
    for (std::uint32_t job = 0; job < 200; ++job)
        jobs.push_back({job * 600,
                        static_cast<std::int64_t>(600 + draws.below(20'000, job, 0)),
                        1U << draws.below(4, job, 1)});
    Plan plan = plan_of(jobs, {pool_of(8, 8)});
    plan.classes[0].checkpoint = Checkpoint::every;
    plan.classes[0].interval = 30 * minute;
    plan.classes[0].save = 10 * second;
    PlanProvisioning& rule = plan.provisioning.emplace_back();
    rule.is_fixed = false;
    rule.first_nodes = rule.min_nodes = 8;
    plan.boot_ms = {60'000};
    // The share of time up is the same for every mean_up.
    const ZoneSupply law{
        8,
        {LifeLaw::exponential(mean_up), LifeLaw::exponential(Duration{mean_up.count() / 8})},
        {}};
    const SupplySeries supply = generate(law, 90 * day, seed);
    for (const SupplyStep& step : supply.steps())
        plan.world.emplace_back(step.time_ms,
                                SupplyChange{.num_nodes = static_cast<std::uint32_t>(step.nodes)});
    return plan;
}

double lost_gpu_hours(Duration mean_up, const PolicyChoice& choice, std::uint64_t seed) {
    const Plan plan = reclaimed_plan(mean_up, seed);
    Workspace workspace;
    const Outcome outcome =
        simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
    return static_cast<double>(lost(outcome).count()) / slot_ms_per_gpu_hour;
}

} // namespace

TEST_CASE("twice as many reclaims never lower the mean of lost work") {
    constexpr int num_seeds = 12;
    constexpr double t_99 = 3.106; // two-sided 99 % of Student's t with 11 degrees of freedom
    for (const char* capacity : {"count", "nodes"})
        for (const char* queue : {"fifo", "sjf", "srtf", "las", "fair-share", "ftf"})
            for (const char* backfill : {"none", "easy", "conservative"}) {
                PolicyChoice choice{queue, HeadRule::block};
                choice.capacity = capacity;
                choice.backfill = backfill;
                if (policy_conflict(choice))
                    continue;
                CAPTURE(name_of(choice));
                std::vector<double> more;
                for (std::uint64_t seed = 1; seed <= num_seeds; ++seed)
                    more.push_back(lost_gpu_hours(8 * hour, choice, seed) -
                                   lost_gpu_hours(16 * hour, choice, seed));
                double mean = 0;
                for (const double one : more)
                    mean += one / num_seeds;
                double squares = 0;
                for (const double one : more)
                    squares += (one - mean) * (one - mean);
                const double half = t_99 * std::sqrt(squares / (num_seeds - 1) / num_seeds);
                CAPTURE(mean);
                CAPTURE(half);
                CHECK(mean >= -half);
                CHECK(mean > 0); // stricter than the interval: the mean itself rises
            }
}

} // namespace bursar::test::world_properties_test
