#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/supply_statistics.hpp"

#include "tests/properties.hpp"
#include "tests/scenarios/market/availability/read_availability.hpp"

namespace bursar::any_bytes_test {

const std::vector<std::string> samples{
    R"({"metadata": {"gap_seconds": 60}, "data": [1, 1, 0, 1, 0, 16], "prices": [0.5]})",
    "0,add,n1\n5,add,n2\n60000,remove,n1\n",
    "[0, \"add\", {\"nodes\": [\"n0\", \"n1\"], \"duration\": 60000}]\n"
    "[60000, \"remove\", {\"nodes\": [\"n1\"], \"duration\": 60000}]\n",
    "time_s,count\n0,4\n60,2\n90,0\n",
    "2021-12-11, 11:11:30, 55\n2021-12-11, 11:13:10, 54\n",
    "[2020-03-15T10:00:00.000Z] Created instance i-1 with 8 GPU(s) of type v100 in zone "
    "us-east-1b\n"
    "[2020-03-15T11:00:00.000Z] Instance i-1 not running in zone us-east-1b\n"
    "[2020-03-15T11:00:05.000Z] Instance with 1 GPU(s) of type k80 creation failed\n"};

// Some bytes of a valid file are exchanged, removed or doubled: it is refused with its name, or
// read as a series with valid shares.
TEST_CASE("a file of any bytes is refused or read") {
    const bool held = check_property("any bytes", [] {
        std::string text = drawn::element_of(samples);
        const int num_changes = drawn::in_range(0, 4);
        for (int i = 0; i < num_changes && !text.empty(); ++i) {
            const auto at = drawn::in_range<std::size_t>(0, text.size());
            const int how = drawn::in_range(0, 4);
            if (how == 0)
                text.erase(at, 1);
            else if (how == 1)
                text.insert(at, text.substr(at, drawn::in_range<std::size_t>(1, 12)));
            else
                text[at] = drawn::element_of(std::string{"0123456789,.-[]{}\":\n aZ\x80"});
        }
        try {
            const AvailabilityFile file = test::read_supply(text);
            const SupplyStatistics facts = statistics_of(file.supply);
            RC_ASSERT(facts.availability >= 0 && facts.availability <= 1 + 1e-12);
            RC_ASSERT(facts.node_up_share >= 0 && facts.node_up_share <= 1 + 1e-12);
            RC_ASSERT(file.supply.length() > Duration{0});
        } catch (const ScenarioError& error) {
            RC_ASSERT(std::string{error.what()}.starts_with("a:"));
        }
    });
    CHECK(held);
}

} // namespace bursar::any_bytes_test
