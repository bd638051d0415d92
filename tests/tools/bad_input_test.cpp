// Bad input gives one clear message with its place, exit code 2, and no half-written file.

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/text/escape.hpp"

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::bad_input_test {
namespace {

const std::string good_trace = "timestamp,duration,num_gpus,cluster\n"
                               "2017-10-02 00:00:00,60,1,a\n"
                               "2017-10-02 00:01:00,60,8,b\n";

/// A scenario with one part replaced by something wrong.
struct Parts {
    std::string head = "bursar: 1\n";
    std::string workload = "workload: {trace: {file: t.csv, format: philly-csv}}\n";
    std::string fleet = "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, "
                        "price: 1 USD/gpu-h}]\n";
    std::string tail;
};

/// Runs it with `trace` as t.csv, asking for outputs; checks the code and that nothing was written.
std::string refusal(const Parts& parts, const std::string& trace = good_trace) {
    const TemporaryFolder folder;
    folder.write("t.csv", trace);
    const std::string file =
        folder.write("s.yaml", parts.head + parts.workload + parts.fleet + parts.tail);
    const Answer answer = bursar({"run", file, "--out", folder.file("out")});
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(!std::filesystem::exists(folder.file("out")));
    CAPTURE(answer.err);
    CHECK(answer.err.find(folder.path().string()) == 0); // "file:line:column: ..."
    return answer.err;
}

} // namespace

TEST_CASE("the good version of these scenarios runs") {
    const TemporaryFolder folder;
    folder.write("t.csv", good_trace);
    const Parts parts;
    const std::string file = folder.write("s.yaml", parts.head + parts.workload + parts.fleet);
    const Answer answer = bursar({"run", file, "--out", folder.file("out")});
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    CHECK(has(answer.out, "2 jobs finished"));
    for (const char* name : {"summary.json",
                             "result.json",
                             "jobs.csv",
                             "gpu_hours.csv",
                             "timeline.csv",
                             "tenants.csv",
                             "bill.md",
                             "bill.txt"}) {
        CAPTURE(name);
        CHECK(std::filesystem::exists(folder.path() / "out" / name));
    }
}

TEST_CASE("a scenario file that is missing, a folder, not YAML, or empty") {
    const TemporaryFolder folder;
    Answer answer = bursar({"run", folder.file("nowhere.yaml")});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "No such file"));
    answer = bursar({"run", folder.path().string()});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "directory"));
    answer = bursar({"run", folder.write("a.yaml", "bursar: [1\nfleet: }")});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "a.yaml:"));
    answer = bursar({"run", folder.write("b.yaml", "")});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "empty"));
}

TEST_CASE("messages about wrong values have their place, the mistake and the expected value") {
    Parts parts;
    parts.fleet = "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, "
                  "price: \"2.10\"}]\n";
    std::string message = refusal(parts);
    CHECK(has(message, "s.yaml:3:"));
    CHECK(has(message, "fleet.p.price"));
    CHECK(has(message, "no unit"));
    parts.fleet = "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, "
                  "price: 2 GB}]\n";
    CHECK(has(refusal(parts), "USD/gpu-h"));
    parts.fleet = "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 0, gpus_per_node: 8, "
                  "price: 1 USD/gpu-h}]\n";
    CHECK(has(refusal(parts), "fleet.p.nodes"));
    for (const char* value : {"-1 USD/gpu-h", "nan USD/gpu-h", ".nan", "inf USD/gpu-h"}) {
        CAPTURE(value);
        parts.fleet = "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, "
                      "price: " +
                      std::string{value} + "}]\n";
        CHECK(has(refusal(parts), "fleet.p.price"));
    }
    parts = {};
    parts.tail = "until: -3 h\n";
    CHECK(has(refusal(parts), "until"));
    parts.tail = "policy: {queue: fifi}\n";
    CHECK(has(refusal(parts), "did you mean \"fifo\"?"));
    parts.tail = "polcy: {queue: fifo}\n";
    CHECK(has(refusal(parts), "did you mean \"policy\"?"));
}

TEST_CASE("policies: unknown names, options of others, wrong units, contradictory slots") {
    Parts parts;
    parts.tail = "policy: {queue: lass}\n";
    CHECK(has(refusal(parts),
              "s.yaml:4:17: policy.queue: unknown name \"lass\"; did you mean \"las\""));
    parts.tail = "policy: {queue: {name: sjf, by: time}}\n";
    CHECK(has(refusal(parts),
              "s.yaml:4:29: policy.queue.by: sjf has no option \"by\" (it has none); it is an "
              "option of srtf, las"));
    parts.tail = "policy: {queue: {name: las, levels: [3250 s]}}\n";
    CHECK(has(refusal(parts), "policy.queue.levels[0]: \"3250 s\" has the unknown unit \"s\""));
    parts.tail = "policy: {queue: {name: gittins, levels: 0}}\n";
    CHECK(has(refusal(parts), "policy.queue.levels: \"0\" is too small"));
    parts.tail = "policy: {queue: srtf, backfill: easy}\n";
    CHECK(has(refusal(parts), "s.yaml:4:33: policy.backfill: easy has no head to reserve for"));
    parts.tail = "policy: {head: skip, backfill: easy}\n";
    CHECK(has(refusal(parts), "policy.backfill: easy has no head to reserve for"));
    parts.tail = "policy: {rounds: 0 s}\n";
    CHECK(has(refusal(parts), "policy.rounds: \"0 s\" is zero"));
    parts.tail = "policy: {preset: tiresia}\n";
    CHECK(has(refusal(parts),
              "policy.preset: unknown name \"tiresia\"; did you mean \"tiresias\" or "
              "\"tiresias-gittins\"?"));
    parts.tail = "policy: {queue: lass, head: skp, rounds: 6}\n";
    const std::string message = refusal(parts);
    for (const char* path : {"policy.queue", "policy.head", "policy.rounds"})
        CHECK(has(message, path));
}

TEST_CASE("a comparison that cannot be made gives one reason and writes nothing") {
    const TemporaryFolder folder;
    folder.write("t.csv", good_trace);
    const Parts parts;
    const std::string file = folder.write("s.yaml", parts.head + parts.workload + parts.fleet);
    const auto refused = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"compare", file, "--out", folder.file("out")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Answer answer = bursar(arguments);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK(!std::filesystem::exists(folder.file("out")));
        return answer.err;
    };
    CHECK(refused({"--vary", "policy.queue=fifo,sfj,lass"}) ==
          "--vary 1: policy.queue: unknown name \"sfj\"; did you mean \"sjf\"?\n"
          "--vary 1: policy.queue: unknown name \"lass\"; did you mean \"las\"?\n");
    CHECK(refused({"--vary", "policy.head=block,skip", "--set", "until=3"}) ==
          "--set 1: until: \"3\" has no unit (expected a duration such as \"15 min\")\n");
    CHECK(has(refused({"--vary", "policy.queue=fifo"}),
              "nothing to compare (a path needs two values or more)"));
    CHECK(has(refused({"--vary", "policy.queue"}), "is not PATH=V1,V2,..."));
    CHECK(has(refused({"--vary", "policy.queue=srtf,fifo", "--vary", "policy.backfill=none,easy"}),
              "--vary 2: policy.backfill: easy has no head to reserve for"));
    CHECK(has(refused({}), "--vary is required"));
    CHECK(has(refused({"--vary", "policy.queue=fifo,sjf", "--seeds", "0"}), "--seeds"));
    CHECK(has(refused({"--vary", "policy.queue=fifo,sjf", "--format", "pdf"}), "--format"));
    const std::string in_the_way = folder.write("file", "");
    const Answer unwritable =
        bursar({"compare", file, "--vary", "policy.queue=fifo,sjf", "--out", in_the_way + "/out"});
    CHECK(unwritable.code == 1);
    CHECK(has(unwritable.err, in_the_way));
}

TEST_CASE("several mistakes are reported in one pass") {
    Parts parts;
    parts.fleet = "fleet: [{pool: P!, purchase: rented, gpu: X99, nodes: two, price: 1}]\n";
    parts.tail = "until: 5\nuntil: 6 h\n";
    const std::string message = refusal(parts);
    for (const char* part :
         {"pool", "purchase", "gpu", "nodes", "gpus_per_node", "price", "until"}) {
        CHECK(has(message, part));
    }
}

TEST_CASE("jobs that are too large for every pool") {
    Parts parts;
    const std::string trace = good_trace + "2017-10-02 00:02:00,60,64,a\n";
    const std::string message = refusal(parts, trace);
    CHECK(has(message, "t.csv:4: a job of 64 GPUs can never run"));
    CHECK(has(message, "\"p\", has 2 nodes of 8"));
}

TEST_CASE("bad traces") {
    const Parts parts;
    std::string ten_megabytes;
    ten_megabytes.resize(10'000'000, '1');
    CHECK(
        has(refusal(parts, "timestamp,duration,cluster\n2017-10-02 00:00:00,60,a\n"), "num_gpus"));
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,-5,1,a\n"), "t.csv:4:21"));
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,nan,1,a\n"), "t.csv:4:21"));
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,5,0,a\n"), "t.csv:4:23"));
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,5," + ten_megabytes),
              "line longer than"));
    CHECK(has(refusal(parts, ""), "t.csv"));
    // A truncated gzip file: magic and method only.
    const std::string cut{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\xc9\xcc", 13};
    CHECK(has(refusal(parts, cut), "truncated"));
}

TEST_CASE("values past the horizon or larger than any machine are refused where they are read") {
    Parts parts;
    parts.tail = "until: 100000 y\n";
    CHECK(has(refusal(parts), "34.8 years"));
    parts = {};
    parts.fleet =
        "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1000000, gpus_per_node: 1000, "
        "price: 1 USD/gpu-h}]\n";
    CHECK(has(refusal(parts), "1000000000 GPUs in one pool"));
    parts = {};
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,2000000000,1,a\n"),
              "t.csv:4: a job of 1 GPU can never run (it would end more than 34.8 years"));
    CHECK(has(refusal(parts, good_trace + "2017-10-02 00:02:00,60,4294967290,a\n"), "t.csv:4"));
}

TEST_CASE("rows left out are counted and listed by line") {
    const TemporaryFolder folder;
    folder.write("t.csv", good_trace + "2017-10-02 00:02:00,60,64,a\n2017-10-02 00:03:00,-1,1,a\n");
    const Parts parts;
    const std::string file = folder.write(
        "s.yaml",
        parts.head + "workload: {trace: {file: t.csv, format: philly-csv, on_bad_row: skip}}\n" +
            parts.fleet);
    const Answer answer = bursar({"run", file});
    CHECK(answer.code == 0);
    CHECK(has(answer.out, "t.csv:4: a job of 64 GPUs"));
    CHECK(has(answer.out, "t.csv:5:21"));
}

TEST_CASE("an output of a trace command never replaces a device") {
    const Answer answer = bursar({"trace",
                                  "synth",
                                  "--like",
                                  "philly",
                                  "--jobs",
                                  "10",
                                  "--gpus",
                                  "8",
                                  "--out",
                                  "/dev/full"});
    CHECK(answer.code == 1);
    CHECK(has(answer.err, "/dev/full: cannot be written"));
    CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("what a run cannot hold, and parts of different sweeps, are wrong input") {
    const TemporaryFolder folder;
    const Parts parts;
    const std::string jobs = "workload: {jobs: [{name: a, submit: 0 s, duration: 12000 d, gpus: 16}"
                             ", {name: b, submit: 0 s, duration: 12000 d, gpus: 16}]}\n";
    const Answer late = bursar({"run", folder.write("s.yaml", parts.head + jobs + parts.fleet)});
    CHECK(late.code == 2);
    CHECK(has(late.err, "s.yaml: a job would end more than 34.8 years (2^40 ms)"));
    const std::string job = "workload: {jobs: [{name: a, submit: 0 s, duration: 1 h, gpus: 1}]}\n";
    const std::string small = folder.write("t.yaml", parts.head + job + parts.fleet);
    for (const std::string nodes : {"1,2", "1,3"})
        REQUIRE(bursar({"sweep",
                        small,
                        "--vary",
                        "fleet.p.nodes=" + nodes,
                        "--out",
                        folder.file("of " + nodes)})
                    .code == 0);
    const Answer merged = bursar(
        {"merge", folder.file("of 1,2"), folder.file("of 1,3"), "--out", folder.file("merged")});
    CHECK(merged.code == 2);
    CHECK(has(merged.err, "holds another sweep than"));
}

/// Whether a terminal shows `text` as it is: UTF-8 without control characters or direction marks.
bool is_plain(const std::string& text) {
    return terminal_lines(text) == text;
}

TEST_CASE("no byte of an input drives a terminal, and messages are short") {
    const TemporaryFolder folder;
    const std::string raw = "\x1b[31m\xff\u202e";
    const Parts parts;
    const std::string job = "workload: {jobs: [{name: a, submit: 0 s, duration: 1 h, gpus: 1}]}\n";
    const std::string own = folder.write("s" + raw + ".yaml", parts.head + job + parts.fleet);
    const std::string header = "timestamp,duration,num_gpus,cluster,";
    const std::string trace = folder.write(
        "t" + raw + ".csv", header + raw + "\n2017-10-02 00:00:00,60,1,a" + raw + ",0\n");
    const std::string prices = folder.write("p.csv", "time,pri" + raw + "ce\n2024-01-01,1\n");
    const std::string out = folder.file("out");
    const auto check_plain = [&](const std::vector<std::string>& words) {
        const Answer answer = bursar(words);
        CAPTURE(words.front());
        CAPTURE(answer.out);
        CAPTURE(answer.err);
        CHECK(is_plain(answer.out));
        CHECK(is_plain(answer.err));
        CHECK(answer.err.size() < 8000);
    };
    check_plain({"check", own});
    check_plain({"run", own, "--out", out});
    check_plain({"run", "nowhere" + raw});
    check_plain({"report", out, "--format", "prometheus"});
    check_plain({"compare", own, "--vary", "fleet.p.nodes=1,2", "--goal", "cost" + raw + " < 1"});
    check_plain({"compile", own, "-o", folder.file("p" + raw + ".bplan")});
    check_plain({"run", folder.file("p" + raw + ".bplan")});
    check_plain({"trace", "info", trace});
    check_plain({"market", "info", prices});
    check_plain({"market", "info", own});
    check_plain({"catalog", "--catalog", prices});
    check_plain({"report", prices});
    check_plain({"diff", out, prices});
    check_plain({"run", own, "--format", raw});
    check_plain({"run", std::string(50'000, 'x')});
    check_plain({"run", own, "--set", std::string(50'000, 'x') + "=1"});
    CHECK(is_plain(read_file(out + "/bill.txt")));
}

TEST_CASE("an answer that cannot be written is a failure") {
    const TemporaryFolder folder;
    const std::string trace = folder.write("trace.csv", "submit,duration,gpus\n0,60,1\n");
    // some are larger than a buffer of stdio, so that the failing write is not the last one
    for (const std::string arguments : {"catalog",
                                        "model step --model llama-3-8b",
                                        "policies",
                                        "schema",
                                        "run --help",
                                        "trace synth --like philly --jobs 5000 --gpus 100",
                                        "trace convert --to swf ",
                                        "trace convert --to csv "}) {
        CAPTURE(arguments);
        const std::string file = arguments.ends_with(' ') ? "'" + trace + "'" : "";
        for (const char* closed : {">/dev/full", ">&-"}) {
            const int status = std::system( // NOLINT(concurrency-mt-unsafe)
                fmt::format("{} {}{} {} 2>'{}'",
                            program_file(),
                            arguments,
                            file,
                            closed,
                            folder.file("err"))
                    .c_str());
            REQUIRE(WIFEXITED(status));
            CHECK(WEXITSTATUS(status) == 1);
            CHECK(read_file(folder.file("err")) ==
                  "bursar: standard output could not be written\n");
        }
    }
}

TEST_CASE("for a constant that cannot be fitted, the nearest one is suggested") {
    const Answer answer =
        bursar({"model", "calibrate", "steps.csv", "--free", "host_step,gemm_eficiency"});
    CHECK(answer.code == 2);
    CHECK(has(answer.err,
              "--free: no constant is named \"gemm_eficiency\"; did you mean "
              "\"gemm_efficiency\"?"));
}

TEST_CASE("deep nesting, in either style, is refused quickly") {
    const TemporaryFolder folder;
    const Answer flow =
        bursar({"run", folder.write("f.yaml", "bursar: 1\nfleet: " + std::string(1'000'000, '['))});
    CHECK(flow.code == 2);
    CHECK(has(flow.err, "nested too deeply"));
    std::string block = "a:\n";
    for (int depth = 1; depth < 3000; ++depth)
        block += std::string(static_cast<std::size_t>(depth), ' ') + "a:\n";
    const Answer deep = bursar({"run", folder.write("b.yaml", block)});
    CHECK(deep.code == 2);
    CHECK(has(deep.err, "nested too deeply"));
}

TEST_CASE("a NUL in a file name, more experts per token than there are") {
    Parts parts;
    parts.workload = "workload: {trace: {file: \"t.csv\\0.gz\", format: philly-csv}}\n";
    has(refusal(parts), "is not a file name (it holds a NUL)");
    const Answer answer = bursar({"model",
                                  "step",
                                  "--layers",
                                  "2",
                                  "--hidden",
                                  "64",
                                  "--heads",
                                  "2",
                                  "--experts",
                                  "2",
                                  "--experts-per-token",
                                  "5"});
    CHECK(answer.code == 2);
    has(answer.err, "experts-per-token: 5 of 2 experts");
    for (const std::vector<std::string>& experts :
         {std::vector<std::string>{"--experts", "1"}, {"--experts-per-token", "2"}}) {
        std::vector<std::string> own{
            "model", "step", "--layers", "2", "--hidden", "64", "--heads", "2"};
        own.insert(own.end(), experts.begin(), experts.end());
        const Answer refused = bursar(own);
        CHECK(refused.code == 2);
        CHECK(has(refused.err, "--experts"));
    }
}

TEST_CASE("a wrong saved result is a mistake of the input") {
    const TemporaryFolder folder;
    CHECK(bursar({"report", folder.file("nowhere.json")}).code == 2);
    const Answer answer = bursar({"report", folder.write("r.json", "{\"kind\": \"bursar res")});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "r.json"));
    CHECK(answer.err.find("exception") == std::string::npos);
}

TEST_CASE("an output folder that cannot be made is an error, and no file is left") {
    const TemporaryFolder folder;
    const std::string in_the_way = folder.write("file", "");
    const Answer answer = bursar({"demo", "--out", in_the_way + "/out"});
    CHECK(answer.code == 1);
    CHECK(has(answer.err, in_the_way));
    CHECK(read_file(in_the_way).empty());
}

} // namespace bursar::test::bad_input_test
