#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/search/layout_budget.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::layout_budget_test {
namespace {

using test::a100_cluster;
using test::gpt;
using test::megatron;

std::vector<FleetOption> options() {
    std::vector<FleetOption> all;
    for (const std::int64_t gpus : {8, 16, 64})
        all.push_back({a100_cluster(), gpus, MoneyRate{2 * nano_usd_per_usd}});
    return all;
}

FleetSearch search(const TrainingGoal& goal) {
    LayoutSpace space;
    space.global_batch = 64;
    space.precisions = {Precision::fp8, Precision::fp16};
    return search_fleets(megatron(gpt(24, 2048, 16), {}), options(), {}, space, goal);
}

} // namespace

TEST_CASE("a plan's time and money follow from its step") {
    const TrainingGoal goal{.tokens = 1e9 + 1, .budget_usd = {}, .deadline = {}};
    const FleetSearch found = search(goal);
    REQUIRE(found.plans.size() == 3);
    for (const FleetPlan& plan : found.plans) {
        const double steps = std::ceil((1e9 + 1) / (64.0 * 2048));
        CHECK(plan.duration.count() == doctest::Approx(steps * plan.layout.step.count()));
        const auto gpus = static_cast<double>(plan.layout.layout.gpus());
        CHECK(plan.usd == doctest::Approx(plan.duration.count() / 3600 * gpus * 2));
        CHECK(plan.layout.precision == Precision::fp16); // the other these GPUs lack
    }
}

TEST_CASE("plans that meet the goal come first, the cheapest of them first") {
    const FleetSearch free = search({.tokens = 1e9, .budget_usd = {}, .deadline = {}});
    CHECK(std::is_sorted(free.plans.begin(),
                         free.plans.end(),
                         [](const FleetPlan& a, const FleetPlan& b) { return a.usd < b.usd; }));
    const auto fastest = std::min_element(
        free.plans.begin(), free.plans.end(), [](const FleetPlan& a, const FleetPlan& b) {
            return a.duration < b.duration;
        });
    const TrainingGoal hurried{.tokens = 1e9, .budget_usd = {}, .deadline = fastest->duration};
    const FleetSearch pressed = search(hurried);
    CHECK(meets(pressed.plans.front(), hurried));
    CHECK(pressed.plans.front().option == fastest->option);
    CHECK_FALSE(meets(pressed.plans.back(), hurried));
    const TrainingGoal poor{.tokens = 1e9, .budget_usd = 0.0, .deadline = {}};
    CHECK_FALSE(meets(search(poor).plans.front(), poor));
}

TEST_CASE("no plan of the front is beaten in duration, money and memory") {
    const FleetSearch found = search({.tokens = 1e9, .budget_usd = {}, .deadline = {}});
    REQUIRE(found.pareto.size() >= 2);
    for (const FleetPlan& a : found.pareto)
        for (const FleetPlan& b : found.pareto) {
            const bool beaten =
                b.duration < a.duration && b.usd < a.usd && b.layout.memory < a.layout.memory;
            CHECK_FALSE(beaten);
        }
    CHECK(std::is_sorted(
        found.pareto.begin(), found.pareto.end(), [](const FleetPlan& a, const FleetPlan& b) {
            return a.duration < b.duration;
        }));
}

TEST_CASE("a run's shape settles where its size and its utilisation agree") {
    // Shape 1 pays for shape 1, whatever the search begins with.
    const std::vector<double> shares{0.5, 0.4, 0.3};
    std::vector<std::size_t> timed;
    const auto timing = [&](std::size_t shape) {
        timed.push_back(shape);
        return shares[shape];
    };
    const auto to_middle = [](double share) { return share > 0.45 ? 2U : 1U; };
    for (const std::size_t first : {0U, 1U, 2U}) {
        timed.clear();
        CHECK(settled_shape(first, to_middle, timing) == 1);
        CHECK(timed.size() == std::vector<std::size_t>{3, 1, 2}[first]);
    }
}

TEST_CASE("shapes that alternate settle at the one of least utilisation, in bounded time") {
    CHECK(check_property([] {
        const auto shapes = static_cast<std::size_t>(drawn::in_range(1, 12));
        std::vector<double> shares;
        std::vector<std::size_t> next;
        for (std::size_t shape = 0; shape < shapes; ++shape) {
            shares.push_back(drawn::in_range(1, 100) + 1e-3 * static_cast<double>(shape));
            next.push_back(static_cast<std::size_t>(drawn::in_range(0, static_cast<int>(shapes))));
        }
        const auto at = [&](double share) {
            return next[static_cast<std::size_t>(std::ranges::find(shares, share) -
                                                 shares.begin())];
        };
        std::vector<int> calls(shapes);
        const std::size_t settled = settled_shape(0, at, [&](std::size_t shape) {
            ++calls[shape];
            return shares[shape];
        });
        RC_ASSERT(std::ranges::max(calls) == 1);
        // It lies on the cycle, and no shape of the cycle is utilised less.
        std::size_t shape = next[settled];
        for (std::size_t step = 0; step < shapes && shape != settled; ++step) {
            RC_ASSERT(shares[shape] >= shares[settled]);
            shape = next[shape];
        }
        RC_ASSERT(shape == settled);
    }));
}

TEST_CASE("a goal without tokens and a market without GPUs are refused") {
    const TrainingJob job = megatron(gpt(24, 2048, 16), {});
    LayoutSpace space;
    space.global_batch = 64;
    CHECK_THROWS_AS((void)search({.tokens = 0, .budget_usd = {}, .deadline = {}}), ModelError);
    CHECK_THROWS_AS(
        (void)search_fleets(job, {}, {}, space, {.tokens = 1, .budget_usd = {}, .deadline = {}}),
        ModelError);
}

} // namespace bursar::layout_budget_test
