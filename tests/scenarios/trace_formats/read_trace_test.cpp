#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/read_trace.hpp"

#include "tests/scenarios/traces/read_text.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"
#include "tools/bench/packed.hpp"

namespace bursar::read_trace_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

constexpr std::string_view plain = "job,submit,duration,gpus,tenant\n"
                                   "a,30,10,4,x\n"
                                   "b,10.5,20,1,y\n"
                                   "c,20,30,8,x\n";

constexpr std::string_view dated = "submit,duration,gpus\n"
                                   "2017-10-09 12:00:00,10,1\n"
                                   "2017-10-08 23:59:59,20,2\n"
                                   "2017-10-10 00:00:00,30,4\n";

} // namespace

TEST_CASE("rows keep the order of the file and the zero is the earliest submit") {
    const Trace trace = read_text(plain);
    CHECK(trace.format == "csv");
    CHECK(trace.submit_ms == Milliseconds{19'500, 0, 9'500});
    CHECK(trace.duration_ms == Milliseconds{10'000, 20'000, 30'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{4, 1, 8});
    CHECK(trace.tenants == std::vector<std::string>{"x", "y"});
    CHECK(trace.tenant == std::vector<std::uint16_t>{0, 1, 0});
    CHECK(trace.line == std::vector<std::uint64_t>{2, 3, 4});
    CHECK(trace.name(2) == "c");
    CHECK(trace.num_rows_read == 3);
    CHECK_FALSE(trace.zero_utc_ms);
}

TEST_CASE("a packed file on disk is the same trace") {
    for (const std::string& stored : {std::string{plain}, gzip(plain), zstd(plain)}) {
        const test::TemporaryFile file{stored};
        CHECK(read_trace(test::options_for(file.path())).submit_ms ==
              Milliseconds{19'500, 0, 9'500});
    }
}

TEST_CASE("dates: the zero's instant is kept, zones apply to stamps without one") {
    TraceOptions options;
    CHECK(read_text(dated).submit_ms == Milliseconds{43'201'000, 0, 86'401'000});
    CHECK(read_text(dated).zero_utc_ms == 1'507'507'199'000);
    options.zone = "+08:00";
    CHECK(read_text(dated, options).zero_utc_ms == 1'507'507'199'000 - 8 * 3'600'000);
    options.zone = "Berlin";
    CHECK(
        complaint(dated, options) ==
        "t: zone: \"Berlin\" is not a zone (expected UTC, an offset such as +08:00, or a name such "
        "as Europe/Berlin)");
    options = {};
    options.start = "2020-01-01";
    CHECK(read_text(plain, options).zero_utc_ms == 1'577'836'800'000 + 10'500);
    CHECK(complaint(dated, options).starts_with("t: start: this trace has dates"));
}

TEST_CASE("select: GPUs, tenants, dates and the first rows by submit time") {
    TraceOptions options;
    options.select.gpus = CountRange{2, {}};
    CHECK(read_text(plain, options).gpus == std::vector<std::uint32_t>{4, 8});
    CHECK(read_text(plain, options).submit_ms == Milliseconds{10'000, 0});
    CHECK(read_text(plain, options).num_not_selected == 1);
    CHECK(read_text(plain, options).tenants == std::vector<std::string>{"x"});
    options.select = {};
    options.select.tenants = {"y"};
    CHECK(read_text(plain, options).name(0) == "b");
    options.select = {};
    options.select.first = 2;
    const Trace first = read_text(plain, options);
    CHECK(first.submit_ms == Milliseconds{0, 9'500});
    CHECK(first.name(0) == "b");
    CHECK(first.name(1) == "c");
    CHECK(first.tenants == std::vector<std::string>{"y", "x"}); // as if row a were not in the file
    CHECK(first.tenant == std::vector<std::uint16_t>{0, 1});
    CHECK(first.num_not_selected == 1);
    options.select.first = 1;
    CHECK(read_text(plain, options).tenants == std::vector<std::string>{"y"});
    options.select.first = 0;
    CHECK(complaint(plain, options) == "t: select.first: fewer than 1 row");
    options.select = {};
    options.select.from = "2017-10-09";
    options.select.to = "2017-10-10";
    CHECK(read_text(dated, options).gpus == std::vector<std::uint32_t>{1});
    CHECK(complaint(plain, options).starts_with("t: select.from: this trace has no dates"));
    options.start = "2017-10-08 23:59:45";
    CHECK(read_text(plain, options).gpus == std::vector<std::uint32_t>{4, 8});
    options.select.from = "yesterday";
    CHECK(complaint(plain, options).starts_with("t: select.from: \"yesterday\" is not a date"));
}

TEST_CASE("jobs that select.from cuts off while they would run are counted") {
    // Submitted at 0, 10 and 40 min and 2 h; the second one would still run after an hour.
    const std::string text = "submit,duration,gpus,tenant\n"
                             "2017-10-09 00:00:00,60,1,a\n2017-10-09 00:10:00,3600,8,a\n"
                             "2017-10-09 00:40:00,1200,1,a\n2017-10-09 02:00:00,60,1,a\n";
    TraceOptions options;
    CHECK(read_text(text, options).num_cut_off == 0);
    options.select.from = "2017-10-09 01:00:00";
    CHECK(read_text(text, options).num_cut_off == 1);
    CHECK(read_text(text, options).num_not_selected == 3);
    options.select.gpus = CountRange{1, 4};
    CHECK(read_text(text, options).num_cut_off == 0);
}

TEST_CASE("select takes instants with their own zone") {
    TraceOptions options;
    options.zone = "+08:00";
    for (const std::string from :
         {"2017-10-09T04:00:00Z", "2017-10-09 12:00", "2017-10-09 05:00 +01:00"}) {
        CAPTURE(from);
        options.select.from = from;
        CHECK(read_text(dated, options).gpus == std::vector<std::uint32_t>{1, 4});
    }
}

TEST_CASE("options without effect on the file are noted") {
    CHECK(read_text(plain).notes.empty());
    TraceOptions options;
    options.select.tenants = {"x", "y"};
    options.select.gpus = CountRange{2, {}};
    CHECK(read_text(plain, options).notes ==
          std::vector<std::string>{"t: select.tenants: no selected row is of tenant \"y\""});
    options = {};
    options.zone = "+08:00";
    CHECK(read_text(dated, options).notes.empty());
    CHECK(read_text(plain, options).notes ==
          std::vector<std::string>{"t: zone: has no effect (the trace has no dates and no start)"});
    options.start = "2020-01-01";
    CHECK(read_text(plain, options).notes.empty());
}

TEST_CASE("a tenant of select without rows is refused, like one of shares") {
    TraceOptions options;
    options.select.tenants = {"x", "X1", "nobody"};
    CHECK(complaint(plain, options) ==
          "t: select.tenants: no job is of tenant \"X1\"; did you mean \"x\"?\n"
          "t: select.tenants: no job is of tenant \"nobody\"; one of: x, y");
}

TEST_CASE("a mistake in an option is reported at the option's place") {
    TraceOptions options;
    options.places.note("select", {{"s.yaml", 3, 9}, "workload.trace.select"});
    options.places.note("zone", {{"s.yaml", 4, 9}, "workload.trace.zone"});
    options.zone = "Berlin";
    CHECK(complaint(plain, options)
              .starts_with("s.yaml:4:9: workload.trace.zone: \"Berlin\" is not a zone"));
    options.zone = "UTC";
    options.select.from = "yesterday"; // without a place: that of the mapping around it
    CHECK(complaint(plain, options).starts_with("s.yaml:3:9: workload.trace.select: "));
    options.select.from = {};
    options.select.gpus = CountRange{100, {}};
    CHECK(complaint(plain, options) ==
          "s.yaml:3:9: workload.trace.select: no job left (3 rows read, 3 not selected, 0 bad)");
    options = {};
    options.columns = {{"gpus", "GPUs"}};
    CHECK(complaint(plain, options) ==
          "t: columns.gpus: \"GPUs\" is no column (columns of t: job, submit, duration, gpus, "
          "tenant); did you mean \"gpus\"?");
}

TEST_CASE("a column called gpu_type binds jobs to GPUs only where it is mapped") {
    constexpr std::string_view text = "submit,duration,num,gpu_type\n0,1,1,V100\n";
    TraceOptions options;
    options.columns = {{"gpus", "num"}};
    const Trace any = read_text(text, options);
    CHECK(any.gpu_types.empty());
    REQUIRE(any.assumed.size() == 1);
    CHECK(any.assumed[0] == "jobs may run on any GPU: column gpu_type of the trace is not mapped "
                            "(`columns: {gpu_type: gpu_type}` binds each job to its own)");
    options.columns["gpu_type"] = "gpu_type";
    const Trace bound = read_text(text, options);
    CHECK(bound.gpu_types.size() == 1);
    CHECK(bound.assumed.empty());
    // Bursar's own columns have their fixed meaning.
    CHECK(read_text("submit,duration,gpus,gpu_type\n0,1,1,V100\n").gpu_types.size() == 1);
}

TEST_CASE("delimiters are found by the header; other capitals give a suggestion") {
    TraceOptions options;
    options.format = "csv";
    TraceOptions mapped;
    mapped.columns = {{"submit", "t0"}, {"gpus", "n"}, {"tenant", "a,b"}};
    for (const std::string by : {",", ";", "|", "\t"}) {
        const auto line = [&](const std::string& a, const std::string& b, const std::string& c) {
            return a + by + b + by + c + "\n";
        };
        const std::string rows = line("0", "3.5", "2");
        CHECK(read_text(line("submit", "duration", "gpus") + rows).duration_ms ==
              Milliseconds{3'500});
        CHECK(read_text(line("submit", "duration", "gpus") + rows, options).gpus ==
              std::vector<std::uint32_t>{2});
        const std::string quoted = line("t0", "duration", "n" + by + "\"a,b\"");
        CHECK(read_text(quoted + line("0", "3.5", "2" + by + "me"), mapped).tenants ==
              std::vector<std::string>{"me"});
    }
    CHECK(
        complaint("submit;duration\n", options).ends_with("; columns must be separated by commas"));
    CHECK(complaint("Submit,Duration,GPUs\n0,1,1\n")
              .ends_with("; the columns of csv are submit,duration,gpus (case-sensitive)"));
    CHECK(complaint("Submit,duration,gpus\n0,1,1\n", options)
              .ends_with("; did you mean \"Submit\"?"));
}

TEST_CASE("an empty selection is an error that counts the excluded rows") {
    TraceOptions options;
    options.select.gpus = CountRange{100, {}};
    CHECK(complaint(plain, options) == "t: no job left (3 rows read, 3 not selected, 0 bad)");
    CHECK(complaint("submit,duration,gpus\n") ==
          "t: no job left (0 rows read, 0 not selected, 0 bad)");
    CHECK(complaint("") == "t: the file is empty");
}

TEST_CASE("rows that are not selected are not checked further") {
    TraceOptions options;
    options.select.gpus = CountRange{1, {}};
    const std::string_view cpu_job = "submit,duration,gpus\n0,x,0\n0,5,1\n";
    CHECK(read_text(cpu_job, options).num_not_selected == 1);
    CHECK(complaint(cpu_job).starts_with("t:2:3: duration: \"x\" is not a number of seconds\n"));
}

TEST_CASE("scale: time, then load, then GPUs") {
    TraceOptions options;
    options.scale.time = 2;
    CHECK(read_text(plain, options).submit_ms == Milliseconds{39'000, 0, 19'000});
    CHECK(read_text(plain, options).duration_ms == Milliseconds{20'000, 40'000, 60'000});
    options.scale.load = 4;
    CHECK(read_text(plain, options).submit_ms == Milliseconds{9'750, 0, 4'750});
    CHECK(read_text(plain, options).duration_ms == Milliseconds{20'000, 40'000, 60'000});
    options.scale.gpus = 0.375;
    CHECK(read_text(plain, options).gpus == std::vector<std::uint32_t>{2, 1, 3});
    for (const double bad : {0.0,
                             -1.0,
                             std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
        options.scale.load = bad;
        CHECK(complaint(plain, options).find("scale.load: ") != std::string::npos);
    }
    options.scale = {};
    options.scale.gpus = 1e10;
    CHECK(complaint(plain, options) == "t: scale.gpus: scales a gang beyond 4294967295 GPUs");
    options.scale = {};
    options.scale.time = 1e12;
    CHECK(complaint(plain, options) == "t: scale.time: scales times beyond 1e12 s");
}

TEST_CASE("each kind of bad row is reported with its place, column and text") {
    const auto message_of = [](std::string_view row) {
        return complaint("job,submit,duration,gpus,gpu_milli,state\n" + std::string{row} + "\n");
    };
    CHECK(message_of("a,0,1,1,1000,completed").empty());
    CHECK(message_of("a,-5,1,1,1000,completed") == "t:2:3: submit: negative time \"-5\"");
    CHECK(message_of("a,nan,1,1,1000,completed") ==
          "t:2:3: submit: \"nan\" is not a finite number");
    CHECK(message_of("a,,1,1,1000,completed") == "t:2:3: submit: missing (seconds are needed)");
    CHECK(message_of("a,0,,1,1000,completed") == "t:2:5: duration: missing (seconds are needed)");
    CHECK(message_of("a,0,-1,1,1000,completed") == "t:2:5: duration: negative time \"-1\"");
    CHECK(message_of("a,0,NaN,1,1000,completed") ==
          "t:2:5: duration: \"NaN\" is not a finite number");
    CHECK(message_of("a,0,1e999,1,1000,failed") ==
          "t:2:5: duration: \"1e999\" is not a number of seconds");
    CHECK(message_of("a,0,9999999999999,1,1000,failed") ==
          "t:2:5: duration: \"9999999999999\" is too large (at most 999999999999 s)");
    CHECK(message_of("a,0,1,0,1000,completed") ==
          "t:2:7: gpus: no GPUs (0); `select: {gpus: 1..}` leaves CPU jobs out");
    CHECK(message_of("a,0,1,-4,1000,completed") == "t:2:7: gpus: negative number of GPUs \"-4\"");
    CHECK(
        message_of("a,0,1,0.5,1000,completed") ==
        "t:2:7: gpus: \"0.5\" is not a whole number of GPUs (use gpu_milli for a share of a GPU)");
    CHECK(message_of("a,0,1,4294967296,1000,failed") ==
          "t:2:7: gpus: \"4294967296\" is too large (at most 4294967295 GPUs)");
    CHECK(message_of("a,0,1,two,1000,completed") == "t:2:7: gpus: \"two\" is not a number of GPUs");
    CHECK(message_of("a,0,1,1,0,completed") ==
          "t:2:9: gpu_milli: \"0\" is outside 1..1000 (thousandths of a GPU, per GPU)");
    CHECK(
        message_of("a,0,1,1,1001,completed").starts_with("t:2:9: gpu_milli: \"1001\" is outside"));
    CHECK(message_of("a,0,1,1,1000,complete")
              .starts_with(
                  "t:2:14: state: \"complete\" is not a known state; did you mean \"completed\""));
    CHECK(message_of("a,0,1,1,1000,zzz")
              .starts_with(
                  "t:2:14: state: \"zzz\" is not a known state; one of: completed, failed, "));
    CHECK(message_of("a,0,1,1,1000") == "t:2:13: 5 fields where 6 are expected");
    CHECK(message_of("a,0,1,1,1000,failed,7") == "t:2:21: 7 fields where 6 are expected");
    CHECK(message_of("a,0,1,1,10\"00,failed") == "t:2:11: quote inside an unquoted field");
    CHECK(message_of("\"two\nlines\",0,x,1,1000,failed") ==
          "t:3:10: duration: \"x\" is not a number of seconds");
}

TEST_CASE("CPU and memory are read, and a job may request only those") {
    const std::string header = "submit,duration,gpus,gpu_milli,cpu_milli,memory_mib\n";
    TraceOptions options;
    options.scale.gpus = 2;
    const Trace trace = read_text(header + "0,1,1,460,6000,12288\n0,1,0,0,250,0\n", options);
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 0});
    CHECK(trace.gpu_milli == std::vector<std::uint16_t>{460, 1000});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{12'000, 500}); // scaled with the gang
    CHECK(trace.memory_mib == std::vector<std::uint32_t>{24'576, 0});
    const auto message_of = [&](const std::string& row) { return complaint(header + row + "\n"); };
    CHECK(message_of("0,1,0,0,0,0") ==
          "t:2:5: gpus: no GPUs (0); `select: {gpus: 1..}` leaves CPU jobs out");
    CHECK(message_of("0,1,1,0,1,1").starts_with("t:2:7: gpu_milli: \"0\" is outside"));
    CHECK(message_of("0,1,1,1000,-1,1") ==
          "t:2:12: cpu_milli: \"-1\" is not a whole number from 0 to 4294967295");
    CHECK(message_of("0,1,1,1000,1,") ==
          "t:2:14: memory_mib: missing (a whole number is needed, 0 for none)");
}

TEST_CASE("mistakes of one cause are reported once, at most 20 causes, or counted and skipped") {
    std::string alike = "submit,duration,gpus\n";
    for (int i = 0; i < 50; ++i)
        alike += i % 2 == 0 ? "1,1,0\n" : "1,1,1\n";
    const std::string once = "t:2:5: gpus: no GPUs (0), as on lines 4, 6, 8 and 21 more; `select: "
                             "{gpus: 1..}` leaves CPU jobs out";
    CHECK(complaint(alike) == once + "\nt: 25 of 50 rows cannot be used; `on_bad_row: skip` leaves "
                                     "such rows out and counts them");
    TraceOptions options;
    options.on_bad_row = OnBadRow::skip;
    const Trace trace = read_text(alike, options);
    CHECK(trace.size() == 25);
    CHECK(trace.num_bad_rows == 25);
    CHECK(trace.num_rows_read == 50);
    CHECK(trace.bad_rows == std::vector<std::string>{once});

    std::string different = "submit,duration,gpus\n";
    for (int i = 0; i < 50; ++i)
        different += i % 2 == 0 ? "1,1,-" + std::to_string(i + 1) + "\n" : "1,1,1\n";
    try {
        read_text(different);
        FAIL("not refused");
    } catch (const ScenarioError& error) {
        REQUIRE(error.findings().size() == 21);
        CHECK(error.findings()[0].place.line == 2);
        CHECK(error.findings()[19].place.line == 40);
        CHECK(error.findings()[20].text() ==
              "t: 5 more rows cannot be used; `on_bad_row: skip` leaves such rows out and counts "
              "them");
    }
    const Trace skipped = read_text(different, options);
    CHECK(skipped.num_bad_rows == 25);
    REQUIRE(skipped.bad_rows.size() == 21);
    CHECK(skipped.bad_rows[20] == "... and 5 more rows");
}

TEST_CASE("for a missing column, the message has the file's columns and the nearest one") {
    TraceOptions options;
    options.format = "philly-csv";
    CHECK(complaint("timestamp,durations,num_gpus\n", options) ==
          "t:1: duration: no such column (columns found: timestamp, durations, num_gpus); did you "
          "mean \"durations\"?");
    CHECK(complaint("timestamp,duration,num_gpus,num_gpus\n", options) ==
          "t:1: num_gpus: two columns have this name");
    CHECK(complaint("", options) == "t: the file is empty (a header line is needed)");
}

TEST_CASE(
    "formats: for an unknown name the nearest is suggested, for an unknown header all are listed") {
    TraceOptions options;
    options.format = "philly";
    CHECK(complaint(plain, options).ends_with("did you mean \"philly-csv\"?"));
    options.format = "parquet";
    CHECK(complaint(plain, options).find("one of: csv, philly-csv, helios-csv") !=
          std::string::npos);
    CHECK(complaint("a,b\n1,2\n")
              .starts_with("t:1: format: not recognised by the header line \"a,b\" (formats: csv, "
                           "philly-csv, "));
    const std::string told = complaint("one_long_column;a_second_one;a_third;b;c\n1;2;3;4;5\n");
    CAPTURE(told);
    CHECK(told.find("by the header line \"one_long_column;a_second_one\"... (formats: csv, ") !=
          std::string::npos);
    CHECK(told.find(" more); name one, or map the columns of csv") != std::string::npos);
}

TEST_CASE("names may contain anything that can be quoted") {
    const Trace trace = read_text("job,submit,duration,gpus,tenant\n"
                                  "\"a,\"\"b\"\"\nc\",0,1,1,<script>alert(1)</script>\n"
                                  "\xe6\x97\xa5,1,1,1,\"x,y\"\n");
    CHECK(trace.name(0) == "a,\"b\"\nc");
    CHECK(trace.name(1) == "\xe6\x97\xa5");
    CHECK(trace.tenants == std::vector<std::string>{"<script>alert(1)</script>", "x,y"});
    CHECK(trace.line == std::vector<std::uint64_t>{2, 4});
}

TEST_CASE("the bad input of a run: missing file, truncated gzip, a line of 10 MB") {
    const std::string packed = gzip(std::string{plain});
    CHECK(complaint(packed.substr(0, packed.size() - 4)) ==
          "t: truncated gzip data (the file ends inside a gzip member)");
    CHECK(complaint("submit,duration,gpus\n" + std::string(10'000'000, '1')) ==
          "t:2: line longer than 1 MiB");
    CHECK_THROWS_AS(read_trace(test::options_for("no/such/file.csv")), ScenarioError);
}

} // namespace bursar::read_trace_test
