#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::openb_csv_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("openb-csv: shares, types and pods that ask for CPU and memory alone") {
    const Trace trace = read_text(
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\n"
        "pod-0000,12000,16384,1,1000,,LS,Running,9437497,12537496,9437497.0\n"
        "pod-0001,6000,12288,1,460,V100M16|V100M32,LS,Succeeded,9472620,9473001,9472624.0\n"
        "pod-0002,32000,65536,0,0,,BE,Failed,9472620,9472630,\n");
    CHECK(trace.format == "openb-csv");
    CHECK(trace.submit_ms == Milliseconds{0, 35'123'000, 35'123'000});
    CHECK(trace.duration_ms == Milliseconds{3'099'999'000, 381'000, 10'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{1, 1, 0});
    CHECK(trace.gpu_milli == std::vector<std::uint16_t>{1000, 460, 1000});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{12'000, 6'000, 32'000});
    CHECK(trace.gpu_type_sets == std::vector<std::vector<std::string>>{{}, {"V100M16", "V100M32"}});
    CHECK(trace.end.empty());
    CHECK(trace.name(2) == "pod-0002");
}

TEST_CASE("openb-csv: a list without times is refused, and says what to use") {
    CHECK(complaint("name,cpu_milli,memory_mib,num_gpu,gpu_milli\npod-0000,12000,16384,1,1000\n") ==
          "t:1: creation_time: no such column (columns found: name, cpu_milli, memory_mib, "
          "num_gpu, gpu_milli); the multigpu lists have no times: use one of the other lists");
}

} // namespace bursar::openb_csv_test
