// Right and wrong command lines.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::command_line_test {

TEST_CASE("the command line itself") {
    CHECK(bursar({}).code == 0);
    CHECK(bursar({}).out == bursar({"--help"}).out);
    CHECK(bursar({"help"}).out == bursar({"--help"}).out);
    CHECK(bursar({"help", "run"}).out == bursar({"run", "--help"}).out);
    CHECK(bursar({"help", "catalog", "topology"}).out ==
          bursar({"catalog", "topology", "--help"}).out);
    CHECK(has(bursar({"help", "rn"}).err, "did you mean \"run\"?"));
    CHECK(has(bursar({"run", ""}).err, "SCENARIO: needs a name"));
    CHECK(has(bursar({"--nope"}).err, "unknown option \"--nope\""));
    CHECK(has(bursar({"run", "--"}).err, "SCENARIO is required"));
    CHECK(has(bursar({"model", "--nope"}).err, "unknown option \"--nope\""));
    const Answer unknown = bursar({"rn"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "did you mean \"run\"?"));
    CHECK(bursar({"demo", "--top", "0"}).code == 2);
    CHECK(bursar({"run", "x.yaml", "--seed", "-1"}).code == 2);
    CHECK(bursar({"demo", "--out", ""}).code == 2);
    const Answer answer = bursar({"run", "x.yaml", "--format", "pdf"});
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "--format"));
    CHECK(bursar({"--help"}).code == 0);
    CHECK(has(bursar({"--version"}).out, "bursar "));
    CHECK(bursar({"demo", "--set", "a=b"}).code == 2); // the demo takes no --set
}

TEST_CASE("an option that makes no sense is refused with a specific message") {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"run", "x.yaml", "--seed", "-1"},
         "--seed: \"-1\" is not a whole number from 0 to 9223372036854775807"},
        {{"run", "x.yaml", "--seed", "1.5"}, "--seed: \"1.5\" is not a whole number"},
        {{"demo", "--top", "0"}, "--top: \"0\" is not a whole number from 1 to 1000000000"},
        {{"run", "x.yaml", "--seed", "9223372036854775808"}, "is not a whole number from 0 to"},
        {{"run", "x.yaml", "--seed", "010"}, "--seed: \"010\" is not a whole number from 0 to"},
        {{"run", "x.yaml", "--seed", "0x10"}, "--seed: \"0x10\" is not a whole number from 0 to"},
        {{"trace",
          "synth",
          "--like",
          "pai",
          "--jobs",
          "8",
          "--gpus",
          "8",
          "--seed",
          "18446744073709551615"},
         "--seed: \"18446744073709551615\" is not a whole number from 0 to"},
        {{"model", "chinchilla", "--flops", "nan"}, "--flops: \"nan\" is not a number above 0"},
        {{"model", "chinchilla", "--flops", "inf"}, "--flops: \"inf\" is not a number above 0"},
        {{"model",
          "checkpoint",
          "--gpus",
          "8",
          "--params",
          "1e9",
          "--job-failures-per-day",
          "-nan"},
         "--job-failures-per-day: \"-nan\" is not a number from 0"},
        {{"demo", "--bucket", "1000000000d"}, "\"1000000000d\" is too large"},
        {{"demo", "--bucket", "-1h"}, "\"-1h\" is negative"},
        {{"demo", "--bucket", "0s"}, "\"0s\" is zero"},
        {{"demo", "--bucket", "5"}, "\"5\" has no unit"},
        {{"demo", "--top", "2.5"}, "--top: \"2.5\" is not a whole number"},
        {{"demo", "--out", ""}, "--out: needs a name"},
        {{"demo", "--format", "jso"}, "--format: unknown name \"jso\"; did you mean \"json\"?"},
        {{"demo", "--sort", "costs"}, "--sort: unknown name \"costs\"; did you mean \"cost\"?"},
        {{"demo", "--reproducibl"},
         "unknown option \"--reproducibl\"; did you mean \"--reproducible\"?"},
        {{"demo", "json"}, "\"json\" was not expected"},
        {{"trace", "synth", "--like", "philly", "--gpus", "8", "--jobs", "x"},
         "--jobs: \"x\" is not a whole number"},
        {{"trace", "synth", "--like", "philly", "--jobs", "8", "--gpus", "8", "--seed", "-1"},
         "--seed: \"-1\" is not a whole number from 0 to 9223372036854775807"},
        {{"trace", "synth", "--like", "philly", "--jobs", "8", "--gpus", "8", "--load", "x"},
         "--load: \"x\" is not a number"},
        {{"model", "checkpoint", "--gpus", "8", "--params", "1e9", "--interference", "2"},
         "--interference: \"2\" is not a number from 0 to 1"},
        {{"model", "layout", "--model", "llama-3-8b", "--gpus", "8", "--keep", "0"},
         "--keep: \"0\" is not a whole number from 1 to 100000"},
        {{"catalog", "mdels"}, "no GPU or list is named \"mdels\"; did you mean \"models\"?"}};
    for (const auto& [arguments, words] : cases) {
        const Answer answer = bursar(arguments);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        has(answer.err, words);
    }
}

TEST_CASE("too many intervals for a file are refused, before the run if it has an end") {
    const TemporaryFolder folder;
    const std::string jobs =
        "bursar: 1\nworkload:\n  jobs: [{name: a, gpus: 1, duration: 2000 d}]\n"
        "fleet:\n  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
        "gpus_per_node: 8, price: 1 USD/gpu-h}\n";
    for (const std::string end : {"", "until: 2000 d\n"}) {
        const std::string file = folder.write("years.yaml", jobs + end);
        const Answer answer = bursar({"run", file, "--bucket", "1ms", "--out", folder.file("out")});
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        has(answer.err,
            "--bucket: intervals of 1 ms over 2,000 d make 172,800,000,000 rows of timeline.csv "
            "(at "
            "most 10,000,000 are written); give intervals of 17 s or more");
        CHECK(!std::filesystem::exists(folder.file("out")));
        CHECK(bursar({"run", file, "--bucket", "1ms"}).code == 0); // the file is not written
        CHECK(bursar({"run", file, "--bucket", "1 h", "--format", "timeline"}).code == 0);
    }
}

TEST_CASE("a bucket longer than the run is one average over all of it") {
    const Answer answer = bursar({"demo", "--format", "timeline", "--bucket", "30 y"});
    CHECK(answer.code == 0);
    CHECK(answer.out == bursar({"demo", "--format", "timeline", "--bucket", "10 y"}).out);
    CHECK(answer.out.find(",-") == std::string::npos);
}

TEST_CASE("a path of many thousand steps is refused before it is followed") {
    std::string path = "a";
    for (int step = 0; step < 30'000; ++step)
        path += ".a";
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", "bursar: 1\n");
    for (const std::string& option : {std::string{"--set"}, std::string{"--vary"}}) {
        const Answer answer =
            bursar({"compare", file, option, path + "=1,2", "--vary", "until=1 h,2 h"});
        CHECK(answer.code == 2);
        has(answer.err, "is not a path (a path is like");
    }
}

TEST_CASE("a limit on the size of files is reported, and no file is left") {
    const TemporaryFolder folder;
    const std::string command = "ulimit -f 4; " + program_file() + " demo --out '" +
                                folder.file("out") + "' >/dev/null 2>'" + folder.file("err") + "'";
    const int status = std::system(command.c_str()); // NOLINT(concurrency-mt-unsafe)
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    has(read_file(folder.file("err")), "cannot be written: File too large");
    CHECK(std::filesystem::is_empty(folder.file("out")));
}

TEST_CASE("exit codes are on one page, which the help text names") {
    has(bursar({"--help"}).out, "tools/EXIT_CODES.md");
    const std::string page = read_file(source_file("tools/EXIT_CODES.md"));
    for (const char* row : {"\n| 0 | ", "\n| 1 | ", "\n| 2 | "})
        has(page, row);
}

TEST_CASE("control characters of the command line do not reach the terminal") {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"demo", "--\x1b[31m"},
          std::vector<std::string>{"run", "x.yaml", "--seed"},
          std::vector<std::string>{"demo", "--top", "\x1b[31m"},
          std::vector<std::string>{"demo", "--out", "/dev/null/\x1b[31m"}})
        CHECK(bursar(arguments).err.find('\x1b') == std::string::npos);
}

TEST_CASE("the help text names each value once") {
    const std::string help = bursar({"run", "--help"}).out;
    has(help, "SCENARIO REQUIRED ");
    has(help, "--seed N ");
    has(help, "--top N ");
    has(help, "--sort cost|gpu_hours|name ");
    has(bursar({"compare", "--help"}).out, "--format table|json|csv|markdown|html|result=table\n");
    has(bursar({"trace", "synth", "--help"}).out, "--load X=1 ");
}

} // namespace bursar::test::command_line_test
