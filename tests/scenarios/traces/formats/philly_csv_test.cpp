#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::philly_csv_test {
namespace {

using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("philly-csv: dated rows of virtual clusters, gpu_time not read") {
    const Trace trace = read_text("timestamp,duration,num_gpus,gpu_time,cluster\n"
                                  "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                                  "2017-10-08 13:30:10,86400.0,16,wrong,6214e9\n"
                                  "2017-10-10 00:00:00,1896.5,2,3793.0,11cb48\n");
    CHECK(trace.format == "philly-csv");
    CHECK(trace.zero_utc_ms == 1'507'469'410'000);
    CHECK(trace.submit_ms == Milliseconds{63'105'000, 0, 124'190'000});
    CHECK(trace.duration_ms == Milliseconds{66'000, 86'400'000, 1'896'500});
    CHECK(trace.gpus == std::vector<std::uint32_t>{1, 16, 2});
    CHECK(trace.tenants == std::vector<std::string>{"11cb48", "6214e9"});
    CHECK(trace.name_end.empty());
    CHECK(trace.end.empty());
}

} // namespace bursar::philly_csv_test
