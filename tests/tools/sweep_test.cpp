#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::sweep_test {
namespace {

/// 60 small runs, each with a different plan.
const std::string small = "bursar: 1\n"
                          "name: small\n"
                          "workload: {synthetic: {like: philly, jobs: 300, gpus: 64}}\n"
                          "fleet:\n"
                          "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, "
                          "gpus_per_node: 8, price: 1 USD/gpu-h}\n"
                          "sweep:\n"
                          "  policy.queue: [fifo, sjf]\n"
                          "  fleet.p.nodes: 6..15:1\n"
                          "  seeds: 3\n";

std::vector<std::string> sweep(const std::string& scenario, std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", scenario});
    return more;
}

} // namespace

TEST_CASE("sweep: the best, the front, and effects of axes, in every format") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const Answer table = bursar(sweep(scenario, {"--out", folder.file("out")}));
    CAPTURE(table.err);
    REQUIRE(table.code == 0);
    for (const char* text : {"least cost.total: ", "largest effect: ", "front: ", "nodes", "fifo"})
        CHECK(table.out.find(text) != std::string::npos);
    for (const char* file : {"sweep.sqlite", "sweep.csv", "sweep.json", "sweep.txt"})
        CHECK(std::filesystem::exists(folder.path() / "out" / file));
    const Answer csv = bursar(sweep(scenario, {"--format", "csv", "--threads", "2"}));
    CHECK(csv.out == read_file(folder.path() / "out" / "sweep.csv"));
    const auto json = nlohmann::json::parse(
        bursar(sweep(scenario, {"--format", "json", "--best", "2", "--goal", "wait.p99 < 1000 d"}))
            .out);
    CHECK(json.at("best").size() == 2);
    CHECK(json.at("best")[0].at("cost.total") <= json.at("best")[1].at("cost.total"));
    CHECK(json.at("axes").size() == 2);
    CHECK(json.at("goal").at("met_value") > 0);
    CHECK(json.at("goal").at("met_seeds") == "3 of 3");
    const Answer none = bursar(sweep(scenario, {"--goal", "wait.p99 < 0 s"}));
    CHECK(none.code == 3);
    CHECK(none.out.find("no option meets wait.p99 < 0 s in 0.9 of the seeds") < 100);
    CHECK(none.err.ends_with("goal: no option meets wait.p99 < 0 s in 0.9 of the seeds\n"));
    CHECK(bursar(sweep(scenario, {"--format", "markdown"})).out.find("| scenario |") !=
          std::string::npos);
}

TEST_CASE("sweep: killed at any moment it continues where it stopped") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const std::string larger = "workload.synthetic.jobs=100000"; // a second of one core
    const std::string whole = bursar(sweep(scenario, {"--format", "csv", "--set", larger})).out;
    const std::string out = folder.file("out");
    int num_killed = 0;
    for (int kill = 0; kill < 20; ++kill) {
        const std::string command =
            fmt::format("timeout -s KILL 0.{:03} {} sweep {} --set {} --out {} >{} 2>&1",
                        30 + 10 * kill,
                        program_file(),
                        scenario,
                        larger,
                        out,
                        folder.file("log"));
        num_killed += std::system(command.c_str()) != 0 ? 1 : 0; // NOLINT(concurrency-mt-unsafe)
    }
    CHECK(num_killed >= 3); // the others had finished
    const Answer last = bursar(sweep(scenario, {"--format", "csv", "--set", larger, "--out", out}));
    CAPTURE(last.err);
    CHECK(last.code == 0);
    CHECK(last.out == whole);
    CHECK(read_file(folder.path() / "out" / "sweep.csv") == whole);
}

TEST_CASE("sweep: parts, their status, and their merge") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const auto part = [&](const char* shard, const char* name) {
        return bursar(sweep(scenario, {"--shard", shard, "--out", folder.file(name)}));
    };
    CHECK(part("1/2", "a").code == 0);
    const Answer half = bursar({"sweep", "--status", folder.file("a")});
    CHECK(half.code == 4);
    CHECK(half.out.find("missing") != std::string::npos);
    const Answer early = bursar({"merge", folder.file("a"), "--out", folder.file("m")});
    CHECK(early.code == 4);
    CHECK(part("2/2", "b").code == 0);
    const Answer merged = bursar({"merge",
                                  folder.file("b"),
                                  folder.file("a"),
                                  "--out",
                                  folder.file("m"),
                                  "--format",
                                  "csv"});
    CHECK(merged.code == 0);
    CHECK(merged.out == bursar(sweep(scenario, {"--format", "csv"})).out);
    CHECK(bursar({"sweep", "--status", folder.file("m")}).code == 0);
    const Answer into_first = bursar({"merge",
                                      folder.file("a"),
                                      folder.file("b"),
                                      "--out",
                                      folder.file("a"),
                                      "--format",
                                      "csv"});
    CHECK(into_first.out == merged.out);
}

TEST_CASE("sweep: more values and seeds in the same folder run only the new ones") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const std::vector<std::string> to{"--format", "csv", "--out", folder.file("out")};
    REQUIRE(bursar(sweep(scenario, to)).code == 0);
    const std::string more = small.substr(0, small.find("6..15:1")) + "5..16:1\n  seeds: 4\n";
    folder.write("s.yaml", more);
    const Answer answer = bursar(sweep(scenario, to));
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    CHECK(answer.err.find("continues a sweep of 60 runs, which now has 96") != std::string::npos);
    CHECK(answer.out == bursar(sweep(scenario, {"--format", "csv"})).out);
}

TEST_CASE("sweep: runs of a trace that may have changed are not continued") {
    const TemporaryFolder folder;
    const auto sweep_of = [&](const std::string& place, const char* queues) {
        std::filesystem::create_directories(folder.path() / place);
        folder.write(place + "/t.csv", "submit,duration,gpus\n0,100,1\n0,50,1\n");
        const std::string scenario = folder.write(
            place + "/s.yaml",
            "bursar: 1\nname: small\nworkload: {trace: {file: t.csv, format: csv}}\nfleet:\n"
            "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1, "
            "price: 1 USD/gpu-h}\n");
        return bursar(
            sweep(scenario,
                  {"--vary", std::string{"policy.queue="} + queues, "--out", folder.file("out")}));
    };
    const Answer first = sweep_of("here", "fifo,sjf");
    CAPTURE(first.err);
    REQUIRE(first.code == 0);
    CHECK(sweep_of("here", "fifo,sjf,srtf").code == 0);
    CHECK(sweep_of("there", "fifo,sjf,srtf,las").code != 0); // the trace of the first is not known
}

TEST_CASE("sweep: mistakes of the command line") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const auto told = [&](const std::vector<std::string>& more) {
        const Answer answer = bursar(sweep(scenario, more));
        CHECK(answer.code == 2);
        return answer.err;
    };
    CHECK(told({"--shard", "3/2"}) == "--shard: part 3 of 2: parts are 1 to 2\n");
    CHECK(told({"--shard", "0/2"}) == "--shard: part 0 of 2: parts are 1 to 2\n");
    CHECK(told({"--shard", "two"}).find("is not I/N or auto/N") != std::string::npos);
    CHECK(told({"--metrics", "cost.totl"}).find("did you mean \"cost.total\"?") !=
          std::string::npos);
    CHECK(told({"--goal", "wait.p99 < 1"}).find("with a unit of time") != std::string::npos);
    CHECK(
        told({"--max-scenarios", "10"}).find("20 scenarios with 3 seeds each (at most 10 runs)") !=
        std::string::npos);
    CHECK(told({"--vary", "workload.synthetic.seed=1,1001"})
              .find("workload.synthetic.seed: 1001 would have no effect (scenarios are compared on "
                    "equal seeds") != std::string::npos);
    CHECK(told({"--vary", "repeat.seeds=1,2"}).find("repeat.seeds: 2 would have no effect (") !=
          std::string::npos);
    for (const char* values : {"sweep.seeds=1,2", "sweep={seeds: 1},{seeds: 2}"})
        CHECK(told({"--vary", values}).find("would have no effect (`sweep` is no part of what") !=
              std::string::npos);
    const Answer none = bursar({"sweep", "--status", folder.file("nowhere")});
    CHECK(none.code == 2);
    CHECK(none.err.find("no sweep is in this folder") != std::string::npos);
}

TEST_CASE("sweep: a dry run counts, and estimates from one run") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const Answer answer = bursar(sweep(scenario, {"--dry-run"}));
    CHECK(answer.code == 0);
    for (const char* text : {"scenarios", "20", "60", "estimated time", "estimated memory"})
        CHECK(answer.out.find(text) != std::string::npos);
}

TEST_CASE("sweep: a dry run estimates from a run that can be made") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", small);
    const auto dry_run = [&](const char* nodes) {
        return bursar(sweep(scenario,
                            {"--dry-run",
                             "--set",
                             "fleet.p.gpus_per_node=1",
                             "--vary",
                             fmt::format("fleet.p.nodes={}", nodes)}));
    };
    const Answer some = dry_run("1,64"); // a gang of 2 GPUs or more does not fit on one
    CHECK(some.code == 0);
    CHECK(some.out.find("estimated memory") != std::string::npos);
    const Answer none = dry_run("1");
    CHECK(none.code == 0);
    CHECK(none.out.find("no run of this shard can be made") != std::string::npos);
}

} // namespace bursar::test::sweep_test
