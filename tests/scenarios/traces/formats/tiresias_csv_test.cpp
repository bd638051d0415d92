#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::tiresias_csv_test {
namespace {

using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("tiresias-csv: its columns by name, the others not read, no line end at the end") {
    const Trace trace =
        read_text("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
                  "1,4,180,2100,resnet50,1260,0\n"
                  "2,1,0,400,alexnet,95,180");
    CHECK(trace.format == "tiresias-csv");
    CHECK(trace.submit_ms == Milliseconds{180'000, 0});
    CHECK(trace.duration_ms == Milliseconds{1'260'000, 95'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{4, 1});
    CHECK(trace.name(1) == "2");
    CHECK(trace.end.empty());
}

} // namespace bursar::tiresias_csv_test
