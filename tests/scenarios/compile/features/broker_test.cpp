#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/errors/scenario_error.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::broker_test {
namespace {

using test::pool_spec;
using test::scenario_of;
using test::trace_of;

/// Owned, on demand and spot, in that order; jobs have a deadline a day after their submit.
Scenario scenario_with_deadline() {
    std::vector<PoolSpec> fleet{
        pool_spec("o", "T4", 1, 1), pool_spec("d", "T4", 4, 1), pool_spec("s", "T4", 4, 1)};
    fleet[1].purchase = Purchase::on_demand;
    fleet[2].purchase = Purchase::spot;
    fleet[1].rate = MoneyRate{3};
    fleet[2].rate = MoneyRate{1};
    Scenario scenario = scenario_of(fleet);
    scenario.policy.broker = "spot-with-fallback";
    ClassSpec spec;
    spec.deadline = day;
    spec.checkpoint = CheckpointSpec{Checkpoint::every, 30 * second, 2 * second};
    scenario.classes = {spec};
    return scenario;
}

Compiled compiled(const Scenario& scenario) {
    return compile(scenario, builtin_catalogue(), trace_of({{0, 10, 1}, {5, 10, 1}, {9, 10, 2}}));
}

bool says(const std::vector<std::string>& notes, const std::string& what) {
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

} // namespace

TEST_CASE("jobs with a deadline have separate shapes and later pools") {
    const Compiled out = compiled(scenario_with_deadline());
    const Plan& plan = out.plan;
    REQUIRE(plan.fallbacks.size() == 3);
    CHECK(!plan.keeps_pace);
    CHECK(plan.moves());
    for (std::size_t job = 0; job < 3; ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        REQUIRE(shape.fallback == job + 1);
        const JobFallback& own = plan.fallbacks[job];
        CHECK(own.job == job);
        CHECK(own.late_pools == 0b010);
        CHECK(own.early_pools == (job == 2 ? 0b100U : 0b101U)); // two GPUs do not fit the owned one
        CHECK(shape.permitted_pools == own.early_pools);
        CHECK(own.loss_ms == 0); // no pool is ever reclaimed
    }
    CHECK(plan.pool_preference == std::vector<std::uint16_t>{0, 2, 1});
    CHECK(says(out.notes.assumed, "as if on demand had room for every job that falls back"));
}

TEST_CASE("a deadline that no pool can meet is reported before the run") {
    Scenario scenario = scenario_with_deadline();
    CHECK(!says(compiled(scenario).notes.warnings, "deadline"));
    scenario.classes[0].deadline = 10 * second; // as long as the jobs, which is enough
    CHECK(!says(compiled(scenario).notes.warnings, "deadline"));
    scenario.classes[0].startup.whole = 1 * second;
    CHECK(says(compiled(scenario).notes.warnings,
               "workload.classes[0].deadline: 3 jobs cannot meet their deadline; the first is "));
    CHECK(says(compiled(scenario).notes.warnings,
               "it needs 11 s on the fastest pool that it may use, and has 10 s"));
}

TEST_CASE("the cost of a reclaim for a job depends on its saves and on the notice") {
    Scenario scenario = scenario_with_deadline();
    scenario.fleet[2].availability.emplace();
    scenario.fleet[2].availability->generated = GeneratedSupply{hour, hour, 0};
    const auto loss = [&] { return compiled(scenario).plan.fallbacks.front().loss_ms; };
    CHECK(loss() == 32'000);
    scenario.classes[0].checkpoint->young_daly = true;
    const Plan plan = compiled(scenario).plan;
    const std::int64_t interval_ms = plan.speed_of(0, 2)->interval_ms; // Daly's interval there
    CHECK(interval_ms > 60'000);
    CHECK(plan.fallbacks.front().loss_ms == interval_ms + 2'000);
    scenario.classes[0].checkpoint = CheckpointSpec{Checkpoint::on_preempt, {}, 5 * second};
    CHECK(loss() == horizon_ms); // all of it
    scenario.fleet[2].availability->notice = 4 * second;
    CHECK(loss() == horizon_ms);
    scenario.fleet[2].availability->notice = 5 * second;
    CHECK(loss() == 5'000); // it saves, which takes this long
}

TEST_CASE("a class that could save on a pool's notice but does not is warned of") {
    Scenario scenario = scenario_with_deadline();
    AvailabilitySpec& spot = scenario.fleet[2].availability.emplace();
    spot.generated = GeneratedSupply{hour, hour, 0};
    const auto warned = [&](const std::string& what) {
        return says(compiled(scenario).notes.warnings, what);
    };
    CHECK(!warned("notice"));
    spot.notice = 1 * second; // shorter than a save
    CHECK(!warned("notice"));
    spot.notice = 2 * second;
    CHECK(
        warned("workload.classes[0].checkpoint: jobs do not save as pool s takes its nodes back"));
    CHECK(warned("its notice of 2 s is long enough for a save of 2 s"));
    CHECK(warned("`when: [every, on-notice]`"));
    for (const Checkpoint saves :
         {Checkpoint::every_on_notice, Checkpoint::every_on_preempt, Checkpoint::on_preempt}) {
        scenario.classes[0].checkpoint->kind = saves;
        CHECK(!warned("notice"));
    }
    scenario.classes[0].checkpoint->kind = Checkpoint::every;
    scenario.classes[0].pools = {"o", "d"};
    CHECK(!warned("notice"));
}

TEST_CASE("a job without a deadline waits for spot, and one without a choice keeps its pools") {
    Scenario scenario = scenario_with_deadline();
    scenario.classes[0].deadline.reset();
    ClassSpec only_demand = scenario.classes[0];
    only_demand.match = ClassMatch{.gpus = CountRange{2, 2}, .tenants = {}};
    only_demand.pools = {"d"};
    only_demand.deadline = day;
    scenario.classes.insert(scenario.classes.begin(), only_demand);
    const Compiled out = compiled(scenario);
    CHECK(out.plan.fallbacks.empty());
    CHECK(out.plan.shapes[out.plan.shape[0]].permitted_pools == 0b101);
    CHECK(out.plan.shapes[out.plan.shape[2]].permitted_pools == 0b010);
    CHECK(says(out.notes.assumed, "jobs without a deadline (2)"));
    CHECK(says(out.notes.assumed, "one kind, spot or on demand (1)"));
}

TEST_CASE("a deadline broker without deadlines is a mistake") {
    Scenario scenario = scenario_with_deadline();
    scenario.classes[0].deadline.reset();
    CHECK_THROWS_WITH_AS(compiled(scenario),
                         doctest::Contains("policy.broker: spot-with-fallback has no data"),
                         ScenarioError);
}

} // namespace bursar::broker_test
