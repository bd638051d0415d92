#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::pbs_accounting_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// An E record of a job that waited for 300 s and ran for 7,200.
std::string ended(const std::string& job, const std::string& asked, const std::string& more) {
    return "03/01/2024 10:20:00;E;" + job +
           ".pbs1;user=ada group=nlp project=\"big models\" jobname=train queue=gpu "
           "ctime=1709280900 qtime=1709280900 etime=1709280900 start=1709281200 "
           "exec_host=n1/0*16 " +
           asked + " session=77 end=1709288400 " + more + " run_count=1\n";
}

const std::string plain =
    ended("41", "Resource_List.ngpus=8 Resource_List.ncpus=16", "Exit_status=0");

} // namespace

TEST_CASE("pbs-accounting: E records are the jobs, with GPUs in three forms of request") {
    const Trace trace = read_text(
        "03/01/2024 08:15:00;Q;41.pbs1;queue=gpu\n"
        "03/01/2024 08:20:00;S;41.pbs1;user=ada start=1709281200\n" +
        ended("41",
              "Resource_List.mem=128gb Resource_List.ncpus=32 Resource_List.ngpus=8 "
              "Resource_List.select=2:ncpus=16:ngpus=4 Resource_List.walltime=24:00:00",
              "Exit_status=0 resources_used.walltime=02:00:00") +
        ended("42[7]", "Resource_List.select=2:ncpus=16:ngpus=2+1:ngpus=1", "Exit_status=271") +
        ended("43",
              "Resource_List.nodes=3:ppn=8:gpus=1 Resource_List.walltime=3600",
              "Exit_status=1"));
    CHECK(trace.format == "pbs-accounting");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000);
    CHECK(trace.submit_ms == Milliseconds{0, 0, 0});
    CHECK(trace.duration_ms == Milliseconds{7'200'000, 7'200'000, 7'200'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 5, 3});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{32'000, 0, 0});
    CHECK(trace.memory_mib == std::vector<std::uint32_t>{131'072, 0, 0});
    CHECK(trace.requested_ms == Milliseconds{86'400'000, 0, 3'600'000});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::failed, JobEnd::failed});
    CHECK(trace.tenants == Texts{"ada"});
    CHECK(trace.name(1) == "42[7]");
    CHECK(trace.line == std::vector<std::uint64_t>{3, 4, 5});
    CHECK(trace.left_out == Texts{"t:1:21: a record of type \"Q\" (only E says how a job ended)",
                                  "t:2:21: a record of type \"S\" (only E says how a job ended)"});
    CHECK(trace.columns[0].name == "user");
    CHECK(trace.columns[0].read_as == "tenant");
    CHECK(trace.columns[2].name == "project");
    CHECK(trace.columns[2].read_as.empty());
    CHECK(trace.columns[3].name == "jobname"); // a quoted value may contain blanks
}

TEST_CASE(
    "pbs-accounting: deleted jobs are cancelled; those that never ran, and arrays, left out") {
    const Trace trace =
        read_text("03/01/2024 09:00:00;D;41.pbs1;requestor=ada@n1\n" + plain +
                  "03/01/2024 09:00:00;E;44.pbs1;user=ada ctime=1709280900 end=1709288400\n" +
                  ended("45[]", "Resource_List.ngpus=1", "Exit_status=0") + plain);
    CHECK(trace.size() == 1);
    CHECK(trace.end == std::vector{JobEnd::cancelled});
    CHECK(trace.left_out == Texts{"t:1:21: a record of type \"D\" (only E says how a job ended)",
                                  "t:3:23: never started",
                                  "t:4:23: the whole of a job array (its jobs are there)",
                                  "t:5:23: a job that was read further up"});
}

TEST_CASE("pbs-accounting: neednodes counts where the other requests have no GPUs") {
    const Trace trace = read_text(
        ended("41", "Resource_List.neednodes=1:ppn=8:gpus=1", "Exit_status=0") +
        ended("42",
              "Resource_List.neednodes=2:ppn=8:gpus=2 Resource_List.nodes=2:ppn=8",
              "Exit_status=0") +
        ended("43",
              "Resource_List.neednodes=n7:ppn=8:gpus=4 Resource_List.nodes=1:ppn=8:gpus=3",
              "Exit_status=0"));
    CHECK(trace.gpus == std::vector<std::uint32_t>{1, 4, 3});
    CHECK(trace.columns[10].name == "Resource_List.neednodes");
    CHECK(trace.columns[10].read_as == "gpus");
}

TEST_CASE("pbs-accounting: a reused id is another job, deleted or not") {
    std::string anew = plain;
    for (const char* time : {"=1709280900", "=1709281200", "=1709288400"})
        for (std::size_t at = anew.find(time); at != std::string::npos; at = anew.find(time))
            anew.replace(at, 4, "=171");
    const std::string deleted = "03/01/2024 09:00:00;D;41.pbs1;requestor=ada@n1\n";
    const Trace trace = read_text(deleted + plain + anew + deleted + plain);
    CHECK(trace.size() == 2);
    CHECK(trace.end == std::vector{JobEnd::cancelled, JobEnd::completed});
    CHECK(trace.submit_ms == Milliseconds{0, 10'000'000'000});
    CHECK(trace.num_left_out == 3);
    CHECK(trace.left_out.back() == "t:5:23: a job that was read further up");
}

TEST_CASE("pbs-accounting: the jobs of an array that was deleted are cancelled") {
    const std::string gpu = "Resource_List.ngpus=1";
    const Trace trace =
        read_text(ended("2[0]", gpu, "Exit_status=0") + ended("3[1]", gpu, "Exit_status=0") +
                  "03/01/2024 09:00:00;D;2[].pbs1;requestor=ada@n1\n" +
                  ended("2[1]", gpu, "Exit_status=0") + ended("2[2]", gpu, "Exit_status=271") +
                  ended("2[]", gpu, "Exit_status=1") + ended("2", gpu, "Exit_status=0"));
    CHECK(trace.end == std::vector{JobEnd::completed,
                                   JobEnd::completed,
                                   JobEnd::cancelled,
                                   JobEnd::cancelled,
                                   JobEnd::completed});
    CHECK(trace.name(2) == "2[1]");
}

TEST_CASE("pbs-accounting: malformed input is reported with its place and key") {
    const auto message_of = [](const std::string& text) {
        const std::string lines = complaint(plain + text);
        return lines.substr(0, lines.find('\n'));
    };
    CHECK(message_of("hello\n") == "t:2:1: this is no record of a PBS accounting log (expected "
                                   "\"month/day/year time;type;job;key=value ...\")");
    const std::string begin = "03/01/2024 10:20:00;E;9;start=100 ";
    CHECK(message_of(begin + "end=x ctime=1\n") ==
          "t:2:39: end: \"x\" is not a number of seconds since 1970");
    CHECK(message_of(begin + "end=99 ctime=1\n") == "t:2:39: end: \"99\" is before the start");
    CHECK(message_of(begin + "ctime=1\n") ==
          "t:2:23: end: missing (seconds since 1970 are needed)");
    CHECK(message_of(begin + "end=200\n") ==
          "t:2:23: ctime: missing (seconds since 1970 are needed)");
    CHECK(message_of(begin + "end=200 ctime=now Resource_List.ngpus=1\n") ==
          "t:2:49: ctime: \"now\" is not a number of seconds");
    CHECK(message_of(begin + "end=200 ctime=1 Resource_List.ngpus=all\n") ==
          "t:2:71: Resource_List.ngpus: \"all\" is not what GPUs can be counted of");
    CHECK(message_of(begin + "end=200 ctime=1 Resource_List.ncpus=many\n")
              .starts_with("t:2:71: Resource_List.ncpus: \"many\" is not a number of cores"));
    CHECK(message_of(begin + "end=200 ctime=1 Resource_List.mem=1gib\n")
              .starts_with("t:2:69: Resource_List.mem: \"1gib\" is not a size"));
    CHECK(message_of(begin + "end=200 ctime=1 Resource_List.walltime=soon\n")
              .starts_with("t:2:74: Resource_List.walltime: \"soon\" is not a time span"));
    CHECK(message_of(begin + "end=200 ctime=1\n")
              .starts_with("t:2:23: Resource_List.ngpus: no GPUs (0)"));
}

} // namespace bursar::pbs_accounting_test
