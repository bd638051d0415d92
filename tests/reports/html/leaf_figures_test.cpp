#include <doctest/doctest.h>

#include "reports/html/figures.hpp"

#include "tests/plan_builder.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::leaf_figures_test {

SCENARIO("where GPU time went, and when") {
    GIVEN("a job of two GPUs for 50 h, then one of one GPU, on two GPUs at 1 USD") {
        const Result result =
            result_of(plan_of({{0, 180'000, 2}, {180'000, 180'000}}, {pool_of(1, 2)}),
                      {"fifo", HeadRule::block, "count", ""});
        const std::optional<Figure> figure = leaves_over_time(result);
        REQUIRE(figure);
        THEN("it says when time was of use") {
            CHECK(figure->title.answer == "Productive share: highest in the 67 min from 0.0 h (100 "
                                          "%), lowest in the 67 min from 50.4 h (50 %).");
        }
        THEN("its table has the groups that have any, stretch by stretch") {
            REQUIRE(figure->table.columns.size() == 4);
            CHECK(figure->table.columns[1].label == "productive, GPU-hours");
            CHECK(figure->table.columns[2].label == "idle, GPU-hours");
            // Parts of the ledger cover 24 of the 168 s; the first one begins 2 s before the run.
            CHECK(figure->table.rows[0].cells == std::vector<Cell>{"0.0 h", "2.2", "0.0", "2.24"});
            CHECK(figure->table.rows[80].cells ==
                  std::vector<Cell>{"89.6 h", "1.1", "1.1", "2.24"});
            CHECK(figure->table.rows.size() == 90);
        }
    }
    GIVEN("a job that holds both GPUs throughout") {
        const Result result =
            result_of(plan_of({{0, 3'600, 2}}, {pool_of(1, 2)}), {"fifo", {}, "count", ""});
        const std::optional<Figure> figure = leaves_over_time(result);
        REQUIRE(figure);
        THEN("no time was better than another") {
            CHECK(figure->title.answer ==
                  "100 % of it was productive, in every stretch of the chart.");
        }
    }
    GIVEN("a run in which no job starts") {
        Plan plan = plan_of({{7'200, 3'600, 2}}, {pool_of(1, 2)});
        plan.until = hour;
        const Result result = result_of(plan, {"fifo", {}, "count", ""});
        const std::optional<Figure> figure = leaves_over_time(result);
        REQUIRE(figure);
        THEN("it says that nothing was productive") {
            CHECK(figure->title.answer == "None of it was productive.");
        }
    }
    GIVEN("a result whose cells are not divided by time") {
        CHECK(!leaves_over_time(sample_result()));
    }
}

} // namespace bursar::test::leaf_figures_test
