#include <doctest/doctest.h>

#include "reports/html/leaf_figures.hpp"

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
            CHECK(figure->title.answer == "Most of it was productive from 0.0 h on (100 %), least "
                                          "from 50.4 h on (50 %).");
        }
        THEN("its table has the groups that have any, stretch by stretch") {
            REQUIRE(figure->table.columns.size() == 4);
            CHECK(figure->table.columns[1].title == "productive, GPU-hours");
            CHECK(figure->table.columns[2].title == "idle, GPU-hours");
            // 24 of the 168 s that parts of the ledger have; the first begins 2 s before the run
            CHECK(figure->table.rows[0].cells ==
                  std::vector<std::string>{"0.0 h", "2.2", "0.0", "2.24"});
            CHECK(figure->table.rows[80].cells ==
                  std::vector<std::string>{"89.6 h", "1.1", "1.1", "2.24"});
            CHECK(figure->table.rows.size() == 90);
        }
    }
    GIVEN("a result whose cells are not divided by time") {
        CHECK(!leaves_over_time(sample_result()));
    }
}

} // namespace bursar::test::leaf_figures_test
