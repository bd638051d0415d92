#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/throughputs/throughput_table.hpp"

#include "tests/scenarios/traces/read_text.hpp"

// Traces of simulators and clusters of research that are no tables of columns.
namespace bursar::research_formats_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;

const std::string lm = "LM (batch size 5)";

TraceOptions measured_on(const std::string& gpu) {
    auto table = std::make_shared<ThroughputTable>("rates.json");
    table->add(lm, "K80", 1, 3);
    table->add(lm, "K80", 2, 0);
    TraceOptions options;
    options.steps = {.table = table, .gpu = gpu};
    return options;
}

std::string with_tabs(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields)
        line += (line.empty() ? "" : "\t") + field;
    return line + '\n';
}

std::string job_of_7(const std::string& gpus, const std::string& type = lm) {
    return with_tabs({type, "python3 a.py %s", "--steps", "1", "100", "60.500000", gpus});
}

std::string
job_of_10(const std::string& weight, const std::string& slo, const std::string& gpus = "1") {
    return with_tabs({lm, "python3 a.py", "dir", "--steps", "1", "200", gpus, weight, slo, "9"});
}

std::string job_of_12(const std::string& mode) {
    return with_tabs(
        {lm, "python3 a.py", "dir", "--steps", "1", "200", "2", mode, "1", "-1.0", "90.5", "30"});
}

} // namespace

TEST_CASE("gavel: run times are steps at the measured speed, the type is the name") {
    const Trace of_7 = read_text(job_of_7("1") + job_of_7("1"), measured_on("K80"));
    CHECK(of_7.format == "gavel");
    CHECK(of_7.submit_ms == Milliseconds{0, 0});
    CHECK(of_7.duration_ms == Milliseconds{33'333, 33'333}); // 100 / 3 s
    CHECK(of_7.gpus == std::vector<std::uint32_t>{1, 1});
    CHECK(of_7.name(1) == lm);
    CHECK(of_7.assumed == std::vector<std::string>{"run times are the steps of the trace at the "
                                                   "speeds of rates.json on K80, to the "
                                                   "millisecond"});
    const Trace of_10 = read_text(job_of_10("1", "-1.000000"), measured_on("K80"));
    CHECK(of_10.format == "gavel");
    CHECK(of_10.duration_ms == Milliseconds{66'667});
}

TEST_CASE("gavel: a file without measured speeds is refused") {
    CHECK(
        complaint(job_of_7("1")) ==
        "t: file: has no run times (a run time is the steps of a job at the measured speed of its "
        "type); a scenario with `workload.speeds.file` and `workload.gpu` has both");
    CHECK(complaint(job_of_7("1"), measured_on("")).starts_with("t: file: has no run times"));
}

TEST_CASE("gavel: a job that was not measured, or does not run, is a bad row") {
    const std::string first = job_of_7("1");
    CHECK(
        complaint(first + job_of_7("3"), measured_on("K80"))
            .starts_with("t:2:1: job type: \"LM (batch size 5)\" on 3 GPUs was not measured on K80 "
                         "(its run time is its steps at the measured speed)\n"));
    CHECK(complaint(first + job_of_7("2"), measured_on("K80"))
              .starts_with("t:2:1: job type: \"LM (batch size 5)\" on 2 GPUs does not run on K80"));
    CHECK(complaint(first + job_of_7("1", "A3C"), measured_on("K80"))
              .starts_with("t:2:1: job type: \"A3C\" on 1 GPUs was not measured"));
    // `select` comes first, and malformed numbers have their places.
    TraceOptions options = measured_on("K80");
    options.select.gpus = CountRange{1, 2};
    CHECK(read_text(first + job_of_7("3"), options).num_not_selected == 1);
    CHECK(complaint(first + job_of_7("two"), measured_on("K80"))
              .starts_with("t:2:59: GPUs: \"two\" is not a"));
    CHECK(complaint(first + job_of_10("1", "-1"), measured_on("K80"))
              .find("10 fields where 7 are expected") != std::string::npos);
}

TEST_CASE("gavel: weights and SLOs are not read as if they were none") {
    const std::string first = job_of_10("1", "-1");
    CHECK(complaint(first + job_of_10("2.5", "-1"), measured_on("K80"))
              .starts_with("t:2:52: priority weight: \"2.5\" is not read (only jobs of weight 1"));
    CHECK(complaint(first + job_of_10("1", "1.2"), measured_on("K80"))
              .starts_with("t:2:54: SLO: \"1.2\" is not read (only -1, none, is"));
}

TEST_CASE("shockwave: run times of the file, the mode is the class") {
    const Trace trace = read_text(job_of_12("accordion") + job_of_12("gns"));
    CHECK(trace.format == "shockwave");
    CHECK(trace.duration_ms == Milliseconds{90'500, 90'500});
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 2});
    CHECK(trace.name(0) == lm);
    CHECK(trace.classes == std::vector<std::string>{"", "accordion", "gns"});
    CHECK(trace.job_class == std::vector<std::uint16_t>{1, 2});
    CHECK(trace.assumed.size() == 1);
    CHECK(complaint(job_of_12("gns") + job_of_12("fast"))
              .starts_with(
                  "t:2:52: mode: \"fast\" is no mode (expected static, accordion or gns)\n"));
}

TEST_CASE("sia-csv: run times are those of the profiles, the class is application and batch") {
    const std::string header = "name,time,application,num_replicas,batch_size\n";
    auto table = std::make_shared<ThroughputTable>("profiles");
    table->add("lm 64", "T4", 2, 0.008);
    TraceOptions options;
    options.steps = {.table = table, .gpu = "T4"};
    const Trace trace = read_text(header + "lm-0,40,lm,2,64\nlm-1,41.5,lm,2,64\n", options);
    CHECK(trace.format == "sia-csv");
    CHECK(trace.submit_ms == Milliseconds{0, 1'500});
    CHECK(trace.duration_ms == Milliseconds{125'000, 125'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{2, 2});
    CHECK(trace.name(1) == "lm-1");
    CHECK(trace.classes == std::vector<std::string>{"", "lm 64"});
    CHECK(trace.assumed.size() == 1);
    CHECK(complaint(header + "lm-0,40,lm,3,64\n", options) ==
          "t:2:9: application: \"lm 64\" on 3 GPUs was not measured on T4 (its run time is that of "
          "its profile at its batch size)");
    CHECK(complaint(header + "lm-0,40,lm,2,65\n", options)
              .starts_with("t:2:9: application: \"lm 65\" on 2 GPUs was not measured"));
    CHECK(complaint(header + "lm-0,40,lm,two,64\n", options)
              .starts_with("t:2:12: num_replicas: \"two\" is not a"));
    CHECK(complaint(header + "lm-0,40,lm,2\n", options) == "t:2:13: 4 fields where 5 are expected");
    CHECK(complaint(header + "lm-0,40,lm,2,64\n").starts_with("t: file: has no run times (a run "));
}

TEST_CASE("alibaba-spot-csv: requests are for each worker, a part of a GPU is a share") {
    const std::string header = "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,"
                               "submit_time,duration,job_type\n";
    const Trace trace = read_text(header + "71,4,A10,6.5,0.25,3,100,60,HP\n"
                                           "72,5,H800,92.0,8.0,2,160.0,30.0,Spot\n"
                                           "73,5,,4,0,1,170,30,HP\n");
    CHECK(trace.format == "alibaba-spot-csv");
    CHECK(trace.submit_ms == Milliseconds{0, 60'000, 70'000});
    CHECK(trace.duration_ms == Milliseconds{60'000, 30'000, 30'000});
    CHECK(trace.gpus == std::vector<std::uint32_t>{3, 16, 0});
    CHECK(trace.gpu_milli == std::vector<std::uint16_t>{250, 1000, 1000});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{19'500, 184'000, 4'000});
    CHECK(trace.tenants == std::vector<std::string>{"4", "5"});
    CHECK(trace.classes == std::vector<std::string>{"", "HP", "Spot"});
    CHECK(trace.gpu_type_sets == std::vector<std::vector<std::string>>{{}, {"A10"}, {"H800"}});
    CHECK(trace.name(2) == "73");
    const auto message_of = [&](const std::string& row) { return complaint(header + row + '\n'); };
    CHECK(message_of("71,4,A10,6,1.5,3,100,60,HP") ==
          "t:2:12: gpu_request: \"1.5\" is not a request for GPUs (expected whole GPUs, or a part "
          "of one)");
    CHECK(
        message_of("71,4,A10,6,0.0004,3,100,60,HP") ==
        "t:2:12: gpu_request: \"0.0004\" is less than a thousandth of a GPU (requests are read in "
        "thousandths)");
    CHECK(message_of("71,4,A10,6,1,0,100,60,HP") ==
          "t:2:14: worker_num: \"0\" is not a number of workers");
    CHECK(message_of("71,4,A10,x,1,1,100,60,HP") ==
          "t:2:10: cpu_request: \"x\" is not a number of cores");
    CHECK(message_of("71,4,A10,6,1,1,100,60,LP") ==
          "t:2:23: job_type: \"LP\" is no type of job (expected HP or Spot)");
    CHECK(message_of("71,4,A10,6,1,1,-5,60,HP").starts_with("t:2:16: submit_time: "));
    CHECK(message_of("71,4,A10,6,1,1,100,60") == "t:2:22: 8 fields where 9 are expected");
    CHECK(complaint("job_name,gpu_request,worker_num,job_type\n")
              .starts_with("t:1: cpu_request: no such column"));
}

} // namespace bursar::research_formats_test
