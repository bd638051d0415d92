// Spellings, places of mistakes, warnings, and characters of a locale.

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::words_test {
namespace {

const std::string trace = "submit,duration,num,gpu_type\n0,3600,1,V100\n10,3600,8,V100\n";

/// A scenario beside its trace; more: appended to it.
std::string written(const TemporaryFolder& folder, const std::string& more = "") {
    folder.write("t.csv", trace);
    return folder.write("s.yaml",
                        "bursar: 1\n"
                        "workload:\n"
                        "  trace: {file: t.csv, columns: {gpus: num}}\n"
                        "fleet:\n"
                        "  - {pool: a, purchase: on-demand, gpu: h100, nodes: 2, gpus_per_node: 8, "
                        "price: 1 USD/gpu-h}\n"
                        "  - {pool: b, purchase: Spot, gpu: H100, nodes: 0, gpus_per_node: 8, "
                        "price: 1 USD/gpu-h}\n" +
                            more);
}

} // namespace

TEST_CASE("a run accepts other spellings, a pool that is off and unused columns") {
    const TemporaryFolder folder;
    const Answer answer = bursar({"run", written(folder)});
    REQUIRE(answer.code == 0);
    has(answer.out, "2 jobs finished");
    has(answer.out, "pool b has 0 nodes and is left out");
    has(answer.out, "jobs may run on any GPU: column gpu_type of the trace is not");
    const Answer same =
        bursar({"run", folder.file("s.yaml"), "--set", "fleet.a.purchase=on_demand"});
    CHECK(same.code == 0);
}

TEST_CASE("a variant switches a pool off") {
    const TemporaryFolder folder;
    const std::string file = written(folder);
    const Answer answer = bursar({"compare", file, "--vary", "fleet.b.nodes=0,4"});
    REQUIRE(answer.code == 0);
    has(answer.out, "+200.0 %  worse"); // 2 nodes, then 6
    const Answer none = bursar({"run", file, "--set", "fleet.a.nodes=0"});
    CHECK(none.code == 2);
    has(none.err, "no pool has nodes (0 leaves a pool out)");
}

TEST_CASE("a measured time past the end of the run is refused") {
    const TemporaryFolder folder;
    const std::string file = written(folder, "measure: {from: 9 d}\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", file},
          {"compare", file, "--vary", "policy.queue=fifo,sjf"}}) {
        const Answer answer = bursar(command);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK(answer.err == folder.file("s.yaml") +
                                ":7:10: measure: nothing is measured (it begins after 9 d, and the "
                                "run ends after 60 min); begin earlier, or give `until`\n");
    }
}

TEST_CASE("a comparison names the variants that count GPUs and those on nodes") {
    const TemporaryFolder folder;
    const std::string file = written(folder);
    const Answer mixed = bursar(
        {"compare", file, "--vary", "policy={preset: tiresias},{queue: fifo}", "--format", "json"});
    REQUIRE(mixed.code == 0);
    has(mixed.out,
        "variants differ in capacity: count, so no fragmentation and no placement, in preset: "
        "tiresias; nodes in queue: fifo");
    const Answer alike = bursar({"compare", file, "--vary", "policy.queue=fifo,sjf"});
    CHECK(alike.out.find("differ in capacity") == std::string::npos);
}

TEST_CASE("a mistake in a trace's options is reported at the option's place") {
    const TemporaryFolder folder;
    const std::string file = written(folder);
    const auto refusal = [&](const std::string& set) {
        const Answer answer = bursar({"run", file, "--set", "workload.trace." + set});
        CHECK(answer.code == 2);
        return answer.err;
    };
    has(refusal("select.tenants=x"), "--set 1: workload.trace.select.tenants: no job is of tenant");
    has(refusal("columns.gpus=GPUs"),
        "--set 1: workload.trace.columns.gpus: \"GPUs\" is no column (columns of");
    has(refusal("start=2020-13-01"), "--set 1: workload.trace.start: \"2020-13-01\" is not a date");
    has(refusal("scale.gpus=1e12"), "--set 1: workload.trace.scale.gpus: scales a gang beyond");
    folder.write("t.csv", "submit,duration,gpus\n2020-01-01,1,1\n");
    folder.write("d.yaml",
                 read_file(file).replace(
                     read_file(file).find("columns: {gpus: num}"), 20, "start: 2020-01-01"));
    has(bursar({"run", folder.file("d.yaml")}).err,
        "d.yaml:3:31: workload.trace.start: this trace has dates");
    const std::string t = folder.file("t.csv");
    has(bursar({"trace", "info", t, "--zone", "X"}).err, "--zone: \"X\" is not a zone");
    has(bursar({"trace", "info", t, "--format", "cvs"}).err, "--format: \"cvs\" is not a trace");
    has(bursar({"trace", "convert", t, "--to", "cvs"}).err, "--to: unknown name \"cvs\"");
}

TEST_CASE("--columns reads lists as --vary does") {
    const TemporaryFolder folder;
    const std::string file = folder.write("t.csv", "when,took,\"n, all\"\n0,1,4\n1,1,4\n");
    const Answer one =
        bursar({"trace", "info", "--columns", "submit=when,duration=took,gpus=\"n, all\"", file});
    CHECK(one.code == 0);
    const Answer several = bursar({"trace",
                                   "info",
                                   file,
                                   "--columns",
                                   "submit=when",
                                   "--columns",
                                   "duration=took,gpus='n, all'"});
    CHECK(several.out == one.out);
    has(one.out, "2 jobs of 1 tenant");
    has(bursar({"trace", "info", file, "--columns", "gpus=n,gpus=m"}).err, "mapped twice");
    has(bursar({"trace", "info", file, "--columns", "gpus=\"n"}).err, "do not match");
}

TEST_CASE("in a locale without UTF-8 output is ASCII, and tables stay aligned") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml",
                                          "bursar: 1\nname: M\u00fcnchen \u2014 \u4e2d\n"
                                          "workload: {jobs: [{name: a, gpus: 1, duration: 1 h}]}\n"
                                          "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, "
                                          "gpus_per_node: 8, price: 1 USD/gpu-h}]\n");
    const auto is_ascii = [](const std::string& text) {
        return std::ranges::all_of(text,
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    };
    const std::vector<std::string> checkpoint{
        "model", "checkpoint", "--gpus", "64", "--params", "7e9"};
    for (const std::vector<std::string>& command : {std::vector<std::string>{"run", file},
                                                    {"check", file},
                                                    checkpoint,
                                                    {"catalog", "carbon"}}) {
        CAPTURE(command[0]);
        const Answer ascii = bursar(command, 0, "C");
        const Answer utf8 = bursar(command);
        CHECK(ascii.code == 0);
        CHECK(is_ascii(ascii.out));
        CHECK(is_ascii(ascii.err));
        CHECK_FALSE(is_ascii(utf8.out));
    }
    has(bursar({"run", file}, 0, "C").out, "M?nchen - ??");
    const Answer wrong = bursar({"run", file, "--set", "policy.queue=f\u00fcfo"}, 0, "C");
    CHECK(wrong.code == 2);
    CHECK(is_ascii(wrong.err));
    // Output for programs does not depend on the locale.
    const std::vector<std::string> markdown{"run", file, "--format", "markdown", "--reproducible"};
    CHECK(bursar(markdown, 0, "C").out == bursar(markdown).out);
    CHECK(bursar({"policies"}, 0, "en_US.utf8").out == bursar({"policies"}).out);
}

TEST_CASE("an endless file is no saved result") {
    const Answer answer = bursar({"report", "/dev/zero"});
    CHECK(answer.code == 2);
    has(answer.err, "/dev/zero: not a saved result: it does not begin as JSON");
}

TEST_CASE("an output replaces no file that a catalogue includes") {
    const TemporaryFolder folder;
    const std::string jobs = folder.write("jobs.csv", "# a catalogue by a strange name\n");
    folder.write("gpus.yaml", "include: [jobs.csv, base.yaml]\n");
    folder.write("base.yaml", read_file(source_file("scenarios/catalog/gpus.yaml")));
    const std::string file = written(folder);
    const Answer answer = bursar(
        {"run", file, "--catalog", folder.file("gpus.yaml"), "--out", folder.path().string()});
    CHECK(answer.code == 2);
    has(answer.err, "jobs.csv: is an input of this command");
    CHECK(read_file(jobs) == "# a catalogue by a strange name\n");
    const std::string profiles = folder.write("p.yaml", "include: out.csv\n");
    folder.write("out.csv", read_file(source_file("scenarios/catalog/profiles.yaml")));
    const Answer synth = bursar({"trace",
                                 "synth",
                                 "--like",
                                 "philly",
                                 "--profiles",
                                 profiles,
                                 "--jobs",
                                 "10",
                                 "--gpus",
                                 "8",
                                 "--out",
                                 folder.file("out.csv")});
    CHECK(synth.code == 2);
    has(synth.err, "out.csv: is an input of this command");
}

TEST_CASE("rows that cannot calibrate are named with file, line and reason") {
    const TemporaryFolder folder;
    std::string rows = "id,gpu,gpus,layers,hidden,heads,vocab,seq,global_batch,tp,step_s\n";
    for (int row = 0; row < 30; ++row)
        rows += "r" + std::to_string(row) + ",A100,8,24,2048,16,51200,2048,64,0,1.5\n";
    const std::string file = folder.write("steps.csv", rows);
    const Answer answer = bursar({"model", "calibrate", file});
    CHECK(answer.code == 2);
    has(answer.err, file + ": 0 usable measured steps are too few to calibrate and test; give ");
    has(answer.err, file + ":2: r0: is not used (tp: 0 is not above zero)");
    has(answer.err, file + ":20: r18: is not used");
    CHECK(answer.err.find("r19") == std::string::npos);
    has(answer.err, "... and 11 more mistakes");
}

TEST_CASE("values at the limits are refused without inf or nan in the message") {
    const TemporaryFolder folder;
    std::string flat = "params,tokens,loss\n";
    for (int run = 0; run < 12; ++run)
        flat += "1e" + std::to_string(run % 6 + 5) + ",2e" + std::to_string(run % 5 + 8) + ",2.5\n";
    const std::string fit = folder.write("flat.csv", flat);
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"checkpoint", "--gpus", "6400", "--params", "7e9", "--restart", "34 y"},
             {"checkpoint",
              "--gpus",
              "64",
              "--params",
              "7e9",
              "--preemptions-per-day",
              "1000000000"},
             {"chinchilla", "--fit", fit},
             {"chinchilla", "--fit", fit, "--flops", "1e21"},
             {"chinchilla", "--fit", fit, "--target-loss", "3"},
             {"chinchilla", "--fit", fit, "--params", "1e9"},
             {"chinchilla", "--flops", "1e-300", "--params", "1e39"},
             {"chinchilla", "--flops", "1e39", "--kn", "1e39", "--a", "10"},
             {"chinchilla", "--flops", "1e-30", "--kn", "1e-39", "--a", "10"}}) {
        std::vector<std::string> arguments{"model"};
        arguments.insert(arguments.end(), command.begin(), command.end());
        const Answer answer = bursar(arguments);
        CAPTURE(answer.err);
        CHECK(answer.code == 2);
        CHECK(answer.err.find("inf") == std::string::npos);
        CHECK(answer.err.find("nan") == std::string::npos);
        CHECK(answer.err.find("Assertion") == std::string::npos);
    }
}

TEST_CASE("no message has a line of hundreds of characters") {
    const TemporaryFolder folder;
    const std::string file = written(folder);
    const std::string header = folder.write(
        "h.csv",
        "a_long_name_of_a_column,another_name_of_a_column,a_third_name_of_a_column,d,e,f\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"catalog", "nothing-like-it"},
          {"trace", "info", header},
          {"trace", "info", header, "--format", "philly-csv"},
          {"policies", "nothing-like-it"},
          {"model", "step", "--gpu", "nothing-like-it"},
          {"model", "step", "--model", "nothing-like-it"},
          {"run", file, "--set", "policy.queue=nothing-like-it"},
          {"run", file, "--set", "fleet.a.gpu=nothing-like-it"},
          {"run", file, "--set", "fleet.a.nothing-like-it=1"}}) {
        const Answer answer = bursar(command);
        CAPTURE(answer.err);
        CHECK(answer.code == 2);
        std::size_t longest = 0;
        std::size_t length = 0;
        for (const char c : answer.err) {
            length = c == '\n' ? 0 : length + 1;
            longest = std::max(longest, length);
        }
        CHECK(longest <= 270);
    }
}

} // namespace bursar::test::words_test
