#include <string>

#include <doctest/doctest.h>

#include "reports/registry.hpp"
#include "reports/summary/largest_drain.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::largest_drain_test {

TEST_CASE("the largest drain is the leaf with most dollars that is not productive") {
    Result result = test::sample_result();
    const auto drain = largest_drain(result);
    REQUIRE(drain);
    CHECK(drain->leaf == Leaf::lost_job_failed); // 3.73 USD; gang 3.17
    for (const char* output : {"table", "markdown", "json"}) {
        StringSink sink;
        find_output(output)->write(result, {}, sink);
        CHECK(sink.text().find("come to nothing end earlier") != std::string::npos);
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

TEST_CASE("where all was productive, or free, nothing is named") {
    Result result;
    CHECK_FALSE(largest_drain(result));
    result.pools.resize(1);
    result.cells = {{0, 0, Leaf::prod_useful, SlotTime{9}, Money{90}},
                    {0, {}, Leaf::idle_gang, SlotTime{5}, Money{}}};
    CHECK_FALSE(largest_drain(result));
    CHECK(drain_sentence(result).empty());
}

TEST_CASE("there is advice on every leaf that is not productive") {
    for (std::size_t i = 0; i < num_leaves; ++i) {
        const auto leaf = static_cast<Leaf>(i);
        CAPTURE(name_of(leaf));
        CHECK(advice_on(leaf).empty() == (group_of(leaf) == LeafGroup::productive));
    }
}

} // namespace bursar::largest_drain_test
