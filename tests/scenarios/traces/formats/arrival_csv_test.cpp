#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::arrival_csv_test {
namespace {

using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("arrival-csv: four columns, times from a zero of its own") {
    const Trace trace = read_text("job_id,arrival_s,service_sec,gpu_count\n"
                                  "301255#0,12,172800,32\n"
                                  "301260#4,12.5,31,1\n");
    CHECK(trace.format == "arrival-csv");
    CHECK(trace.submit_ms == Milliseconds{0, 500});
    CHECK(trace.duration_ms == Milliseconds{172'800'000, 31'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{32, 1});
    CHECK(trace.name(1) == "301260#4");
    CHECK(trace.tenants == std::vector<std::string>{"all"});
    CHECK_FALSE(trace.zero_utc_ms);
}

} // namespace bursar::arrival_csv_test
