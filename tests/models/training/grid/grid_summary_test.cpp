#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/training/grid/grid_summary.hpp"
#include "models/training/grid/layout_grid.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::grid_summary_test {
namespace {

/// Few values, so that equal ones are common.
std::vector<GridPick> any_picks() {
    std::vector<GridPick> picks(static_cast<std::size_t>(*rc::gen::inRange(0, 60)));
    for (std::size_t i = 0; i < picks.size(); ++i) {
        picks[i].point = i;
        picks[i].value.run = {Seconds{1.0 * *rc::gen::inRange(0, 8)},
                              1.0 * *rc::gen::inRange(0, 8)};
    }
    return picks;
}

std::vector<std::uint64_t> points_of(const std::vector<GridPick>& picks) {
    std::vector<std::uint64_t> points;
    for (const GridPick& pick : picks)
        points.push_back(pick.point);
    return points;
}

bool beats(const GridPick& a, const GridPick& b) {
    const RunCost& x = a.value.run;
    const RunCost& y = b.value.run;
    if (x.duration == y.duration && x.usd == y.usd)
        return a.point < b.point;
    return x.duration <= y.duration && x.usd <= y.usd;
}

template <class Set>
Set of(Set set, const std::vector<GridPick>& picks) {
    for (const GridPick& pick : picks)
        set.add(pick);
    return set;
}

std::vector<GridPick> shuffled(std::vector<GridPick> picks) {
    for (std::size_t i = picks.size(); i > 1; --i)
        std::swap(picks[i - 1], picks[*rc::gen::inRange<std::size_t>(0, i)]);
    return picks;
}

} // namespace

TEST_CASE("the front is what nothing beats, in any order and any parts") {
    CHECK(rc::check("front", [] {
        const std::vector<GridPick> picks = any_picks();
        std::vector<GridPick> expected;
        for (const GridPick& pick : picks) {
            const auto beaten = [&](const GridPick& other) { return beats(other, pick); };
            if (std::none_of(picks.begin(), picks.end(), beaten))
                expected.push_back(pick);
        }
        std::sort(expected.begin(), expected.end(), [](const GridPick& a, const GridPick& b) {
            return a.value.run.duration < b.value.run.duration;
        });
        const std::vector<GridPick> mixed = shuffled(picks);
        const auto middle = mixed.begin() + static_cast<std::ptrdiff_t>(mixed.size() / 3);
        TimeCostFront front = of(TimeCostFront{}, {mixed.begin(), middle});
        front.add(of(TimeCostFront{}, {middle, mixed.end()}));
        RC_ASSERT(points_of(front.picks()) == points_of(expected));
    }));
}

TEST_CASE("the best are the first of all in order, in any order and any parts") {
    CHECK(rc::check("best", [] {
        const std::vector<GridPick> picks = any_picks();
        const auto metric = *rc::gen::element(GridMetric::time, GridMetric::cost);
        const auto keep = *rc::gen::inRange<std::size_t>(1, 12);
        std::vector<GridPick> expected = picks;
        std::stable_sort(expected.begin(), expected.end(), [&](const auto& a, const auto& b) {
            const std::pair x{a.value.run.duration.count(), a.value.run.usd};
            const std::pair y{b.value.run.duration.count(), b.value.run.usd};
            return metric == GridMetric::time
                       ? x < y
                       : std::pair{x.second, x.first} < std::pair{y.second, y.first};
        });
        expected.resize(std::min(keep, expected.size()));
        const std::vector<GridPick> mixed = shuffled(picks);
        const auto middle = mixed.begin() + static_cast<std::ptrdiff_t>(mixed.size() / 2);
        BestPicks best = of(BestPicks{metric, keep}, {mixed.begin(), middle});
        best.add(of(BestPicks{metric, keep}, {middle, mixed.end()}));
        RC_ASSERT(points_of(best.sorted()) == points_of(expected));
    }));
}

TEST_CASE("a summary is the same for any number of threads") {
    GridAxes axes;
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = job.model.sequence;
    axes.jobs = {job};
    axes.machines = {{example_cluster(a100()), Precision::bf16, {}, {}},
                     {example_cluster(h100()), Precision::bf16, {}, {}}};
    for (std::uint32_t i = 0; i < 20; ++i)
        axes.offers.push_back({i % 2, MoneyRate{nano_usd_per_usd + 100'000'000 * i}});
    axes.gpus = {64, 128, 256};
    axes.batches = {512, 1024};
    axes.tokens = 1e11;
    const LayoutGrid grid{axes};
    REQUIRE(grid.size() > 3 * 65'536);
    const GridSummary one = summarize(grid.view(), grid.points_of(0), GridMetric::cost, 25, 1);
    CHECK(one.best.size() == 25);
    CHECK(one.front.size() > 1);
    CHECK(one.fitting + one.too_large == grid.size());
    for (const unsigned threads : {2U, 3U, 8U}) {
        const GridSummary many =
            summarize(grid.view(), grid.points_of(0), GridMetric::cost, 25, threads);
        CHECK(points_of(many.best) == points_of(one.best));
        CHECK(points_of(many.front) == points_of(one.front));
        CHECK(many.fitting == one.fitting);
        CHECK(many.too_large == one.too_large);
        CHECK(many.min_memory == one.min_memory);
    }
}

} // namespace bursar::grid_summary_test
