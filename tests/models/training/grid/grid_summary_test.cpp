#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/training/grid/grid_gpu.hpp"
#include "models/training/grid/host_systems.cuh"

#include "tests/models/training/grid/grid_example.hpp"
#include "tests/models/training/grid/openmp_summary.hpp"
#include "tests/properties.hpp"

namespace bursar::grid_summary_test {
namespace {

/// Few values, so that equal ones are common; one in nine does not fit, half of the others may not.
std::vector<GridPick> any_picks() {
    std::vector<GridPick> picks(static_cast<std::size_t>(drawn::in_range(0, 60)));
    for (std::size_t i = 0; i < picks.size(); ++i) {
        picks[i].point = i;
        picks[i].value.fits = drawn::in_range(0, 9) > 0;
        picks[i].value.likely_fits = picks[i].value.fits && drawn::in_range(0, 2) > 0;
        picks[i].value.run = {Seconds{1.0 * drawn::in_range(0, 8)}, 1.0 * drawn::in_range(0, 8)};
    }
    return picks;
}

std::vector<GridPick> fitting(std::vector<GridPick> picks) {
    std::erase_if(picks, [](const GridPick& pick) { return !pick.value.fits; });
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

/// Adds the picks tile by tile, in order; tiles have room for more than is in them.
template <class Set>
Set of_tiles(Set set, const std::vector<GridPick>& picks) {
    for (std::size_t first = 0; first < picks.size();) {
        const auto count = drawn::in_range<std::size_t>(1, picks.size() - first + 1);
        std::vector<GridPick> tile(picks.size());
        std::copy_n(picks.begin() + static_cast<std::ptrdiff_t>(first), count, tile.begin());
        set.add(tile.data(), count);
        first += count;
    }
    return set;
}

void check_equal(const GridSummary& found, const GridSummary& expected) {
    CHECK(points_of(found.best) == points_of(expected.best));
    CHECK(points_of(found.front) == points_of(expected.front));
    CHECK(found.fitting == expected.fitting);
    CHECK(found.too_large == expected.too_large);
    CHECK(found.min_memory == expected.min_memory);
}

/// The same picks to the tolerance of GridGpu: two nearly equal ones may be in either order.
void check_close(const std::vector<GridPick>& found, const std::vector<GridPick>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const GridValue& x = found[i].value;
        const GridValue& y = expected[i].value;
        CHECK(x.run.duration.count() == doctest::Approx(y.run.duration.count()).epsilon(1e-12));
        CHECK(x.run.usd == doctest::Approx(y.run.usd).epsilon(1e-12));
    }
}

} // namespace

TEST_CASE("the front is the set of unbeaten points, in any tiles") {
    CHECK(check_property("front", [] {
        const std::vector<GridPick> picks = any_picks();
        const std::vector<GridPick> fits = fitting(picks);
        std::vector<GridPick> expected;
        for (const GridPick& pick : fits) {
            const auto beaten = [&](const GridPick& other) { return beats(other, pick); };
            if (std::none_of(fits.begin(), fits.end(), beaten))
                expected.push_back(pick);
        }
        std::sort(expected.begin(), expected.end(), [](const GridPick& a, const GridPick& b) {
            return a.value.run.duration < b.value.run.duration;
        });
        const auto front = of_tiles(TimeCostFront<CppSystem>{}, picks);
        RC_ASSERT(points_of(front.on_host()) == points_of(expected));
    }));
}

TEST_CASE("the best are the first points in order, those that likely fit first, in any tiles") {
    CHECK(check_property("best", [] {
        const std::vector<GridPick> picks = any_picks();
        const auto metric = drawn::one_of(GridMetric::time, GridMetric::cost);
        const auto keep = drawn::in_range<std::size_t>(1, 12);
        std::vector<GridPick> expected = fitting(picks);
        std::stable_sort(expected.begin(), expected.end(), [&](const auto& a, const auto& b) {
            if (a.value.likely_fits != b.value.likely_fits)
                return a.value.likely_fits;
            const std::pair x{a.value.run.duration.count(), a.value.run.usd};
            const std::pair y{b.value.run.duration.count(), b.value.run.usd};
            return metric == GridMetric::time
                       ? x < y
                       : std::pair{x.second, x.first} < std::pair{y.second, y.first};
        });
        expected.resize(std::min(keep, expected.size()));
        const auto best = of_tiles(BestPicks<CppSystem>{metric, keep}, picks);
        RC_ASSERT(points_of(best.on_host()) == points_of(expected));
    }));
}

TEST_CASE("a summary is the same for any number of threads, under CPP, OMP and TBB") {
    const LayoutGrid grid{example_axes()};
    const GridView view = grid.view();
    REQUIRE(grid.size() > 6 * CppSystem::tile_points);
    for (const GridMetric metric : {GridMetric::time, GridMetric::cost}) {
        const GridRequest request{grid.points_of(0), metric, 25};
        const GridSummary one = summarize_on<CppSystem>(view, request);
        CHECK(one.best.size() == 25);
        CHECK(one.front.size() > 1);
        CHECK(one.fitting + one.too_large == grid.size());
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            CAPTURE(threads);
            check_equal(summarize(view, request, threads), one);
            if (knows_openmp())
                check_equal(summarize_by_openmp(view, request, threads), one);
        }
    }
    if (!knows_openmp())
        MESSAGE("skipped: OMP, which this compiler does not know");
}

TEST_CASE("GPU and host agree to 1e-12 of each number") {
    const std::string why = GridGpu::why_none();
    if (!why.empty()) {
        MESSAGE("skipped: " << why);
        return;
    }
    const LayoutGrid grid{example_axes()};
    const GridRequest request{grid.points_of(0), GridMetric::cost, 25};
    const GridSummary host = summarize(grid.view(), request, 2);
    const GridSummary gpu = GridGpu{grid.arrays()}.summarize(request);
    check_close(gpu.best, host.best);
    check_close(gpu.front, host.front);
    CHECK(gpu.fitting == host.fitting);
    CHECK(gpu.too_large == host.too_large);
    REQUIRE(gpu.min_memory);
    CHECK(gpu.min_memory->count() == doctest::Approx(host.min_memory->count()).epsilon(1e-12));
}

TEST_CASE("a grid without a GPU is refused with the reason") {
    if (GridGpu::why_none().empty())
        return;
    const LayoutGrid grid{example_axes()};
    CHECK_THROWS_AS(GridGpu{grid.arrays()}, GpuError);
}

TEST_CASE("if nothing fits there is no best, only the least memory; no points, no memory") {
    GridAxes axes = example_axes();
    axes.gpus = {1};
    axes.batches = {};
    axes.jobs.front().model.layers *= 40;
    const LayoutGrid grid{axes};
    REQUIRE(grid.size() > 0);
    const GridSummary found = summarize(grid.view(), {grid.points_of(0), GridMetric::cost, 3}, 2);
    CHECK(found.best.empty());
    CHECK(found.front.empty());
    CHECK(found.fitting == 0);
    CHECK(found.too_large == grid.size());
    REQUIRE(found.min_memory);
    CHECK(*found.min_memory > ByteVolume{80 * bytes_per_gb});
    CHECK_FALSE(summarize(grid.view(), {{0, 0}, GridMetric::cost, 3}, 2).min_memory);
}

} // namespace bursar::grid_summary_test
