#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/jobs/left_out_jobs.hpp"

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::csv_formats_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

} // namespace

TEST_CASE("csv: columns are mapped by the user") {
    TraceOptions options;
    options.columns = {{"submit", "t0"}, {"duration", "len"}, {"gpus", "n"}, {"tenant", "who"}};
    const std::string_view text = "who,n,len,t0\nme,2,3.5,100\n";
    CHECK(read_text(text, options).duration_ms == Milliseconds{3'500});
    CHECK(read_text(text, options).tenants == std::vector<std::string>{"me"});
    options.columns["state"] = "status";
    CHECK(complaint(text, options).starts_with("t: columns.state: \"status\" is no column"));
    options.columns = {{"gpu", "n"}};
    CHECK(complaint(text, options).starts_with("t: columns.gpu: unknown column name"));
    options.columns = {{"gpus", "n"}};
    options.format = "swf";
    CHECK(complaint(text, options) ==
          "t: columns: only `format: csv` and `sacct` take columns (the format is swf)");
}

TEST_CASE("csv: priorities are whole numbers with or without a sign") {
    TraceOptions options;
    options.columns = {{"priority", "prio"}};
    options.select.first = 2;
    const Trace trace =
        read_text("submit,duration,gpus,prio\n9,1,1,-7\n5,1,1,0\n5,1,1,1000000000\n", options);
    CHECK(trace.priority == std::vector<std::int32_t>{0, 1'000'000'000});
    const auto message_of = [](const std::string& text) {
        return complaint("submit,duration,gpus,priority\n0,1,1," + text + "\n");
    };
    CHECK(message_of("high") ==
          "t:2:7: priority: \"high\" is not a priority (a whole number of -1e9 to 1e9)");
    CHECK(message_of("") == "t:2:7: priority: missing (a priority is needed)");
    CHECK(message_of("-1000000001")
              .starts_with("t:2:7: priority: \"-1000000001\" is not a priority"));
    CHECK(message_of("1.5").starts_with("t:2:7: priority: \"1.5\" is not a priority"));
}

TEST_CASE("csv: times in seconds or milliseconds since 1970, run times between two columns") {
    TraceOptions options;
    options.times = WrittenTimes::epoch;
    // 1,709,280,900 s: 2024-03-01 08:15:00 UTC.
    const Trace seconds =
        read_text("submit,duration,gpus\n1709280960,7,1\n1709280900.5,9,1\n", options);
    CHECK(seconds.zero_utc_ms == 1'709'280'900'500);
    CHECK(seconds.submit_ms == Milliseconds{59'500, 0});
    CHECK(seconds.duration_ms == Milliseconds{7'000, 9'000});
    options.times = WrittenTimes::epoch_ms;
    const std::string header = "submit,start,finish,gpus\n";
    const Trace two = read_text(header + "1709280900000,1709280905250,1709280907000,4\n", options);
    CHECK(two.zero_utc_ms == 1'709'280'900'000);
    CHECK(two.duration_ms == Milliseconds{1'750});
    CHECK(complaint(header + "1709280900000,,1709280907000,4\n", options) ==
          "t:2:15: start: missing (milliseconds since 1970 are needed)");
    CHECK(complaint(header + "1709280900000,9,8,4\n", options) ==
          "t:2:17: finish: negative duration (\"8\" is before the start)");
    CHECK(complaint(header + "x,9,9,4\n", options) ==
          "t:2:1: submit: \"x\" is not a number of milliseconds since 1970");
    options.format = "swf";
    CHECK(complaint("; a\n", options) ==
          "t: times: only `format: csv` takes another form of times (the format is swf)");
}

TEST_CASE("csv: dated start and finish replace a duration; a given duration counts") {
    const std::string header = "submit,start,finish,gpus";
    const std::string row = "2024-03-01 08:00:00,2024-03-01 09:00:00,2024-03-01 09:30:00,2";
    const Trace dated = read_text(header + "\n" + row + "\n", [] {
        TraceOptions options;
        options.format = "csv";
        return options;
    }());
    CHECK(dated.duration_ms == Milliseconds{1'800'000});
    const Trace both = read_text(header + ",duration\n" + row + ",60\n");
    CHECK(both.duration_ms == Milliseconds{60'000});
    std::vector<std::string> read;
    for (const ReadColumn& column : both.columns)
        read.push_back(column.name + "=" + std::string{column.read_as});
    CHECK(read == std::vector<std::string>{
                      "submit=submit", "start=", "finish=", "gpus=gpus", "duration=duration"});
    CHECK(complaint("submit,finish,gpus\n0,1,1\n",
                    [] {
                        TraceOptions options;
                        options.format = "csv";
                        return options;
                    }())
              .starts_with("t:1: duration: no such column"));
}

TEST_CASE("csv: times that look like an epoch are noted, and not guessed") {
    const Trace seconds = read_text("submit,duration,gpus\n1709280900,7,1\n");
    CHECK_FALSE(seconds.zero_utc_ms);
    CHECK(seconds.notes ==
          std::vector<std::string>{"t: times: submit times look like seconds since 1970 (this "
                                   "trace has no dates); `times: epoch` dates it"});
    CHECK(complaint("submit,duration,gpus\n1709280900000,7,1\n") ==
          "t:2:1: submit: \"1709280900000\" is too large (at most 999999999999 s); `times: "
          "epoch-ms` reads milliseconds since 1970");
}

TEST_CASE("csv: a user's sheet, dated, with every column") {
    const Trace trace =
        read_text("job,submit,duration,gpus,tenant,state,gpu_milli,gpu_type,cpu_milli,memory_mib,"
                  "requested_time,priority,ran_on\r\n"
                  "train-7b,2024-03-01T08:15:00Z,5400.5,8,nlp,completed,1000,H100|H200,96000,"
                  "1048576,7200,5,V100\r\n"
                  "notebook,2024-03-01 08:20:30,600,1,vision,cancelled,250,,4000,16384,,-1,\r\n");
    CHECK(trace.format == "csv");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000);
    CHECK(trace.submit_ms == Milliseconds{0, 330'000});
    CHECK(trace.duration_ms == Milliseconds{5'400'500, 600'000});
    CHECK(trace.requested_ms == Milliseconds{7'200'000, 0});
    CHECK(trace.gpu_milli == std::vector<std::uint16_t>{1000, 250});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{96'000, 4'000});
    CHECK(trace.memory_mib == std::vector<std::uint32_t>{1'048'576, 16'384});
    CHECK(trace.gpu_type_sets == std::vector<std::vector<std::string>>{{}, {"H100", "H200"}});
    CHECK(trace.ran_on_gpus == std::vector<std::string>{"", "V100"});
    CHECK(trace.ran_on == std::vector<std::uint16_t>{1, 0});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::cancelled});
    CHECK(trace.priority == std::vector<std::int32_t>{5, -1});
    CHECK(trace.tenants == std::vector<std::string>{"nlp", "vision"});
    CHECK(trace.name(0) == "train-7b");
}

TEST_CASE("csv: class, deadline and time between saves of each row") {
    const std::string header = "submit,duration,gpus,class,deadline,checkpoint\n";
    const Trace trace =
        read_text(header + "5,60,1,large,105,600.5\n7,60,1,,,\n6,60,1,small,-1,0\n");
    CHECK(trace.classes == std::vector<std::string>{"", "large", "small"});
    CHECK(trace.job_class == std::vector<std::uint16_t>{1, 0, 2});
    CHECK(trace.due_after_ms == Milliseconds{100'000, 0, 0});
    CHECK(trace.checkpoint_ms == Milliseconds{600'500, 0, 0});
    CHECK(trace.columns[4].read_as == "deadline");
    const Trace dated = read_text(header + "2024-03-01 08:00:00,60,1,a,2024-03-02T08:00:00Z,\n");
    CHECK(dated.due_after_ms == Milliseconds{86'400'000});
    CHECK(dated.checkpoint_ms.empty());

    CHECK(complaint(header + "5,60,1,a,5,\n") == "t:2:10: deadline: \"5\" is not after the submit");
    CHECK(complaint(header + "5,60,1,a,soon,\n") ==
          "t:2:10: deadline: \"soon\" is not a number of seconds");
    CHECK(complaint(header + "5,60,1,a,,often\n") ==
          "t:2:11: checkpoint: \"often\" is not a number of seconds");

    TraceOptions options;
    options.scale.time = 2;
    CHECK(read_text(header + "0,60,1,,105,10\n", options).due_after_ms == Milliseconds{210'000});
    options.scale.time = 1e-6; // 0 would mean none
    CHECK(read_text(header + "0,60,1,,105,10\n", options).due_after_ms == Milliseconds{1});
    CHECK(read_text(header + "0,60,1,,105,10\n", options).checkpoint_ms == Milliseconds{1});
    options.scale = {};
    // In a file with mapped columns, others of these names are not meant.
    options.columns = {{"submit", "submit"}};
    const Trace mapped = read_text(header + "5,60,1,large,monday,yes\n", options);
    CHECK(mapped.job_class.empty());
    CHECK(mapped.due_after_ms.empty());
    CHECK(mapped.columns[3].read_as.empty());
    options.columns = {{"deadline", "checkpoint"}};
    CHECK(read_text(header + "5,60,1,large,monday,9\n", options).due_after_ms ==
          Milliseconds{4'000});
}

TEST_CASE("tiresias-csv: the deadlines of ElasticFlow") {
    const Trace trace = read_text("job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,"
                                  "duration\n"
                                  "0,3715485,2011,cifar10,3719996,4096,1,5644\n");
    CHECK(trace.format == "tiresias-csv");
    CHECK(trace.due_after_ms == Milliseconds{4'511'000});
    // A run names the columns that it does not use, once.
    CHECK(trace_notes(trace) ==
          std::vector<std::string>{"1 rows read as tiresias-csv, 0 not selected",
                                   "columns not read: iteration, model_name, batch_size"});
    const std::string philly = "timestamp,duration,num_gpus,gpu_time\n";
    CHECK(trace_notes(read_text(philly + "2017-10-09 07:01:55,66.0,1,66.0\n")).size() == 1);
}

TEST_CASE("philly-csv: dated rows of virtual clusters, gpu_time not read") {
    const Trace trace = read_text("timestamp,duration,num_gpus,gpu_time,cluster\n"
                                  "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                                  "2017-10-08 13:30:10,86400.0,16,wrong,6214e9\n"
                                  "2017-10-10 00:00:00,1896.5,2,3793.0,11cb48\n");
    CHECK(trace.format == "philly-csv");
    CHECK(trace.zero_utc_ms == 1'507'469'410'000);
    CHECK(trace.submit_ms == Milliseconds{63'105'000, 0, 124'190'000});
    CHECK(trace.duration_ms == Milliseconds{66'000, 86'400'000, 1'896'500});
    CHECK(trace.gpus == std::vector<std::uint32_t>{1, 16, 2});
    CHECK(trace.tenants == std::vector<std::string>{"11cb48", "6214e9"});
    CHECK(trace.name_end.empty());
    CHECK(trace.end.empty());
}

TEST_CASE("helios-csv: the original's twelve columns, with CPU jobs") {
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

TEST_CASE("arrival-csv: four columns, times from the trace's zero") {
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

TEST_CASE("openb-csv: shares, types and pods that request CPU and memory only") {
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

TEST_CASE("openb-csv: a list without times is refused, with a suggestion") {
    CHECK(complaint("name,cpu_milli,memory_mib,num_gpu,gpu_milli\npod-0000,12000,16384,1,1000\n") ==
          "t:1: creation_time: no such column (columns found: name, cpu_milli, memory_mib, "
          "num_gpu, gpu_milli); the multigpu lists have no times: use one of the other lists");
}

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

} // namespace bursar::csv_formats_test
