// The files say which jobs the metrics cover.

#include <algorithm>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::measured_jobs_test {
namespace {

std::string rendered(const Result& result, std::string_view output) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

/// The column `measured` of jobs.csv, its name first.
std::vector<std::string> measured_column(const Result& result) {
    const auto rows = test::parse_csv(rendered(result, "jobs"));
    const auto found = std::ranges::find(rows.front(), "measured");
    REQUIRE(found != rows.front().end());
    std::vector<std::string> out;
    for (const auto& row : rows)
        out.push_back(row[static_cast<std::size_t>(found - rows.front().begin())]);
    return out;
}

} // namespace

TEST_CASE("jobs.csv marks the measured jobs, also in a saved result") {
    using Column = std::vector<std::string>;
    CHECK(measured_column(test::sample_result()) ==
          Column{"measured", "1", "1", "1", "1", "1", "1", "1"});
    test::SampleRun run = test::sample_run();
    run.plan.measure_from = 10 * minute;
    run.plan.measure_to = 1 * hour;
    Result result =
        make_result(run.plan, run.labels, run.outcome, run.rows, run.timeline, run.facts);
    CHECK(result.metrics.jobs_measured == 2);
    CHECK(measured_column(result) == Column{"measured", "0", "0", "1", "1", "0", "0", "0"});
    CHECK(parse_result(rendered(result, "result"), "saved") == result);
    result.jobs.state[2] = JobState::not_submitted;
    CHECK(measured_column(result) == Column{"measured", "0", "0", "0", "1", "0", "0", "0"});
}

TEST_CASE("tenants.csv has the waits of each tenant's measured jobs") {
    const auto rows = test::parse_csv(rendered(test::sample_result(), "tenants"));
    using Row = std::vector<std::string>;
    const auto waits = [&](const Row& row) { // by name: there may be more percentiles
        Row out;
        for (const char* column : {"jobs_measured",
                                   "jobs_finished",
                                   "wait_mean_s",
                                   "wait_p50_s",
                                   "wait_p90_s",
                                   "wait_p99_s",
                                   "wait_max_s",
                                   "wait_mean_least_s"}) {
            const auto at = std::ranges::find(rows[0], column);
            REQUIRE(at != rows[0].end());
            out.push_back(row[static_cast<std::size_t>(at - rows[0].begin())]);
        }
        return out;
    };
    CHECK(waits(rows[1]) == Row{"3", "2", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0"});
    // `late` has waited for half an hour when the run ends
    CHECK(waits(rows[2]) == Row{"3", "1", "0.0", "0.0", "0.0", "0.0", "0.0", "600.0"});
    CHECK(waits(rows[3]) ==
          Row{"1", "1", "5400.0", "5400.0", "5400.0", "5400.0", "5400.0", "5400.0"});
    CHECK(waits(rows[4]) == Row(8));
}

TEST_CASE("no column of tenants.csv is empty") {
    const auto rows = test::parse_csv(rendered(test::sample_result(), "tenants"));
    for (std::size_t column = 0; column < rows.front().size(); ++column) {
        CAPTURE(rows[0][column]);
        CHECK_FALSE(rows[1][column].empty());
    }
}

} // namespace bursar::measured_jobs_test
