#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/add_places.hpp"

#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/expect_error.hpp"

namespace bursar::test::add_places_test {
namespace {

/// Two jobs on a pool of four nodes of two GPUs: the first is stopped once, and restarts on other
/// nodes.
Result two_jobs() {
    Result out;
    out.end = Duration{100};
    out.pools.push_back({"p", "T4", "", Purchase::owned, 4, 2, PoolPrice{MoneyRate{1}}});
    out.tenants = {"t"};
    out.jobs.state = {JobState::completed, JobState::running};
    out.jobs.gpus = {3, 1};
    out.jobs.tenant = {0, 0};
    out.jobs.pool = {0, 0};
    out.jobs.submit_ms = {0, 0};
    out.jobs.start_ms = {0, 10};
    out.jobs.finish_ms = {90, 0};
    out.jobs.work_ms = {40, 0};
    out.jobs.ideal_ms = {40, 0};
    out.jobs.last_start_ms = {50, 0};
    out.stopped.job = {0};
    out.stopped.pool = {0};
    out.stopped.level = {0};
    out.stopped.start_ms = {0};
    out.stopped.stop_ms = {30};
    out.stopped.kept_ms = {30};
    out.stopped.lost_ms = {0};
    return out;
}

/// In the order of their starts: job 0, job 1, job 0 again.
const GangPlaces places{{0, 1, 0}, {2, 3, 6}, {1, 0, 2, 3, 1, 0}, {2, 1, 1, 1, 1, 1}};

std::string mistake_in(const GangPlaces& wrong) {
    return report_error_of([&] {
        Result result = two_jobs();
        add_places(wrong, result);
    });
}

} // namespace

TEST_CASE("nodes are stored by attempt and job, and attempts.csv lists them in ranges") {
    Result result = two_jobs();
    add_places(places, result);
    CHECK(result.places.end == std::vector<std::uint32_t>{2, 5, 6});
    CHECK(result.places.node == std::vector<std::uint32_t>{1, 0, 3, 1, 0, 2});
    StringSink sink;
    find_output("attempts")->write(result, {}, sink);
    const std::vector<std::vector<std::string>> rows = parse_csv(sink.text());
    REQUIRE(rows.size() == 4);
    REQUIRE(rows[0].back() == "nodes");
    CHECK(rows[1].back() == "0-1");
    CHECK(rows[2].back() == "0-1;3");
    CHECK(rows[3].back() == "2");
}

TEST_CASE("nodes that do not hold the gangs, or are not in the pool, are refused") {
    GangPlaces wrong = places;
    wrong.gpus[0] = 1;
    CHECK(mistake_in(wrong).find("do not hold its gang") != std::string::npos);
    wrong = places;
    wrong.node[2] = 4;
    CHECK(mistake_in(wrong).find("its pool does not have") != std::string::npos);
    const GangPlaces short_of_one{{0, 0}, {2, 5}, {1, 0, 3, 1, 0}, {2, 1, 1, 1, 1}};
    CHECK(mistake_in(short_of_one).find("nodes are known of 2 attempts, and there were 3") !=
          std::string::npos);
}

} // namespace bursar::test::add_places_test
