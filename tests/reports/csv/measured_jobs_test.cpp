// The files say which jobs the metrics cover.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/leaf_sums.hpp"
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

TEST_CASE("tenants.csv has the slowdown and the fairness of each tenant's measured jobs") {
    const auto tenants = test::parse_csv(rendered(test::sample_result(), "tenants"));
    const auto jobs = test::parse_csv(rendered(test::sample_result(), "jobs"));
    const auto column = [](const auto& rows, std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
    };
    for (const std::string name : {"slowdown", "rho", "jct"}) {
        const std::string unit = name == "jct" ? "_s" : "";
        for (std::size_t row = 1; row + 2 < tenants.size(); ++row) {
            double sum = 0;
            double most = 0;
            int num = 0;
            for (std::size_t job = 1; job < jobs.size(); ++job) {
                const std::string& text = jobs[job][column(jobs, name + unit)];
                if (text.empty() || jobs[job][column(jobs, "measured")] != "1" ||
                    jobs[job][column(jobs, "tenant")] != tenants[row][0])
                    continue;
                sum += std::stod(text);
                most = std::max(most, std::stod(text));
                ++num;
            }
            CAPTURE(name);
            CAPTURE(row);
            REQUIRE(num > 0);
            const auto& figures = tenants[row];
            CHECK(std::stod(figures[column(tenants, name + "_mean" + unit)]) ==
                  doctest::Approx(sum / num).epsilon(1e-5));
            CHECK(std::stod(figures[column(tenants, name + "_max" + unit)]) ==
                  doctest::Approx(most));
        }
    }
}

TEST_CASE("Jain's index is that of the allocated time of tenants.csv") {
    Result result = test::sample_result();
    const auto rows = test::parse_csv(rendered(result, "tenants"));
    const auto at = std::ranges::find(rows[0], "jain_x") - rows[0].begin();
    double sum = 0;
    double squares = 0;
    double num = 0;
    for (std::size_t row = 1; row + 2 < rows.size(); ++row, ++num) {
        const double x = std::stod(rows[row][static_cast<std::size_t>(at)]);
        sum += x;
        squares += x * x;
    }
    const auto jain = [&] { return ratios(leaf_sums(result)).jain; };
    REQUIRE(num > 1);
    CHECK(static_cast<double>(jain().value().scaled(1'000'000)) / 1e6 ==
          doctest::Approx(sum * sum / (num * squares)).epsilon(1e-5));
    // Large times do not overflow, equal ones give 1, and one tenant has no index.
    result.cells.clear();
    for (std::uint32_t tenant = 0; tenant < 3; ++tenant) {
        ResultCell& cell = result.cells.emplace_back();
        cell.tenant = tenant;
        cell.leaf = Leaf::prod_useful;
        cell.held = SlotTime{int128{1} << 90};
    }
    result.tenants = {"a", "b", "c"};
    CHECK(jain().value().scaled(1'000'000) == 1'000'000);
    result.cells.resize(1);
    CHECK(jain().value().scaled(1'000'000) == 333'333);
    result.tenants = {"a"};
    CHECK_FALSE(jain());
}

TEST_CASE("classes.csv adds up jobs.csv, class by class, and has the figures of tenants.csv") {
    Result result = test::sample_result();
    CHECK(test::parse_csv(rendered(result, "classes")).size() == 1);
    // With a class for each tenant, both files have the same figures.
    result.classes = result.tenants;
    result.jobs.job_class = result.jobs.tenant;
    const auto classes = test::parse_csv(rendered(result, "classes"));
    const auto tenants = test::parse_csv(rendered(result, "tenants"));
    const auto jobs = test::parse_csv(rendered(result, "jobs"));
    const auto column = [](const auto& rows, std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
    };
    REQUIRE(classes.size() == result.classes.size() + 1);
    for (std::size_t row = 1; row < classes.size(); ++row) {
        CAPTURE(row);
        int num = 0;
        for (const std::string name : {"gpu_hours", "cost_usd"}) {
            double sum = 0;
            num = 0;
            for (std::size_t job = 1; job < jobs.size(); ++job)
                if (jobs[job][column(jobs, "class")] == classes[row][0]) {
                    sum += std::stod(jobs[job][column(jobs, name)]);
                    ++num;
                }
            CHECK(std::stod(classes[row][column(classes, name)]) ==
                  doctest::Approx(sum).epsilon(1e-5));
        }
        CHECK(classes[row][1] == std::to_string(num));
        for (std::size_t at = 4; at < classes[0].size(); ++at)
            CHECK(classes[row][at] == tenants[row][column(tenants, classes[0][at])]);
    }
}

TEST_CASE("the fairness of all measured jobs is that of jobs.csv, also in a saved result") {
    const Result result = test::sample_result();
    const auto jobs = test::parse_csv(rendered(result, "jobs"));
    const auto rho = std::ranges::find(jobs[0], "rho") - jobs[0].begin();
    const auto measured = std::ranges::find(jobs[0], "measured") - jobs[0].begin();
    double sum = 0;
    double most = 0;
    std::uint64_t num = 0;
    for (std::size_t job = 1; job < jobs.size(); ++job) {
        const std::string& text = jobs[job][static_cast<std::size_t>(rho)];
        if (text.empty() || jobs[job][static_cast<std::size_t>(measured)] != "1")
            continue;
        sum += std::stod(text);
        most = std::max(most, std::stod(text));
        ++num;
    }
    REQUIRE(num > 1);
    CHECK(result.metrics.rho.count == num);
    CHECK(static_cast<double>(result.metrics.rho.sum) / 1e6 == doctest::Approx(sum).epsilon(1e-5));
    CHECK(static_cast<double>(result.metrics.rho.max) / 1e6 == doctest::Approx(most).epsilon(1e-5));
    CHECK(parse_result(rendered(result, "result"), "saved").metrics == result.metrics);
}

TEST_CASE("no column of tenants.csv is empty") {
    const auto rows = test::parse_csv(rendered(test::sample_result(), "tenants"));
    for (std::size_t column = 0; column < rows.front().size(); ++column) {
        CAPTURE(rows[0][column]);
        CHECK_FALSE(rows[1][column].empty());
    }
}

} // namespace bursar::measured_jobs_test
