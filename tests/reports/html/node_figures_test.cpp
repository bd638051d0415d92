#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/html/figures.hpp"
#include "reports/html/node_time.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result_attempt.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::node_figures_test {
namespace {

/// A pool of nodes of two GPUs, and one job on both GPUs of each of its first nodes: on node 0 for
/// 10 s, on node 1 for 20 s, and so on. The run ends with the last of them.
Result staircase(std::uint32_t num_nodes, std::size_t num_jobs) {
    Result out;
    out.end = Duration{10'000 * static_cast<std::int64_t>(num_jobs)};
    out.pools.push_back({"p", "T4", "", Purchase::owned, num_nodes, 2, PoolPrice{MoneyRate{1}}});
    out.tenants = {"lab"};
    out.num_started = num_jobs;
    for (std::size_t job = 0; job < num_jobs; ++job) {
        out.jobs.state.push_back(JobState::completed);
        out.jobs.gpus.push_back(2);
        out.jobs.tenant.push_back(0);
        out.jobs.pool.push_back(0);
        out.jobs.submit_ms.push_back(0);
        out.jobs.start_ms.push_back(0);
        out.jobs.finish_ms.push_back(10'000 * static_cast<std::int64_t>(job + 1));
        out.jobs.work_ms.push_back(0);
        out.jobs.ideal_ms.push_back(0);
        out.places.node.push_back(static_cast<std::uint32_t>(job));
        out.places.gpus.push_back(2);
        out.places.end.push_back(static_cast<std::uint32_t>(job + 1));
    }
    return out;
}

TimeBins bins_of(const Result& result, Duration width) {
    TimeBins time;
    time.width = width;
    for (Duration begin{}; begin < result.end; begin = begin + width)
        time.bins.push_back({begin, {}, 0, 0, 0, {}, 0});
    return time;
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

} // namespace

SCENARIO("the time that jobs held nodes, in groups and bins") {
    GIVEN("five nodes, of which the n-th is held for the first n x 10 s of 50 s") {
        const Result result = staircase(5, 5);
        const TimeBins time = bins_of(result, Duration{20'000});
        WHEN("there is room for all of them") {
            const NodeTime nodes = node_time(result, time, 5);
            REQUIRE(nodes.groups.size() == 5);
            THEN("each has its own shares, also of the last bin, which is shorter") {
                CHECK(nodes.groups[1] == NodeGroup{0, 1, 2});
                CHECK(node_group_title(result, nodes.groups[1]) == "node 1 of p");
                CHECK(nodes.share(result, time, 0, 0) == doctest::Approx(0.5));
                CHECK(nodes.share(result, time, 2, 1) == doctest::Approx(0.5));
                CHECK(nodes.share(result, time, 4, 2) == doctest::Approx(1));
                CHECK(nodes.share(result, time, 2) == doctest::Approx(0.6));
            }
        }
        WHEN("there is room for three rows") {
            const NodeTime nodes = node_time(result, time, 3);
            THEN("two neighbours are one, and the last node stands alone") {
                CHECK(nodes.nodes_a_group == 2);
                CHECK(nodes.groups == std::vector<NodeGroup>{{0, 0, 2}, {0, 2, 4}, {0, 4, 5}});
                CHECK(node_group_title(result, nodes.groups[0]) == "nodes 0-1 of p");
                CHECK(nodes.share(result, time, 0) == doctest::Approx(0.3));
            }
        }
    }
    GIVEN("nodes that come and go, of which the last two never held a job") {
        Result result = staircase(5, 3);
        result.pools[0].nodes = ResultNodes{.is_range = true};
        const NodeTime nodes = node_time(result, bins_of(result, Duration{10'000}), 5);
        THEN("those are left out") {
            CHECK(nodes.groups.size() == 3);
        }
    }
    GIVEN("jobs of half a GPU") {
        Result result = staircase(1, 1);
        result.jobs.gpu_slots = {slots_per_gpu / 2};
        const TimeBins time = bins_of(result, Duration{10'000});
        THEN("they hold half of it") {
            CHECK(node_time(result, time, 1).share(result, time, 0) == doctest::Approx(0.5));
        }
    }
}

SCENARIO("which nodes worked when") {
    GIVEN("few nodes and jobs") {
        const Result result = staircase(3, 3);
        const TimeBins time = bins_of(result, Duration{10'000});
        const std::optional<Figure> figure = nodes_over_time(result, time);
        REQUIRE(figure);
        THEN("its title's question is answered") {
            CHECK(figure->title.answer ==
                  "The busiest: node 2 of p, whose GPUs jobs held for 100 % "
                  "of the whole run; the idlest: node 0 of p, for 33 %.");
        }
        THEN("each attempt is a bar, and a row of the table") {
            CHECK(count_of(figure->svg, "class=\"fill productive edged\"") == 3);
            CHECK(figure->svg.find("job 0 of lab: 2 GPUs here for 10 s, completed") !=
                  std::string::npos);
            CHECK(figure->data.starts_with("{\"kind\":\"spans\""));
            REQUIRE(figure->table.rows.size() == 3);
            CHECK(figure->table.rows[1].cells ==
                  std::vector<Cell>{
                      "node 1 of p", "job 1 of lab", "2", "0.0 h", "0.0 h", "completed"});
        }
    }
    GIVEN("nodes that come and go") {
        Result result = staircase(3, 3);
        result.pools[0].nodes = ResultNodes{.is_range = true};
        const TimeBins time = bins_of(result, Duration{10'000});
        THEN("none of them is called idle: it may not have been there") {
            CHECK(nodes_over_time(result, time)->title.answer ==
                  "The busiest: node 2 of p, whose GPUs jobs held for 100 % of the whole run.");
        }
        WHEN("two nodes beside them stay, and are never held") {
            result.pools.push_back({"q", "T4", "", Purchase::owned, 2, 2, PoolPrice{MoneyRate{1}}});
            THEN("the idlest is one of those") {
                CHECK(nodes_over_time(result, time)->title.answer ==
                      "The busiest: node 2 of p, whose GPUs jobs held for 100 % of the whole run; "
                      "the idlest of those that do not come and go: node 0 of q, for 0 %.");
            }
        }
    }
    GIVEN("two jobs that hold a GPU each of one node, and one that has both after them") {
        Result result = staircase(1, 3);
        result.jobs.gpus = {1, 1, 2};
        result.places.gpus = {1, 1, 2};
        result.places.node = {0, 0, 0};
        result.jobs.start_ms = {0, 0, 20'000};
        const std::optional<Figure> figure =
            nodes_over_time(result, bins_of(result, Duration{10'000}));
        REQUIRE(figure);
        THEN("the first two lie side by side, and the third is as high as both") {
            CHECK(count_of(figure->svg, "height=\"5.5\" class=\"fill productive edged\"") == 2);
            CHECK(count_of(figure->svg, "height=\"11\" class=\"fill productive edged\"") == 1);
        }
        THEN("one row has nothing to be held against") {
            CHECK(figure->title.answer ==
                  "Jobs held 83 % of the GPU time of node 0 of p over the whole run.");
        }
    }
    GIVEN("more nodes than rows") {
        const Result result = staircase(100, 100);
        const TimeBins time = bins_of(result, Duration{100'000});
        const std::optional<Figure> figure = nodes_over_time(result, time);
        REQUIRE(figure);
        THEN("neighbours are merged, and it says so") {
            CHECK(figure->svg.find("p 0-2<") != std::string::npos);
            CHECK(figure->notes[1].find("Each row is 3 nodes of a pool") != std::string::npos);
        }
        THEN("a script can draw it anew") {
            CHECK(figure->data.starts_with("{\"kind\":\"map\""));
        }
        THEN("its table has every bin, and the whole run") {
            REQUIRE(figure->table.columns.size() == 35);
            REQUIRE(figure->table.rows.size() == 11);
            CHECK(figure->table.rows.back().cells[1] == Cell{"2.0"});
            CHECK(figure->table.rows.back().cells[34] == Cell{"100.0"});
        }
    }
    GIVEN("a run whose jobs held counted GPUs") {
        Result result = sample_result();
        result.run.policy.capacity = "count";
        THEN("nothing is drawn, and the page says why") {
            CHECK(!nodes_over_time(result, bins_of(result, hour)));
            StringSink page;
            write_run_report(result, {}, page);
            CHECK(page.text().find("no nodes of it (policy.capacity: count)") != std::string::npos);
            CHECK(page.text().find("Which nodes worked when?") == std::string::npos);
        }
    }
}

TEST_CASE("the time of nodes adds up to the time held by attempts, for any run") {
    CHECK(check_property("sums are equal to the last slot-millisecond", [] {
        const auto sizes = *rc::gen::nonEmpty(
            rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 5U)));
        std::vector<JobSpec> jobs;
        for (const std::uint32_t gpus : sizes)
            jobs.push_back({drawn::in_range<std::int64_t>(0, 100),
                            drawn::in_range<std::int64_t>(1, 100),
                            gpus});
        std::ranges::sort(jobs, {}, &JobSpec::submit_s);
        const Result result = result_of(plan_of(jobs, {pool_of(3, 4)}),
                                        {"fifo", HeadRule::skip, "nodes", "first-fit"});
        const TimeBins time =
            bins_of(result, Duration{drawn::in_range<std::int64_t>(1'000, 50'000)});
        const NodeTime nodes = node_time(result, time, drawn::in_range<std::size_t>(1, 5));
        int128 held = 0;
        for (const std::int64_t part : nodes.held)
            held += part;
        for_each_attempt(result, [&](const ResultAttempt& attempt) {
            held -= slot_time(result.jobs.slots(attempt.job), attempt.end - attempt.start).count();
        });
        RC_ASSERT(held == int128{0});
    }));
}

} // namespace bursar::test::node_figures_test
