#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/html/time_figures.hpp"

#include "tests/plan_builder.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::time_figures_test {
namespace {

/// 90 min of two pools of ten GPUs: of "comes" one is there for the first hour, unused, and all ten
/// for the last half, of which jobs hold nine; of "stays" jobs hold six of ten throughout.
Result two_pools() {
    Result out;
    out.end = 90 * minute;
    for (const std::string name : {"comes", "stays"})
        out.pools.push_back({name, "T4", "", Purchase::on_demand, 10, 1, PoolPrice{MoneyRate{1}}});
    return out;
}

TimeBins bins_of_two_pools() {
    TimeBins time;
    time.width = hour;
    time.bins.push_back({Duration{}, {{0, 0, 9}, {6, 0, 0}}, 0, 0, 0, {}, 0});
    time.bins.push_back({hour, {{9, 0, 0}, {6, 0, 0}}, 0, 0, 0, {}, 0});
    return time;
}

std::string answer_of(const std::vector<Figure>& figures, const std::string& id) {
    const auto found = std::ranges::find(figures, id, [](const Figure& f) { return f.title.id; });
    return found == figures.end() ? "no such figure" : found->title.answer;
}

} // namespace

SCENARIO("which pool was the busiest, over all GPU time") {
    GIVEN("a pool that has one idle GPU for long, and nine busy ones of ten for a short time") {
        const Result result = two_pools();
        TimeBins time = bins_of_two_pools();
        THEN("it is the busiest by its GPU time, though not by the mean of its bins") {
            // 9 x 0.5 of 1 x 1 + 10 x 0.5 GPU-hours; the other: 60 %
            CHECK(answer_of(fleet_figures(result, time), "busy") ==
                  "comes was the busiest: 75 % of its GPU time over the whole run was allocated to "
                  "jobs.");
        }
        WHEN("nobody holds a GPU") {
            for (TimeBin& bin : time.bins)
                for (PoolBin& pool : bin.pools)
                    pool.allocated = 0;
            THEN("no pool is called the busiest") {
                CHECK(answer_of(fleet_figures(result, time), "busy") ==
                      "No job held a GPU of any of them.");
            }
        }
    }
}

} // namespace bursar::test::time_figures_test
