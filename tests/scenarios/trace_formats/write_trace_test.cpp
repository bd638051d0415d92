#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/registry.hpp"
#include "scenarios/trace_formats/write_trace.hpp"

#include "tests/properties.hpp"
#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::write_trace_test {
namespace {

using test::read_text;

Trace small_trace() {
    return read_text("job,submit,duration,gpus,tenant,state\n"
                     "\"a,\"\"1\"\"\",2017-10-09 07:01:55,66,2,\"x\ny\",failed\n"
                     "<script>,2017-10-09 07:01:54.5,0.25,8,z,node_failed\n");
}

std::string written(const Trace& trace, std::string_view format) {
    std::ostringstream out;
    write_trace(trace, format, out);
    return out.str();
}

/// A trace with any mix of the optional columns, in the form that a reader gives: zero at the
/// earliest submit, tenants and type sets numbered in order of first use.
Trace any_trace(bool dated) {
    const std::size_t n = drawn::in_range<std::size_t>(1, 20);
    const auto name = [] { return drawn::text("aB ,\"\n<"); };
    Trace trace;
    std::ostringstream text;
    const bool has_names = drawn::boolean();
    const bool has_tenants = drawn::boolean();
    const bool has_ends = drawn::boolean();
    const bool has_milli = drawn::boolean();
    const bool has_priority = drawn::boolean();
    const std::size_t num_tenants = has_tenants ? drawn::in_range<std::size_t>(1, n + 1) : 1;
    for (std::size_t row = 0; row < n; ++row) {
        trace.submit_ms.push_back(row == 0 ? 0 : drawn::in_range<std::int64_t>(0, 10'000'000));
        trace.duration_ms.push_back(drawn::in_range<std::int64_t>(0, 100'000'000));
        trace.gpus.push_back(drawn::in_range<std::uint32_t>(1, 5'000));
        if (has_milli)
            trace.gpu_milli.push_back(drawn::in_range<std::uint16_t>(1, 1'001));
        if (has_priority)
            trace.priority.push_back(drawn::in_range(-1'000'000'000, 1'000'000'001));
        if (has_ends)
            trace.end.push_back(static_cast<JobEnd>(drawn::in_range(0, 5)));
        if (has_tenants)
            trace.tenant.push_back(static_cast<std::uint16_t>(std::min(row, num_tenants - 1)));
        if (has_names) {
            trace.names += name();
            trace.name_end.push_back(trace.names.size());
        }
    }
    for (std::size_t i = 0; i < num_tenants; ++i)
        trace.tenants.push_back(has_tenants ? std::to_string(i) + name() : "all");
    trace.gpu_type_sets = {{}};
    if (dated)
        // SWF ignores a start of 0 s
        trace.zero_utc_ms = drawn::in_range<std::int64_t>(1'000, 2'000'000'000'000);
    return trace;
}

void check_equal(const Trace& a, const Trace& b) {
    RC_ASSERT(a.submit_ms == b.submit_ms);
    RC_ASSERT(a.duration_ms == b.duration_ms);
    RC_ASSERT(a.gpus == b.gpus);
    RC_ASSERT(a.zero_utc_ms == b.zero_utc_ms);
}

} // namespace

TEST_CASE("csv: class, deadline and time between saves are written as they are read") {
    const std::string text = "submit,duration,gpus,class,deadline,checkpoint\n"
                             "0,60,1,large,105,600.5\n"
                             "2,60,1,,,\n";
    CHECK(written(read_text(text), "csv") == text);
    std::ostringstream out;
    CHECK(write_trace(read_text(text), "arrival-csv", out) ==
          std::vector<std::string>{"classes", "deadlines", "times between saves"});
}

TEST_CASE(
    "csv: what jobs wait for is written as it is read, and other formats say that it is lost") {
    const std::string text = "job,submit,duration,gpus,after,think_time\n"
                             "a,0,60,1,,0\n"
                             "b,2,60,1,a,2.5\n"
                             "c,2,60,1,a|b,0\n";
    CHECK(written(read_text(text), "csv") == text);
    std::ostringstream out;
    CHECK(write_trace(read_text(text), "arrival-csv", out) ==
          std::vector<std::string>{"jobs that wait for others"});
}

TEST_CASE("each format with its words for states") {
    const Trace trace = small_trace();
    CHECK(written(trace, "csv") == "job,submit,duration,gpus,tenant,state\n"
                                   "\"a,\"\"1\"\"\",2017-10-09 07:01:55Z,66,2,\"x\ny\",failed\n"
                                   "<script>,2017-10-09 07:01:54.500Z,0.25,8,z,node_failed\n");
    CHECK(written(trace, "philly-csv") == "job_id,timestamp,duration,num_gpus,gpu_time,cluster\n"
                                          "\"a,\"\"1\"\"\",2017-10-09 07:01:55,66,2,132,\"x\ny\"\n"
                                          "<script>,2017-10-09 07:01:54.500,0.25,8,2,z\n");
    CHECK(written(trace, "helios-csv") ==
          "job_id,vc,gpu_num,state,submit_time,duration\n"
          "\"a,\"\"1\"\"\",\"x\ny\",2,FAILED,2017-10-09 07:01:55,66\n"
          "<script>,z,8,NODE_FAIL,2017-10-09 07:01:54.500,0.25\n");
    CHECK(written(trace, "arrival-csv") == "job_id,arrival_s,service_sec,gpu_count\n"
                                           "\"a,\"\"1\"\"\",0.5,66,2\n"
                                           "<script>,0,0.25,8\n");
    CHECK(written(trace, "swf") == "; Version: 2.2\n"
                                   "; UnixStartTime: 1507532514\n"
                                   "; Note: processors are GPUs\n"
                                   "1 1 -1 66 2 -1 -1 2 -1 -1 0 1 -1 -1 -1 -1 -1 -1\n"
                                   "2 0.5 -1 0.25 8 -1 -1 8 -1 -1 0 2 -1 -1 -1 -1 -1 -1\n");
}

TEST_CASE("parts that a format cannot hold are listed") {
    std::ostringstream out;
    CHECK(write_trace(small_trace(), "csv", out).empty());
    CHECK(write_trace(small_trace(), "philly-csv", out) == std::vector<std::string>{"states"});
    CHECK(write_trace(small_trace(), "arrival-csv", out) ==
          std::vector<std::string>{"dates", "tenants", "states"});
}

TEST_CASE("formats that need dates refuse a trace without; formats that are only read refuse all") {
    const Trace relative = read_text("submit,duration,gpus\n0,1,1\n");
    std::ostringstream out;
    CHECK_THROWS_WITH_AS(write_trace(relative, "philly-csv", out),
                         "format: philly-csv needs dates and this trace has none; give the date of "
                         "time zero as start",
                         ScenarioError);
    CHECK_THROWS_WITH_AS(write_trace(relative, "openb-csv", out),
                         "format: openb-csv can be read but not written",
                         ScenarioError);
    CHECK(out.str().empty());
}

TEST_CASE("csv: a written trace is read back the same, to the last name") {
    CHECK(check_property("write then read", [] {
        const Trace trace = any_trace(drawn::boolean());
        const Trace back = read_text(written(trace, "csv"));
        check_equal(back, trace);
        RC_ASSERT(back.gpu_milli == trace.gpu_milli);
        RC_ASSERT(back.priority == trace.priority);
        RC_ASSERT(back.end == trace.end);
        RC_ASSERT(back.tenant == trace.tenant);
        RC_ASSERT(back.tenants == trace.tenants);
        RC_ASSERT(back.names == trace.names);
        RC_ASSERT(back.name_end == trace.name_end);
    }));
}

TEST_CASE("every other written format keeps submit, duration and GPUs") {
    CHECK(check_property("write then read", [] {
        const Trace trace = any_trace(true);
        for (const std::string_view format : {"philly-csv", "helios-csv", "swf"}) {
            const Trace back = read_text(written(trace, format));
            RC_ASSERT(back.format == format);
            check_equal(back, trace);
        }
        Trace relative = trace;
        relative.zero_utc_ms.reset();
        check_equal(read_text(written(relative, "arrival-csv")), relative);
        check_equal(read_text(written(relative, "swf")), relative);
    }));
}

TEST_CASE("GPU types and shares survive csv") {
    const std::string text = "submit,duration,gpus,gpu_milli,gpu_type\n"
                             "0,1,1,250,\n"
                             "1,1,1,1000,A|B\n"
                             "2,1,1,1000,B\n";
    const Trace trace = read_text(text);
    CHECK(trace.gpu_type_sets == std::vector<std::vector<std::string>>{{}, {"A", "B"}, {"B"}});
    CHECK(written(trace, "csv") == text);
    std::ostringstream out;
    CHECK(write_trace(trace, "swf", out) ==
          std::vector<std::string>{"shares of a GPU", "GPU types"});
}

TEST_CASE("the GPU of run times survives csv, and other formats report its loss") {
    const std::string text = "submit,duration,gpus,ran_on\n"
                             "0,1,1,V100\n"
                             "1,1,1,\n";
    const Trace trace = read_text(text);
    CHECK(written(trace, "csv") == text);
    std::ostringstream out;
    CHECK(write_trace(trace, "swf", out) == std::vector<std::string>{"GPUs that run times are of"});
}

TEST_CASE("CPU and memory survive csv, jobs without GPUs among them") {
    const std::string text = "submit,duration,gpus,cpu_milli,memory_mib\n"
                             "0,1,1,8000,30517\n"
                             "1,1,0,4000,0\n";
    const Trace trace = read_text(text);
    CHECK(written(trace, "csv") == text);
    std::ostringstream out;
    CHECK(write_trace(trace, "swf", out) == std::vector<std::string>{"CPU and memory"});
}

TEST_CASE("requested times survive csv and swf, and other formats report their loss") {
    const std::string text = "submit,duration,gpus,requested_time\n"
                             "0,10,1,3600\n"
                             "1,20,2,0\n";
    const Trace trace = read_text(text);
    CHECK(written(trace, "csv") == text);
    CHECK(read_text(written(trace, "swf")).requested_ms == trace.requested_ms);
    std::ostringstream out;
    CHECK(write_trace(trace, "csv", out).empty());
    CHECK(write_trace(trace, "swf", out).empty());
    CHECK(write_trace(trace, "arrival-csv", out) == std::vector<std::string>{"requested times"});
    const Trace not_given = read_text("submit,duration,gpus,requested_time\n0,10,1,\n");
    CHECK(write_trace(not_given, "arrival-csv", out).empty());
}

} // namespace bursar::write_trace_test
