#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/html/figures.hpp"

#include "tests/plan_builder.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::time_figures_test {
namespace {

/// 90 min of two pools of ten GPUs. "comes" has one idle GPU for the first hour, and all ten for
/// the last half hour, of which jobs hold nine. In "stays" jobs hold six of ten throughout.
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
            // 9 x 0.5 of 1 x 1 + 10 x 0.5 GPU-hours; the other pool: 60 %
            CHECK(answer_of(fleet_figures(result, time), "busy") ==
                  "comes was the busiest: 75 % of its GPU time over the whole run was allocated to "
                  "jobs.");
        }
        WHEN("no job holds a GPU") {
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

SCENARIO("what was available, what was lost and what it drew, over time") {
    GIVEN("pools without nodes that come and go, and no energy") {
        const std::vector<Figure> figures = fleet_figures(two_pools(), bins_of_two_pools());
        THEN("there is no such chart") {
            for (const std::string id : {"available", "reclaims", "power"})
                CHECK(answer_of(figures, id) == "no such figure");
        }
    }
    GIVEN("a pool whose nodes come, a reclaim, and GPUs that draw 100 W idle and 300 W busy") {
        Result result = two_pools();
        result.pools[0].nodes.emplace();
        for (ResultPool& pool : result.pools)
            pool.energy = PlanEnergy{DrawnPower{100'000}, DrawnPower{300'000}, 1000, {}, {}, {}};
        result.stopped.job = {0, 0};
        result.stopped.stop_ms = {10 * minute.count(), 70 * minute.count()};
        result.stopped.cause = {StopCause::preempted, StopCause::reclaimed};
        const std::vector<Figure> figures = fleet_figures(result, bins_of_two_pools());
        THEN("their charts have exact figures") {
            // 1 GPU for an hour, 10 for half an hour, of ten.
            CHECK(answer_of(figures, "available") == "comes: 4.0 of 10 on average.");
            CHECK(answer_of(figures, "reclaims") ==
                  "Reclaims of nodes stopped 1 attempts, faults of nodes 0.");
            // First hour: 1 x 100 + 6 x 300 + 4 x 100 W; then 9 x 300 + 100 + 2,200 W.
            CHECK(answer_of(figures, "power") == "4.8 kWh over the whole run, 5.0 kW at most.");
        }
    }
}

SCENARIO("the age of the oldest waiting job") {
    GIVEN("jobs that start between the ends of bins") {
        const std::vector<JobSpec> jobs{{0, 3'400}, {0, 300}, {4'000, 3'800}};
        const Result result = result_of(plan_of(jobs, {pool_of(1, 1)}), {"fifo", {}, "count"});
        const TimeBins time = time_bins(result, 3);
        REQUIRE(time.width == hour);
        REQUIRE(result.end == Duration{7'800'000});
        const std::vector<Figure> figures = queue_figures(result, time);
        THEN("the longest wait is shown, though no job waits at the end of a bin") {
            CHECK(answer_of(figures, "queue-age") == "The longest wait was 57 min.");
            CHECK(figures.back().table.rows[0].cells == std::vector<Cell>{"0.0 h", "57 min"});
            CHECK(figures.back().table.rows[1].cells == std::vector<Cell>{"1.0 h", "0 s"});
        }
        THEN("it is drawn in a unit that fits") {
            CHECK(figures.back().svg.find("minutes waited") != std::string::npos);
        }
    }
}

} // namespace bursar::test::time_figures_test
