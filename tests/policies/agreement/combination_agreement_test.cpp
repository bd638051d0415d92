#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/nodes/ideal_run.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/agreement/every_combination.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Under every combination, engine and naive scheduler start, stop and finish the same jobs at the
// same times in the same pools, with equal books. To run one combination: -sc='*gittins*', with
// more of its name_of.
namespace bursar::test::combination_agreement_test {
namespace {

Plan draw_small_plan() {
    return draw_plan({.max_pools = 2,
                      .max_jobs = 12,
                      .with_speeds = drawn::boolean(),
                      .with_estimates = drawn::boolean()});
}

/// In some plans nodes are launched and ended by demand; in some, pools and shapes close for a
/// time.
void draw_fleet_and_admission(Plan& plan) {
    if (drawn::in_range(0, 3) == 0)
        draw_fleet(plan);
    if (drawn::in_range(0, 3) == 0)
        draw_admission(plan);
}

/// Computed once, as doctest runs a test case again for each of its subcases.
const std::vector<PolicyChoice>& combinations() {
    static const std::vector<PolicyChoice> all = every_combination();
    return all;
}

} // namespace

TEST_CASE("every combination of policies agrees with the naive scheduler") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(
                2, [&] { check_agreement(draw_small_plan(), draw_options(combination)); }));
        }
    }
}

TEST_CASE("they agree if jobs fail or are stopped by the world, and nodes come and go") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_own_failures(plan);
                if (combination.capacity == capacity_nodes && drawn::boolean())
                    draw_slow_nodes(plan);
                check_agreement(plan, draw_options(combination));
            }));
        }
    }
}

TEST_CASE("they agree if nodes are launched and ended by demand, and reclaimed") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_own_failures(plan);
                if (combination.capacity == capacity_nodes && drawn::boolean())
                    draw_slow_nodes(plan);
                draw_fleet(plan);
                check_agreement(plan, draw_options(combination));
            }));
        }
    }
}

TEST_CASE("they agree if pools and shapes close for a time, and runs close") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                if (drawn::boolean())
                    plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_fleet(plan);
                draw_admission(plan);
                check_agreement(plan, draw_options(combination));
            }));
        }
    }
}

TEST_CASE("they agree if jobs wait for others, whatever else happens") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                draw_dependencies(plan);
                if (drawn::boolean())
                    plan.world = draw_world(plan);
                if (drawn::boolean())
                    draw_own_failures(plan);
                draw_fleet_and_admission(plan);
                check_agreement(plan, draw_options(combination));
            }));
        }
    }
}

TEST_CASE("they agree if waiting jobs are dropped as they must be late, whatever else happens") {
    for (const PolicyChoice& combination : combinations()) {
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                draw_drops(plan);
                if (drawn::boolean())
                    plan.world = draw_world(plan);
                if (drawn::in_range(0, 3) == 0)
                    draw_dependencies(plan);
                if (drawn::in_range(0, 3) == 0)
                    draw_own_failures(plan);
                if (combination.capacity == capacity_nodes && drawn::in_range(0, 3) == 0)
                    draw_slow_nodes(plan);
                draw_fleet_and_admission(plan);
                check_agreement(plan, draw_options(combination));
            }));
        }
    }
}

TEST_CASE("they agree if jobs that have waited long are promoted, whatever else happens") {
    for (const PolicyChoice& combination : combinations()) {
        const bool has_queues = combination.queue == "las" || combination.queue == "gittins";
        if (!has_queues || !hands_out_anew(combination))
            continue;
        SUBCASE(name_of(combination).c_str()) {
            CHECK(check_property_often(2, [&] {
                Plan plan = draw_small_plan();
                for (PlanClass& one : plan.classes) { // every turn in the first queue leads on
                    one.checkpoint = Checkpoint::on_preempt;
                    one.recovery = {};
                }
                if (drawn::in_range(0, 3) == 0)
                    plan.world = draw_world(plan);
                if (drawn::in_range(0, 3) == 0)
                    draw_dependencies(plan);
                if (drawn::in_range(0, 3) == 0)
                    draw_drops(plan);
                if (combination.capacity == capacity_nodes && drawn::in_range(0, 3) == 0)
                    draw_slow_nodes(plan);
                draw_fleet_and_admission(plan);
                PolicyChoice choice = draw_options(combination);
                choice.queue_options.set("starve_limit", {drawn::in_range(1, 5)});
                if (choice.queue == "gittins")
                    choice.queue_options.set("queues", {2'000, drawn::one_of(5'000, 30'000)});
                RC_ASSERT(!policy_conflict(choice));
                RC_LOG("starve_limit " +
                       std::to_string(choice.queue_options.given().at("starve_limit").front()));
                check_agreement(plan, choice);
            }));
        }
    }
}

TEST_CASE("a job's ideal run is the shortest that the naive scheduler gives it alone on a pool") {
    CHECK(check_property([] {
        const Plan plan = draw_plan({.with_speeds = drawn::boolean()});
        const std::vector<std::int64_t> ideal_ms = ideal_run_times(plan);
        RC_ASSERT(ideal_ms.size() == plan.num_jobs());
        for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
            const JobShape shape = plan.shapes[plan.shape[job]];
            std::optional<std::int64_t> shortest;
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
                if ((shape.permitted_pools >> pool & 1U) == 0 ||
                    plan.pools[pool].num_gpus() < shape.gpus)
                    continue;
                Plan alone = plan;
                alone.submit_ms = {0};
                alone.work_ms = {plan.work_ms[job]};
                alone.job_class = {plan.job_class[job]};
                alone.shape = {0};
                alone.shapes = {shape};
                alone.shapes[0].permitted_pools = std::uint64_t{1} << pool;
                alone.tenant = {0};
                alone.end = {JobEnd::completed};
                alone.priority = {};
                alone.deadline_ms = {};
                alone.value_nano_usd = {};
                const std::int64_t run_ms =
                    ask_oracle(alone, {"fifo", HeadRule::block, "count"}).finish_ms[0];
                shortest = std::min(shortest.value_or(run_ms), run_ms);
            }
            RC_ASSERT(shortest == ideal_ms[job]);
        }
    }));
}

TEST_CASE("a job whose shape closes loses its reservation, also with only one pool") {
    Plan plan = plan_of({{0, 0, 11}, {2, 3, 6}, {6, 0, 11}, {6, 0, 6, 1, 2}}, {pool_of(4, 4)});
    plan.num_tenants = 3;
    plan.classes[0] = {.startup = second, .recovery = second, .save = second, .interval = second};
    plan.estimate_ms = {0, 0, 0, 1};
    plan.world = {{0, NodeOffline{.cause = StopCause::maintenance}},
                  {2000, RunCloses{}},
                  {2500, StopJob{JobId{1}, StopCause::reclaimed}},
                  {3000, ShapeAdmission{.shape = ShapeId{0}, .opens = false}},
                  {6500, ShapeAdmission{.shape = ShapeId{1}, .opens = false}}};
    plan.admission_changes = true;
    PolicyChoice choice{"gittins", HeadRule::skip};
    choice.queue_options.set("levels", {1});
    choice.preemption = "order";
    choice.preemption_options.set("unfinished_recovery", {0});
    choice.backfill = "none";
    choice.placement = "consolidated";
    for (const auto capacity : {capacity_count, capacity_nodes}) {
        choice.capacity = capacity;
        CHECK(check_property([&] { check_agreement(plan, choice); }));
    }
}

} // namespace bursar::test::combination_agreement_test
