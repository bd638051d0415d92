#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::sacct_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

const std::string header =
    "JobID|Submit|Start|End|Elapsed|State|AllocTRES|Account|Timelimit|Partition\n";

/// A line of one job of account `who` that ran on 8 GPUs.
std::string line(const std::string& job,
                 const std::string& submit,
                 const std::string& elapsed,
                 const std::string& state,
                 const std::string& end = "2024-03-02T00:00:00") {
    return job + "|" + submit + "|2024-03-01T09:00:00|" + end + "|" + elapsed + "|" + state +
           "|billing=8,cpu=64,gres/gpu:a100=8,gres/gpu=8,mem=500G,node=1|nlp|1-00:00:00|gpu\n";
}

const std::string day = "2024-03-01T";

} // namespace

TEST_CASE("sacct: spans with days, resources, states, limits; dates in the zone of the cluster") {
    TraceOptions options;
    options.zone = "+01:00";
    const Trace trace = read_text(
        header + line("17", day + "08:15:00", "1-02:10:52", "COMPLETED") +
            line("18_3", day + "08:15:30", "00:10:05", "CANCELLED by 1000") +
            "19|2024-03-01T08:16:00|2024-03-01T08:16:00|2024-03-01T08:20:00|00:04:00|TIMEOUT|"
            "cpu=4,mem=2.50G,node=1|vision|UNLIMITED|cpu\n",
        options);
    CHECK(trace.format == "sacct");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000 - 3'600'000);
    CHECK(trace.submit_ms == Milliseconds{0, 30'000, 60'000});
    CHECK(trace.duration_ms == Milliseconds{94'252'000, 605'000, 240'000});
    CHECK(trace.requested_ms == Milliseconds{86'400'000, 86'400'000, 0});
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 8, 0});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{64'000, 64'000, 4'000});
    CHECK(trace.memory_mib == std::vector<std::uint32_t>{512'000, 512'000, 2'560});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::cancelled, JobEnd::failed});
    CHECK(trace.tenants == Texts{"nlp", "vision"});
    CHECK(trace.name(1) == "18_3");
    CHECK(trace.line == std::vector<std::uint64_t>{2, 3, 4});
    CHECK(trace.num_left_out == 0);
    CHECK(trace.assumed.front() ==
          "jobs may run on any GPU: the types in AllocTRES of the trace (a100) bind none");
    CHECK(trace.columns.back().name == "Partition");
    CHECK(trace.columns.back().read_as.empty());
    CHECK(trace.columns[6].read_as == "gpus, cpu_milli, memory_mib");
}

TEST_CASE("sacct: steps, jobs that never started and jobs that have not ended are only counted") {
    const Trace trace = read_text(
        header + line("17", day + "08:15:00", "00:00:10", "COMPLETED") +
        line("17.batch", day + "08:15:00", "00:00:10", "COMPLETED") +
        line("17.extern", day + "08:15:00", "00:00:10", "COMPLETED") +
        line("17.0", day + "08:15:00", "00:00:10", "COMPLETED") +
        line("18", day + "08:15:00", "00:00:10", "RUNNING", "Unknown") +
        "19|2024-03-01T08:16:00|None|2024-03-01T08:20:00|00:00:00|CANCELLED by "
        "7||nlp|UNLIMITED|gpu\n" +
        "20_[1-9%2]|2024-03-01T08:16:00|Unknown|Unknown|00:00:00|PENDING||nlp|01:00:00|gpu\n" +
        line("21", day + "08:15:00", "00:00:10", "COMPLETED", "Unknown"));
    CHECK(trace.size() == 1);
    CHECK(trace.num_rows_read == 8);
    CHECK(trace.num_left_out == 7);
    CHECK(trace.num_bad_rows == 0);
    CHECK(trace.left_out == Texts{"t:3:1: a step of a job, as on lines 4, 5",
                                  "t:6:61: not over: RUNNING",
                                  "t:7:58: never started: CANCELLED",
                                  "t:8:57: not over: PENDING",
                                  "t:9:61: not over: its end is unknown"});
}

TEST_CASE("sacct: the last run of a requeued job counts, from its first submit") {
    // sacct prints the runs of a job in either order; other jobs and steps may come in between.
    const std::string first = line("17", day + "08:15:00", "00:30:00", "NODE_FAIL");
    const std::string second = line("17", day + "10:00:00", "00:05:00", "REQUEUED");
    const std::string third = line("17", day + "11:00:00", "02:00:00", "COMPLETED");
    const std::string other = line("18", day + "08:15:10", "00:00:01", "COMPLETED");
    for (const std::string& text :
         {header + first + second + third + other, header + third + second + first + other}) {
        const Trace trace = read_text(text);
        CHECK(trace.duration_ms == Milliseconds{7'200'000, 1'000});
        CHECK(trace.submit_ms == Milliseconds{0, 10'000});
        CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::completed});
        CHECK(trace.num_left_out == 2);
    }
    CHECK(read_text(header + first + second + third).left_out ==
          Texts{"t:2:1: an earlier run of a job that was requeued, as on line 3"});
    // A job that waits for its next run has not ended.
    const Trace waiting = read_text(header + first + second + other);
    CHECK(waiting.size() == 1);
    CHECK(waiting.left_out ==
          Texts{"t:2:1: an earlier run of a job that was requeued", "t:3:73: not over: REQUEUED"});
}

TEST_CASE("sacct: months that overlap give each job once") {
    const std::string job = line("17", day + "08:15:00", "00:30:00", "COMPLETED");
    const std::string other = line("18", day + "08:15:10", "00:00:01", "COMPLETED");
    const Trace trace = read_text(header + job + job + other + header + job);
    CHECK(trace.size() == 2);
    CHECK(trace.left_out ==
          Texts{"t:2:1: a run that the file has twice", "t:6:1: a job that was read further up"});
}

TEST_CASE("sacct: a reused id is another job; a later run of a job in the trace is not") {
    const std::string first = line("17", day + "08:15:00", "00:30:00", "NODE_FAIL");
    const std::string second = line("17", day + "10:00:00", "00:05:00", "COMPLETED");
    const std::string other = line("18", day + "08:15:10", "00:00:01", "COMPLETED");
    const std::string anew = line("17", day + "12:15:00", "02:00:00", "COMPLETED");
    const Trace trace = read_text(header + first + second + other + second + other + anew);
    CHECK(trace.size() == 3);
    CHECK(trace.submit_ms == Milliseconds{0, 10'000, 14'400'000});
    CHECK(trace.duration_ms == Milliseconds{300'000, 1'000, 7'200'000});
    CHECK(trace.left_out == Texts{"t:2:1: an earlier run of a job that was requeued",
                                  "t:5:1: a job that was read further up, as on line 6"});
}

TEST_CASE("sacct: raw columns, times since 1970, other delimiters, --parsable, no account") {
    const Trace trace = read_text("JobIDRaw,ElapsedRaw,State,Submit,TimelimitRaw,ReqTRES,\r\n"
                                  "17,94252,FAILED,1709280900,90,gres/gpu:v100=2,\r\n"
                                  "18,1,OUT_OF_MEMORY,1709280901,Partition_Limit,gres/gpu=1,\r\n");
    CHECK(trace.format == "sacct");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000);
    CHECK(trace.duration_ms == Milliseconds{94'252'000, 1'000});
    CHECK(trace.requested_ms == Milliseconds{5'400'000, 0});
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 1});
    CHECK(trace.tenants == Texts{"all"});
    CHECK(trace.end == std::vector{JobEnd::failed, JobEnd::failed});
    CHECK(read_text("JobID~~Elapsed~~State~~Submit~~AllocTRES\n"
                    "1~~00:01~~COMPLETED~~2024-03-01T00:00:00~~gres/gpu=1\n")
              .size() == 1);
}

TEST_CASE("sacct: malformed input is reported with its place and column") {
    const auto message_of = [](const std::string& row) { return complaint(header + row); };
    CHECK(message_of(line("17", day + "08:15:00", "1-02", "COMPLETED")) ==
          "t:2:64: Elapsed: \"1-02\" is not a time span ([days-]hours:minutes:seconds)");
    CHECK(message_of(line("17", day + "08:15:00", "00:01", "COMPLETE"))
              .starts_with(
                  "t:2:70: State: \"COMPLETE\" is not a known state; did you mean \"COMPLETED\"?"));
    CHECK(message_of(line("17", "Unknown", "00:01", "COMPLETED"))
              .starts_with("t:2:4: Submit: \"Unknown\" is not a date and time"));
    const std::string begin =
        "17|2024-03-01T08:16:00|2024-03-01T08:17:00|2024-03-01T08:20:00|00:03:00|";
    CHECK(message_of(begin + "COMPLETED|gres/gpu=x|a|1:00:00|gpu\n") ==
          "t:2:83: AllocTRES: \"gres/gpu=x\" is not a list of resources (expected e.g. "
          "\"cpu=32,gres/gpu=8,mem=500G\")");
    CHECK(message_of(begin + "COMPLETED||a|1:00:00|gpu\n") ==
          "t:2:83: AllocTRES: missing (what the job was given is needed)");
    CHECK(message_of(begin + "COMPLETED|node=1|a|1:00:00|gpu\n")
              .starts_with("t:2:83: AllocTRES: no GPUs (0)"));
    CHECK(message_of(begin + "COMPLETED|gres/gpu=1|a|soon|gpu\n")
              .starts_with("t:2:96: Timelimit: \"soon\" is not a time span"));
    CHECK(message_of(begin + "COMPLETED|gres/gpu=1|a|1:00:00|gpu|x\n") ==
          "t:2:108: 11 fields where 10 are expected");
    CHECK(message_of("") == "t: no job left (0 rows read, 0 not selected, 0 bad)");
    CHECK(message_of(line("18", day + "08:15:00", "00:00:10", "RUNNING", "Unknown")) ==
          "t: no job left (1 rows read, 0 not selected, 0 bad, 1 left out: t:2:61: not over: "
          "RUNNING)");
    CHECK(complaint("JobID|Elapsed|State|Submit\n") ==
          "t:1: AllocTRES: no such column (columns found: JobID, Elapsed, State, Submit); have "
          "sacct print it: "
          "--format=JobID,Submit,Start,End,Elapsed,State,AllocTRES,Account,Timelimit");
}

TEST_CASE(
    "sacct: MIG slices are parts of GPUs; shards are where the site says how many a GPU has") {
    const std::string begin = "|2024-03-01T08:16:00|2024-03-01T08:17:00|2024-03-01T08:20:00|00:03:"
                              "00|COMPLETED|";
    const std::string end = "|a|1:00:00|gpu\n";
    const std::string slice = "17" + begin + "gres/gpu:a100_1g.5gb=1,gres/gpu=1" + end;
    const std::string whole = "18" + begin + "gres/gpu=2" + end;
    const Trace trace = read_text(header + whole + slice + whole);
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 1});
    CHECK(trace.gpu_milli == std::vector<std::uint16_t>{1000, 142});
    CHECK(read_text(header + whole).gpu_milli.empty());

    const std::string shards =
        "19" + begin + "cpu=4,gres/shard=4" + end + "20" + begin + "gres/shard=3" + end;
    CHECK(complaint(header + shards) ==
          "t:2:83: AllocTRES: gres/shard is a part of a GPU, as on line 3 (how many a GPU has is "
          "not known); this job has 4; say how many a GPU has: `shards_per_gpu`, or "
          "--shards-per-gpu");
    TraceOptions options;
    options.shards_per_gpu = 4;
    const Trace shared = read_text(header + shards + whole, options);
    CHECK(shared.gpus == std::vector<std::uint32_t>{1, 1, 2});
    CHECK(shared.gpu_milli == std::vector<std::uint16_t>{1000, 750, 1000});
    CHECK(shared.notes.empty());
    CHECK(read_text("submit,duration,gpus\n0,1,1\n", options).notes ==
          Texts{"t: shards_per_gpu: has no effect (the format is csv)"});
}

TEST_CASE("sacct: local times by the name of a zone; run times that start and end do not give") {
    const std::string rest = "|COMPLETED|gres/gpu=1|a|1:00:00|gpu\n";
    const std::string over_the_change =
        "17|2024-03-31T01:00:00|2024-03-31T01:30:00|2024-03-31T03:30:00|01:00:00" + rest;
    const std::string next_day =
        "18|2024-04-01T01:00:00|2024-04-01T01:00:00|2024-04-01T02:00:01|01:00:00" + rest;
    const std::string suspended =
        "19|2024-04-01T01:00:00|2024-04-01T01:00:00|2024-04-01T03:00:00|01:00:00" + rest;
    TraceOptions options;
    options.zone = "Europe/Berlin";
    const Trace local = read_text(header + over_the_change + next_day, options);
    CHECK(local.zero_utc_ms == 1'711'843'200'000);         // 2024-03-31 00:00 UTC
    CHECK(local.submit_ms == Milliseconds{0, 82'800'000}); // a day of 23 hours
    CHECK(local.assumed.empty());
    CHECK(
        read_text(header + over_the_change + next_day + suspended, options).assumed ==
        Texts{"run times are Elapsed of the trace; for 1 job (the first on line 4) End minus Start "
              "is another time: they were suspended, or clocks were changed"});
    options.select.first = 2; // the suspended job is not one of them
    CHECK(read_text(header + over_the_change + next_day + suspended, options).assumed.empty());
    options.select.first.reset();
    options.zone = "+01:00";
    CHECK(read_text(header + next_day + over_the_change + suspended, options).assumed ==
          Texts{"run times are Elapsed of the trace; for 2 jobs (the first on line 3) End minus "
                "Start is another time: they were suspended, or clocks were changed (a `zone` by "
                "name, such as Europe/Berlin, knows when)"});
}

TEST_CASE("sacct: AllocGRES of old versions, with the cores of another column") {
    const Trace trace = read_text("JobID|Elapsed|State|Submit|AllocGRES|AllocCPUS\n"
                                  "1|00:01:00|COMPLETED|2024-03-01T00:00:00|gpu:v100:2|16\n"
                                  "2|00:01:00|COMPLETED|2024-03-01T00:00:01||4\n");
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 0});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{16'000, 4'000});
    CHECK(
        complaint("JobID|Elapsed|State|Submit|AllocGRES|NCPUS\n"
                  "1|00:01:00|COMPLETED|2024-03-01T00:00:00|gpu:a:b|16\n") ==
        "t:2:42: AllocGRES: \"gpu:a:b\" is not a list of resources (expected e.g. \"gpu:a100:8\")");
}

TEST_CASE("sacct: what `sacct -P` prints by default lacks columns, and the message has them all") {
    CHECK(complaint("JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n"
                    "1|train|gpu|nlp|8|COMPLETED|0:0\n") ==
          "t:1: Submit, Elapsed, AllocTRES: no such columns (columns found: JobID, JobName, "
          "Partition, Account, AllocCPUS, State, ExitCode); have sacct print them: "
          "--format=JobID,Submit,Start,End,Elapsed,State,AllocTRES,Account,Timelimit");
}

TEST_CASE("sacct: without a header, columns are named by position") {
    const std::string rows = line("17", day + "08:15:00", "1-02:10:52", "COMPLETED") +
                             line("18", day + "08:15:30", "00:10:05", "CANCELLED by 1000");
    CHECK(complaint(rows).find("; these are lines of `sacct --noheader`: print the header, or give "
                               "the format and the positions (`--format sacct --columns "
                               "JobID=1,Submit=2,...`)") != std::string::npos);
    TraceOptions options;
    options.format = "sacct";
    options.columns = {
        {"JobID", "1"}, {"Submit", "2"}, {"Elapsed", "5"}, {"State", "6"}, {"AllocTRES", "7"}};
    const Trace trace = read_text(rows, options);
    CHECK(trace.size() == 2);
    CHECK(trace.name(0) == "17");
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 8});
    CHECK(trace.duration_ms == Milliseconds{94'252'000, 605'000});
    CHECK(trace.columns[4].name == "Elapsed");
    CHECK(trace.columns[4].read_as == "duration");

    CHECK(complaint(header + rows, options) == "t: columns: the file has a header (positions are "
                                               "for `sacct --noheader`); leave them out");
    options.columns["State"] = "11";
    CHECK(complaint(rows, options) ==
          "t: columns.State: \"11\" is not the position of a field (the "
          "first line has 10 fields)");
    options.columns["State"] = "7";
    CHECK(complaint(rows, options) == "t: columns.State: at the same position as AllocTRES");
    options.columns.erase("State");
    options.columns.erase("Submit");
    CHECK(complaint(rows, options) ==
          "t: columns: no position of Submit, State (a file without a header needs those of JobID, "
          "Submit, Elapsed, State and AllocTRES)");
    options.columns["Sate"] = "6";
    CHECK(complaint(rows, options) ==
          "t: columns.Sate: not a column of sacct that is read; did you mean \"State\"?");
}

TEST_CASE("sacct: bad rows are skipped and listed with on_bad_row: skip") {
    TraceOptions options;
    options.on_bad_row = OnBadRow::skip;
    const Trace trace = read_text(header + line("17", day + "08:15:00", "soon", "COMPLETED") +
                                      line("18", day + "08:15:10", "00:00:01", "COMPLETED"),
                                  options);
    CHECK(trace.size() == 1);
    CHECK(trace.num_bad_rows == 1);
    CHECK(trace.num_rows_read == 2);
}

} // namespace bursar::sacct_test
