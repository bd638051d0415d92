#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/lsb_fields.hpp"

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::lsb_acct_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// Fields that differ between JOB_FINISH records: one job that waited for 300 s and ran for 7,200
/// on two hosts with four GPUs each.
struct Job {
    std::string id{"812"};
    std::string end{"1709288400"};
    std::string start{"1709281200"};
    std::string requested_hosts{"0"};
    std::string hosts{"2 \"n1\" \"n2\""};
    std::string status{"64"};
    std::string index{"0"};
    std::string exit_info{"0"};
    std::string requirement{"\"select[type == local] rusage[ngpus_physical=4.00] span[ptile=1]\""};
};

/// The fields in the order of LSF's reference, version 10.1.
std::string record(const Job& job) {
    std::string text =
        "\"JOB_FINISH\" \"10.1\" " + job.end + " " + job.id + " 1000 33554438 2 1709280900 0 0 " +
        job.start +
        " \"ada\" \"gpu\" \"\" \"\" \"\" \"login1\" \"train/ada\" \"\" \"out.txt\" \"\" "
        "\"1709280900.812\" " +
        job.requested_hosts + " " + job.hosts + " " + job.status +
        " 60.0 \"train\" \"python -c \"\"go()\"\"\" ";
    for (int i = 0; i < 19; ++i)
        text += "-1 ";
    text += "\"\" \"default\" 0 2 \"\" \"\" " + job.index +
            " 1024 2048 \"\" \"\" \"\" \"\" 0 \"\" " + job.exit_info +
            " \"\" -1 \"/ada\" \"\" \"\" \"\" -1 \"/\" \"\" 1040 \"\" 1709281200 \"\" \"\" 0 "
            "2 \"n1\" 1 2 3 4 \"n2\" 1 2 3 4 256 86400 0 " +
            job.requirement + " \"\" -1 \"\" -1 0 0 0 0 \"\" 7200\n";
    return text;
}

std::string complaint_of(const Job& job) {
    return complaint(record(job));
}

} // namespace

TEST_CASE("lsb-acct: JOB_FINISH records are the jobs; GPUs are those of each host") {
    Job array;
    array.index = "7";
    array.status = "32";
    array.exit_info = "14";
    array.hosts = "2 \"8*n1\" \"8*n2\"";
    Job on_requested_hosts;
    on_requested_hosts.id = "813";
    on_requested_hosts.requested_hosts = "1 \"n1\"";
    on_requested_hosts.hosts = "3 \"n1\" \"n1\" \"n1\"";
    on_requested_hosts.status = "32";
    on_requested_hosts.exit_info = "16";
    on_requested_hosts.requirement = "\"rusage[ngpus_physical=2.00/task:duration=1]\"";
    array.requirement = "\"rusage[mem=4096.00,ngpus_physical=1.00/task]\"";
    const Trace trace = read_text(record({}) + record(array) + record(on_requested_hosts));
    CHECK(trace.format == "lsb-acct");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000);
    CHECK(trace.duration_ms == Milliseconds{7'200'000, 7'200'000, 7'200'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 16, 6});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{2'000, 16'000, 3'000});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::cancelled, JobEnd::failed});
    CHECK(trace.tenants == Texts{"ada"});
    CHECK(trace.name(0) == "812");
    CHECK(trace.name(1) == "812[7]");
    CHECK(trace.line == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(trace.columns[0].name == "jobId");
}

TEST_CASE("lsb-acct: other records, jobs that never started, earlier runs and repeated records") {
    Job never{.id = "813", .start = "0"};
    Job requeued{.id = "814", .exit_info = "10"};
    const Trace trace =
        read_text(record({}) + "\"JOB_RESIZE\" \"10.1\" 1709288400 5\n" + record(never) +
                  record(requeued) + record({.id = "814"}) + record({}));
    CHECK(trace.size() == 2);
    CHECK(trace.num_left_out == 4);
    CHECK(trace.left_out[0] == "t:2:1: a record of type \"JOB_RESIZE\"");
    CHECK(trace.left_out[1].ends_with(": never started"));
    CHECK(trace.left_out[2].ends_with(": an earlier run of a job that was requeued"));
    CHECK(trace.left_out[3] == "t:6:32: a job that was read further up");
}

TEST_CASE("lsb-acct: malformed input is reported with its place and field") {
    CHECK(complaint_of({.end = "1709281199"}) ==
          "t:1:21: Event Time: \"1709281199\" is before the start");
    CHECK(complaint_of({.end = "soon"}) ==
          "t:1:21: Event Time: \"soon\" is not a number of seconds since 1970");
    CHECK(complaint_of({.status = "1"})
              .find(": jStatus: \"1\" is neither 64 (done) nor 32 (exited)") != std::string::npos);
    CHECK(
        complaint_of({.requirement = "\"rusage[ngpus_physical=half]\""})
            .find(": effectiveResReq: \"rusage[ngpus_physical=half]\" is a requirement without") !=
        std::string::npos);
    CHECK(complaint_of({.requirement = "\"2*{rusage[ngpus_physical=1]}+1*{rusage[mem=1]}\""})
              .find("is a requirement without one whole number of GPUs") != std::string::npos);
    CHECK(complaint_of({.hosts = "0", .requirement = "\"rusage[mem=1]\""}).find("no GPUs (0)") !=
          std::string::npos);
    CHECK(complaint_of({.hosts = "9 \"n1\""})
              .find(": this JOB_FINISH record has other fields (here a number") !=
          std::string::npos);
    CHECK(complaint("\"JOB_FINISH\" \"10.1\" 5 6\n") ==
          "t:1:23: this JOB_FINISH record has other fields (here a number is expected, or more "
          "fields behind)");
    CHECK(complaint(record({}) + "\"JOB_FINISH\n") ==
          "t:2:1: a quote is never closed\n"
          "t: 1 of 2 rows cannot be used; `on_bad_row: skip` leaves such rows out and counts them");
    TraceOptions options;
    options.places.note("on_bad_row", {Place{"--skip-bad-rows"}, {}});
    CHECK(complaint(record({}) + "\"JOB_FINISH\" \"10.1\" 5 6\n", options)
              .ends_with("\nt: 1 of 2 rows cannot be used; `--skip-bad-rows` leaves such rows out "
                         "and counts them"));
    CHECK(complaint(record({}) + "JOB_FINISH 1\n")
              .starts_with("t:2:1: this is no record of lsb.acct"));
}

TEST_CASE("fields of LSF: separated by blanks, texts in quotes, doubled quotes inside") {
    const auto fields = split_lsb_fields("  \"a \"\"b\"\"\" 12\t\"\"");
    REQUIRE(fields);
    REQUIRE(fields->size() == 3);
    CHECK((*fields)[0].text == "a \"b\"");
    CHECK((*fields)[0].column == 3);
    CHECK((*fields)[1].text == "12");
    CHECK_FALSE((*fields)[1].quoted);
    CHECK((*fields)[2].text.empty());
    CHECK((*fields)[2].quoted);
    CHECK_FALSE(split_lsb_fields("\"a"));
}

TEST_CASE("GPUs of a requirement count per host, unless it says per task or per job") {
    CHECK(gpus_of_requirement("select[ngpus>0] rusage[ngpus_physical=2.00]", 3, 12) == 6);
    CHECK(gpus_of_requirement("rusage[mem=1:ngpus_physical=2/host]", 3, 12) == 6);
    CHECK(gpus_of_requirement("rusage[ngpus_physical=2/task]", 3, 12) == 24);
    CHECK(gpus_of_requirement("rusage[ngpus_physical=2/job]", 3, 12) == 2);
    CHECK(gpus_of_requirement("rusage[ngpus=1]", 2, 2) == 2);
    CHECK(gpus_of_requirement("rusage[my_ngpus=1]", 2, 2) == 0);
    CHECK(gpus_of_requirement("select[ngpus=4]", 2, 2) == 0);
    CHECK(gpus_of_requirement("", 2, 2) == 0);
    CHECK_FALSE(gpus_of_requirement("rusage[ngpus_physical=0.5]", 2, 2));
    CHECK_FALSE(
        gpus_of_requirement("2*{rusage[ngpus_physical=1]}+1*{rusage[ngpus_physical=2]}", 3, 3));
    CHECK_FALSE(gpus_of_requirement("1*{rusage[mem=1]} + 2*{rusage[ngpus_physical=2]}", 3, 3));
    CHECK(gpus_of_requirement("1*{rusage[mem=1]} + 2*{rusage[mem=2]}", 3, 3) == 0);
    CHECK_FALSE(gpus_of_requirement("rusage[ngpus_physical=]", 2, 2));
}

} // namespace bursar::lsb_acct_test
