#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"
#include "reports/summary/largest_drain.hpp"

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
    CHECK(advice_on(Leaf::idle_ineligible, result) == "let more classes use these pools (`pools`)");
    result.run.budgets[0].stops.push_back({hour, 2 * hour, 0});
    CHECK(advice_on(Leaf::idle_ineligible, result).starts_with("raise the budget that was spent"));
}

} // namespace bursar::largest_drain_test
