#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::helios_csv_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("helios-csv: the original's twelve columns, CPU jobs told") {
    const std::string header = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,"
                               "start_time,end_time,duration,queue\n";
    const std::string rows =
        "411870,u0f2a,vcEar,8,32,1,COMPLETED,2020-05-04 10:00:00,2020-05-04 10:00:02,"
        "2020-05-04 11:00:02,3600,2\n"
        "411871,u9c31,vcK4x,1,4,1,TIMEOUT,2020-05-04 10:00:30,2020-05-04 10:00:31,"
        "2020-05-06 10:00:31,172800,1\n"
        "411872,u9c31,vcK4x,2,8,1,NODE_FAIL,2020-05-04 10:02:00,2020-05-04 10:02:01,"
        "2020-05-04 10:02:09,8,1\n";
    TraceOptions options;
    options.zone = "+08:00";
    const Trace trace = read_text(header + rows, options);
    CHECK(trace.format == "helios-csv");
    CHECK(trace.zero_utc_ms == 1'588'557'600'000);
    CHECK(trace.submit_ms == Milliseconds{0, 30'000, 120'000});
    CHECK(trace.duration_ms == Milliseconds{3'600'000, 172'800'000, 8'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 1, 2});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::failed, JobEnd::node_failed});
    CHECK(trace.tenants == std::vector<std::string>{"vcEar", "vcK4x"});
    CHECK(trace.name(2) == "411872");
    CHECK(complaint(header + "411873,u9c31,vcK4x,0,8,1,CANCELLED,2020-05-04 10:02:00,,,8,1\n") ==
          "t:2:20: gpu_num: no GPUs (0); `select: {gpus: 1..}` leaves CPU jobs out");
}

TEST_CASE("helios-csv: the simulator's seven columns are read by their names") {
    const Trace trace = read_text("user,vc,jobname,gpu_num,state,submit_time,duration\n"
                                  "u1,vcEar,bert-base,4,Pass,2020-05-04 10:00:00,3600\n"
                                  "u2,vcEar,vit,2,Killed,2020-05-04 10:00:01,60\n");
    CHECK(trace.name(0) == "bert-base");
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::cancelled});
    CHECK(read_text("user,vc,gpu_num,state,submit_time,duration\n"
                    "u1,vcEar,4,Failed,2020-05-04 10:00:00,3600\n")
              .name(0) == "u1");
}

} // namespace bursar::helios_csv_test
