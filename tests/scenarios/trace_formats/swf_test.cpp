#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/write_trace.hpp"

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::swf_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("SWF: requested processors where used are unknown, dates from the header, bad lines") {
    const std::string_view text = "; UnixStartTime: 1000\n"
                                  "1 5 -1 10 -1 -1 -1 4 -1 -1 0 7 -1 -1 -1 -1 -1 -1\n"
                                  "\n"
                                  "2 6 -1 10 2 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\r\n";
    const Trace trace = read_text(text);
    CHECK(trace.gpus == std::vector<std::uint32_t>{4, 2});
    CHECK(trace.zero_utc_ms == 1'005'000);
    CHECK(trace.end == std::vector{JobEnd::failed, JobEnd::cancelled});
    CHECK(trace.tenants == std::vector<std::string>{"user 7", "unknown"});
    CHECK(trace.line == std::vector<std::uint64_t>{2, 4});
    CHECK(complaint("; x\n1 5 -1 -1 2 -1 -1 4 -1 -1 0 7 -1 -1 -1 -1 -1 -1\n") ==
          "t:2:8: run time: negative time \"-1\"");
    CHECK(complaint("; x\n1 5 -1 3 -1 -1 -1 -1 -1 -1 0 7 -1 -1 -1 -1 -1 -1\n") ==
          "t:2:10: processors used: negative number of GPUs \"-1\"");
    CHECK(complaint("; x\n1 5 -1 3\n") == "t:2:9: 4 fields where 18 are expected");
    CHECK(complaint("; x\n" + std::string(10'000'000, '1')) == "t:2: line longer than 1 MiB");
}

TEST_CASE("swf: a log with its header, as in the archive") {
    const Trace trace = read_text(
        "; Version: 2.2\n; Computer: a GPU cluster\n; UnixStartTime: 1262304000\n; MaxProcs: 64\n"
        "    1      0     12   3600     16     -1     -1     16   7200     -1  1    4   1 -1  1 -1 "
        "-1 -1\n"
        "    2    125      0     59      1     -1     -1      1     -1     -1  0    9   1 -1  1 -1 "
        "-1 -1\n");
    CHECK(trace.format == "swf");
    CHECK(trace.zero_utc_ms == 1'262'304'000'000);
    CHECK(trace.submit_ms == Milliseconds{0, 125'000});
    CHECK(trace.duration_ms == Milliseconds{3'600'000, 59'000});
    CHECK(trace.requested_ms == Milliseconds{7'200'000, 0});
    CHECK(trace.gpus == std::vector<std::uint32_t>{16, 1});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::failed});
    CHECK(trace.tenants == std::vector<std::string>{"user 4", "user 9"});
}

TEST_CASE("swf: the preceding job and the think time are read and written") {
    const std::string text = "; Version: 2.2\n; Note: processors are GPUs\n"
                             "7 0 -1 60 1 -1 -1 1 -1 -1 1 4 -1 -1 -1 -1 -1 -1\n"
                             "8 5 -1 60 1 -1 -1 1 -1 -1 1 4 -1 -1 -1 -1 7 2.5\n"
                             "9 5 -1 60 1 -1 -1 1 -1 -1 1 4 -1 -1 -1 -1 8 -1\n";
    const Trace trace = read_text(text);
    CHECK(trace.needs.begin == std::vector<std::uint32_t>{0, 0, 1, 2});
    CHECK(trace.needs.needed == std::vector<std::uint32_t>{0, 1});
    CHECK(trace.think_ms == Milliseconds{0, 2'500, 0});
    std::ostringstream out;
    CHECK(write_trace(trace, "swf", out).empty());
    CHECK(read_text(out.str()).needs == trace.needs);
    CHECK(out.str().find(" -1 -1 -1 -1 7 2.5\n") != std::string::npos);
    CHECK(complaint("; x\n8 5 -1 60 1 -1 -1 1 -1 -1 1 4 -1 -1 -1 -1 7 2\n")
              .starts_with("t:2:43: preceding job: no job is named \"7\"\n"));
    const Trace several = read_text("job,submit,duration,gpus,after\n1,0,60,1,\n2,0,60,1,\n"
                                    "3,0,60,1,1|2\n");
    CHECK(write_trace(several, "swf", out) ==
          std::vector<std::string>{"jobs that wait for others"});
}

} // namespace bursar::swf_test
