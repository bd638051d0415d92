#include <doctest/doctest.h>

#include "reports/bill/fleet.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/lost_work.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::fleet_test {

TEST_CASE("a pool is paid for over the window, and a term past its end") {
    test::SampleRun run = test::sample_run();
    const std::size_t num_tenants = run.labels.tenants.size();
    const std::size_t t4 = (num_tenants + 1 + num_tenants) * num_leaves;
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

TEST_CASE("without a calendar in the scenario, the fleet has hours") {
    Result result = test::sample_result();
    result.zero_utc_ms.reset();
    CHECK(fleet_sentence(result, fleet_rows(result)[0]).ends_with("for 4.0 h (0.0 h to 4.0 h)"));
    result.pools[0].num_nodes = 0;
    result.cells.clear();
    CHECK(fleet_sentence(result, fleet_rows(result)[0]).ends_with("for 0.0 h (0.0 h to 0.0 h)"));
}

TEST_CASE("the fleet has the mean and the range of a price that varies") {
    const auto rate = [](std::int64_t milli_usd) { return milli_usd * 1'000'000; };
    // Every cell of the pool, paid for from 0 to 4 h, at the mean price.
    const auto give = [](const PriceSeries& series) {
        Result result = test::sample_result();
        const PoolPrice& price = result.pools[0].price = PoolPrice::until(4 * hour, series);
        const Money of_slot = price.cost(1, {}, 4 * hour);
        for (ResultCell& cell : result.cells)
            if (cell.pool == 0)
                cell.cost =
                    MoneyRate{static_cast<std::int64_t>(of_slot.count() / (4 * hour).count())} *
                    cell.held;
        return result;
    };
    const std::int64_t hour_ms = hour.count();
    const Result varies = give({{0, hour_ms, 2 * hour_ms}, {rate(400), rate(1200), rate(500)}});
    CHECK(fleet_sentence(varies, fleet_rows(varies)[0]) ==
          "owned: 8 V100-SXM2-32GB, owned, at 0.6500 USD per GPU-hour on average (prices vary, "
          "0.40 to 1.20) for 4.0 h (2017-10-02 00:01:55Z to 2017-10-02 04:01:55Z)");
    CHECK(price_text(fleet_rows(varies)[0], "") == "0.6500 on average (prices vary, 0.40 to 1.20)");
    Result nothing = varies;
    nothing.cells.clear();
    nothing.window_begin = nothing.window_end = hour;
    CHECK_FALSE(fleet_rows(nothing)[0].mean_rate());
    CHECK(price_text(fleet_rows(nothing)[0], "") == "1.20");
    const Result same = give({{0, hour_ms}, {rate(400), rate(400)}});
    CHECK(price_text(fleet_rows(same)[0], "") == "0.40");
}

TEST_CASE("nodes of a range have their number, its bounds, launches, reclaims and failures") {
    Result result = test::sample_result();
    ResultPool& pool = result.pools[1];
    pool.num_nodes = 16;
    pool.nodes = ResultNodes{.is_range = true, .least = 1, .most = 13};
    const auto sentence = [&] { return fleet_sentence(result, fleet_rows(result)[1]); };
    CHECK(sentence().starts_with("t4: 1 to 13 of at most 16 nodes of 2 T4, 1.0 on average, "));
    CHECK(sentence().ends_with("at 0.35 USD per GPU-hour for 8.0 GPU-hours"));
    pool.nodes->first = 6;
    pool.nodes->launches = 384;
    pool.nodes->reclaimed = 385;
    CHECK(sentence().ends_with("; 6 nodes there at the start, 384 launches, 385 nodes taken back"));
    CHECK(nodes_text(result.pools[0]) == "2 nodes");
    StringSink markdown;
    write_markdown(result, {}, markdown);
    CHECK(markdown.text().find("| 1 to 13 of at most 16 nodes | 1.0 | 2 | T4 |") !=
          std::string::npos);
    CHECK(markdown.text().find(
              "| 6 nodes there at the start, 384 launches, 385 nodes taken back |") !=
          std::string::npos);
    result.window_begin = hour;
    CHECK(sentence().ends_with("385 nodes taken back (over the whole run)"));
    result.window_end = hour;
    CHECK(mean_nodes_text(result, fleet_rows(result)[1]) == "0.0");
}

TEST_CASE("work lost over the whole run is marked as such beside a shorter window") {
    Result result = test::sample_result();
    result.stopped.job = {0};
    result.stopped.pool = {0};
    result.stopped.level = {0};
    result.stopped.start_ms = {0};
    result.stopped.stop_ms = {3'600'000};
    result.stopped.kept_ms = {0};
    result.stopped.lost_ms = {3'600'000};
    result.stopped.cause = {StopCause::reclaimed_unsaved};
    CHECK(lost_work_sentence(result).ends_with("GPU-hours of 1 attempt taken back unsaved"));
    result.window_begin = hour;
    CHECK(lost_work_sentence(result).ends_with("taken back unsaved (over the whole run)"));
}

TEST_CASE("a rate keeps its digits") {
    CHECK(rate_text(MoneyRate{950'000'000}) == "0.95");
    CHECK(rate_text(MoneyRate{1'234'567'891}) == "1.234567891");
    CHECK(rate_text(MoneyRate{2'000'000'000}) == "2.00");
    CHECK(rate_text(MoneyRate{0}) == "0.00");
    CHECK(rate_text(MoneyRate{1}) == "0.000000001");
}

} // namespace bursar::fleet_test
