#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include "reports/bill/bill_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/text/decimal.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::largest_drain_test {

TEST_CASE("the largest drain is the leaf with most dollars that is not productive") {
    Result result = test::sample_result();
    const auto drain = largest_drain(result);
    REQUIRE(drain);
    CHECK(drain->leaf == Leaf::lost_job_failed); // 3.73 USD; gang 3.17
    for (const char* output : {"table", "markdown", "json"}) {
        OutputOptions wide;
        wide.width = 200;
        StringSink sink;
        find_output(output)->write(result, wide, sink);
        CHECK(sink.text().find("jobs that will fail earlier") != std::string::npos);
    }
}

TEST_CASE("dollars decide, not hours, and of two equal ones the first") {
    Result result;
    result.pools.resize(1);
    result.cells = {{0, 0, Leaf::prod_useful, SlotTime{9}, Money{90}},
                    {0, {}, Leaf::idle_gang, SlotTime{5}, Money{2}},
                    {0, {}, Leaf::idle_no_demand, SlotTime{2}, Money{3}},
                    {0, 0, Leaf::lost_preempt, SlotTime{1}, Money{3}}};
    REQUIRE(largest_drain(result));
    CHECK(largest_drain(result)->leaf == Leaf::idle_no_demand);
}

TEST_CASE("a share beside dollars is a share of dollars, as in the sentence on the largest drain") {
    // 2,070.92 GPU-hours at 0.50 USD work, and 80 at 12 USD are idle: 3.7 % of the hours.
    const auto held = [](std::int64_t hundredths) {
        return slot_time(hundredths * slots_per_gpu / 100, hour);
    };
    Result result;
    result.pools.resize(2);
    result.pools[0].name = "cheap";
    result.pools[1].name = "dear";
    result.tenants = {"lab"};
    result.end = 2 * hour; // a part of a run, whose jobs are not known
    result.window_end = hour;
    const auto add = [&](std::uint32_t pool, Leaf leaf, SlotTime time, MoneyRate rate) {
        result.cells.push_back({pool, std::nullopt, leaf, time, rate * time});
    };
    add(0, Leaf::prod_useful, held(207'092), MoneyRate{nano_usd_per_usd / 2});
    result.cells[0].tenant = 0;
    add(1, Leaf::idle_no_demand, held(8'000), MoneyRate{12 * nano_usd_per_usd});

    OutputOptions options;
    for (const GroupBy by : {GroupBy::group, GroupBy::pool, GroupBy::leaf}) {
        options.group_by = by;
        const std::vector<BillRow> rows = bill_table(result, options).rows;
        const auto dear = std::ranges::find(rows, 96'000, &BillRow::usd_cents);
        REQUIRE(dear != rows.end());
        CHECK(dear->usd_permille == 481);
        CHECK(dear->hours_permille == 37);
    }
    options.group_by = GroupBy::group;
    CHECK(bill_table(result, options).paid.usd_cents == 199'546);
    CHECK(bill_table(result, options).rows[1].note == "no demand 48.1");
    CHECK(drain_sentence(result).starts_with(
        "idle, no demand: 960.00 USD, 48.1 % of what GPU time cost; "));
    StringSink page;
    find_output("markdown")->write(result, options, page);
    CHECK(page.text().find("| where it went | GPU-hours | % of GPU-hours | USD | % of USD | "
                           "leaves, % of USD |") != std::string::npos);
    CHECK(page.text().find("| idle | 80.0 | 3.7 | 960.00 | 48.1 | no demand 48.1 |") !=
          std::string::npos);
    CHECK(page.text().find("| dear | 80.0000 | 3.7 | 12.00 | 960.00 | 48.1 |") !=
          std::string::npos);
    StringSink html;
    find_output("html")->write(result, options, html);
    CHECK(html.text().find("960.00 USD, 48.1 %") != std::string::npos);
    CHECK(html.text().find("most went to no demand: 960.00 USD, 48.1 % of what GPU time cost.") !=
          std::string::npos);
}

TEST_CASE("cents and shares of the drain are those of its leaf in the bill, for any run") {
    CHECK(check_property("drain and leaf agree", [] {
        const Result result = test::random_result();
        const auto drain = largest_drain(result);
        if (!drain)
            return;
        OutputOptions options;
        options.all = true;
        const std::vector<BillRow> rows = bill_table(result, options).rows;
        const auto is_it = [&](const BillRow& row) {
            return row.is_leaf && row.label == leaf_title(drain->leaf);
        };
        const auto leaf = std::ranges::find_if(rows, is_it);
        RC_ASSERT(leaf != rows.end());
        RC_ASSERT(drain_sentence(result).find(fmt::format(": {} USD, {} % of what GPU time cost",
                                                          grouped_text(leaf->usd_cents, 2),
                                                          grouped_text(leaf->usd_permille, 1))) !=
                  std::string::npos);
    }));
}

TEST_CASE("if all time was productive, or free, no drain is named") {
    Result result;
    CHECK_FALSE(largest_drain(result));
    result.pools.resize(1);
    result.cells = {{0, 0, Leaf::prod_useful, SlotTime{9}, Money{90}},
                    {0, {}, Leaf::idle_gang, SlotTime{5}, Money{}}};
    CHECK_FALSE(largest_drain(result));
    CHECK(drain_sentence(result).empty());
}

TEST_CASE("advice on idle GPUs is about the pool that cost most of them") {
    Result result;
    result.pools.resize(2);
    result.pools[0].name = "first";
    result.pools[1].name = "second";
    result.cells = {{0, {}, Leaf::idle_no_demand, SlotTime{9}, Money{2}},
                    {1, {}, Leaf::idle_no_demand, SlotTime{2}, Money{3}}};
    const auto advises = [&](std::string_view what) {
        return drain_sentence(result).find(what) != std::string::npos;
    };
    CHECK(advises("to reduce it, own fewer nodes in pool second"));
    result.pools[1].purchase = Purchase::reserved;
    CHECK(advises("reserve fewer nodes in pool second, or for a cheaper `term`"));
    for (const Purchase rented : {Purchase::on_demand, Purchase::spot}) {
        result.pools[1].purchase = rented;
        result.pools[1].nodes.reset();
        CHECK(advises("let idle nodes of pool second end (`nodes: 0..N`)"));
        result.pools[1].num_nodes = 4;
        result.pools[1].nodes = ResultNodes{.is_range = true, .min = 3};
        CHECK(advises("end idle ones sooner (`idle_timeout`)"));
        CHECK(!advises("0..N"));
        result.pools[1].nodes->min = 4; // it keeps all of them
        CHECK(advises("let idle nodes of pool second end (`nodes: 0..N`)"));
    }
}

TEST_CASE("advice on GPUs too few for a gang is about what the gang waits for") {
    Result result;
    result.pools.resize(1);
    result.pools[0].name = "cluster";
    result.cells = {{0, {}, Leaf::idle_gang, SlotTime{9}, Money{2}}};
    result.end = 30 * hour;
    result.run.policy.backfill = "none";
    const auto add_job = [&](Duration submit, Duration start, Duration finish) {
        result.jobs.state.push_back(JobState::completed);
        result.jobs.gpus.push_back(1'024);
        result.jobs.pool.push_back(0);
        result.jobs.submit_ms.push_back(submit.count());
        result.jobs.start_ms.push_back(start.count());
        result.jobs.last_start_ms.push_back(-1);
        result.jobs.finish_ms.push_back(finish.count());
    };
    const auto advises = [&](std::string_view what) {
        return advice_on(Leaf::idle_gang, result).find(what) != std::string::npos;
    };
    CHECK(advises("let jobs pass"));

    // One job, whose node fails after 10 h and is repaired after 14 h.
    add_job(Duration{}, Duration{}, 30 * hour);
    result.jobs.last_start_ms[0] = (14 * hour).count();
    result.stopped.job = {0};
    result.stopped.pool = {0};
    result.stopped.level = {0};
    result.stopped.start_ms = {0};
    result.stopped.stop_ms = {(10 * hour).count()};
    result.stopped.kept_ms = {0};
    result.stopped.lost_ms = {0};
    result.stopped.cause = {StopCause::node_failed};
    CHECK(advises("keep a spare node for gangs that wait for a repair in pool cluster (`spares`)"));
    result.pools[0].nodes = ResultNodes{.is_range = true};
    CHECK(advises("in pool cluster (`warm`)"));

    // A second one waits alone for the first.
    add_job(2 * hour, 8 * hour, 10 * hour);
    CHECK(advises("size pool cluster in multiples of the gangs that wait"));
    // A third waits behind it: either passes the other, unless it may already.
    add_job(2 * hour, 8 * hour, 10 * hour);
    result.stopped.stop_ms = {(13 * hour).count()};
    CHECK(advises("let jobs pass"));
    for (const char* backfill : {"easy", "{name: conservative, depth: 10}"}) {
        result.run.policy.backfill = backfill;
        CHECK(advises("size pool cluster"));
    }
    result.run.policy.backfill = "none";
    result.run.policy.head = "skip";
    CHECK(advises("size pool cluster"));
}

TEST_CASE("every leaf that is not productive has advice") {
    Result result;
    result.pools.resize(1);
    for (std::size_t i = 0; i < num_leaves; ++i) {
        const auto leaf = static_cast<Leaf>(i);
        CAPTURE(name_of(leaf));
        CHECK(advice_on(leaf, result).empty() == (group_of(leaf) == LeafGroup::productive));
    }
}

TEST_CASE("if a spent budget stopped admission, it is named as the cause of ineligible time") {
    Result result;
    result.pools.resize(1);
    result.run.budgets.resize(1);
    CHECK(advice_on(Leaf::idle_ineligible, result) ==
          "let more classes use these pools (`pools`), or tenants borrow more (`tenants`)");
    result.run.budgets[0].stops.push_back({hour, 2 * hour, 0});
    CHECK(advice_on(Leaf::idle_ineligible, result).starts_with("raise the budget that was spent"));
}

} // namespace bursar::largest_drain_test
