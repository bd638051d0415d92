#include <doctest/doctest.h>

#include "reports/bill/fleet.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::fleet_test {

TEST_CASE("a pool is paid for over the window, and a term past its end") {
    test::SampleRun run = test::sample_run();
    const std::size_t nobody = run.labels.tenants.size();
    const std::size_t t4 = (nobody + 1 + nobody) * num_leaves;
    run.outcome.cells[t4 + static_cast<std::size_t>(Leaf::unavail_reserved_unlaunched)] =
        slot_time(2 * slots_per_gpu, 20 * hour);
    const Result result =
        make_result(run.plan, run.labels, run.outcome, run.rows, run.timeline, run.facts);
    const std::vector<FleetRow> rows = fleet_rows(result);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].paid() == 4 * hour);
    CHECK(rows[1].paid() == 24 * hour);
    CHECK(fleet_sentence(result, rows[0]) ==
          "owned: 8 V100-SXM2-32GB, owned, at 0.95 USD per GPU-hour for 4.0 h (2017-10-02 "
          "00:01:55Z to 2017-10-02 04:01:55Z)");
    CHECK(fleet_sentence(result, rows[1]) ==
          "t4: 2 T4, reserved in us-east-1, at 0.35 USD per GPU-hour for 24.0 h (2017-10-02 "
          "00:01:55Z to 2017-10-03 00:01:55Z)");
}

TEST_CASE("where the scenario has no calendar, the fleet has hours") {
    Result result = test::sample_result();
    result.zero_utc_ms.reset();
    CHECK(fleet_sentence(result, fleet_rows(result)[0]).ends_with("for 4.0 h (0.0 h to 4.0 h)"));
    result.pools[0].num_nodes = 0;
    result.cells.clear();
    CHECK(fleet_sentence(result, fleet_rows(result)[0]).ends_with("for 0.0 h (0.0 h to 0.0 h)"));
}

TEST_CASE("a rate keeps its digits") {
    CHECK(rate_text(MoneyRate{950'000'000}) == "0.95");
    CHECK(rate_text(MoneyRate{1'234'567'891}) == "1.234567891");
    CHECK(rate_text(MoneyRate{2'000'000'000}) == "2.00");
    CHECK(rate_text(MoneyRate{0}) == "0.00");
    CHECK(rate_text(MoneyRate{1}) == "0.000000001");
}

} // namespace bursar::fleet_test
