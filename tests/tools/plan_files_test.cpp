// `bursar compile`: a compiled scenario in a file gives the same answer.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::plan_files_test {
namespace {

const std::string trace = "submit,duration,gpus,user\n0,3600,1,a\n10,3600,8,b\n20,600,2,a\n";
const std::string prices = "time,price\n2026-01-01T00:00:00Z,16\n2026-01-01T00:30:00Z,40\n";

/// A trace, a pool with prices of a file, a pool that comes and goes, and a budget that acts.
std::string written(const TemporaryFolder& folder, const std::string& more = "") {
    folder.write("t.csv", trace);
    folder.write("p.csv", prices);
    return folder.write("s.yaml",
                        "bursar: 1\n"
                        "workload:\n"
                        "  trace: {file: t.csv, start: 2026-01-01T00:00:00Z}\n"
                        "  classes: [{checkpoint: {every: 10 min, save: 5 s}, startup: 30 s}]\n"
                        "fleet:\n"
                        "  - {pool: a, purchase: on-demand, gpu: H100, nodes: 1, gpus_per_node: 8,"
                        " price: {file: p.csv, per: node}}\n"
                        "  - {pool: b, purchase: spot, gpu: V100, nodes: 0..2, gpus_per_node: 4,\n"
                        "     boot: 2 min, idle_timeout: 5 min, price: 1 USD/gpu-h,\n"
                        "     failures: {per_node_day: 0.5, repair: 1 h}}\n"
                        "policy: {queue: {name: las, levels: [1 gpu-h]}}\n" +
                            more);
}

/// Content of the files of a folder, by name.
std::map<std::string, std::string> files_in(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        files[entry.path().filename().string()] = read_file(entry.path());
    return files;
}

/// Compiles with these options, and checks that a run of the plan writes and prints the same as a
/// run of the scenario.
void check_same_run(const std::string& scenario, const std::vector<std::string>& options = {}) {
    CAPTURE(scenario);
    const TemporaryFolder folder;
    const auto call = [&](std::vector<std::string> words, bool with_options) {
        if (with_options)
            words.insert(words.end(), options.begin(), options.end());
        return bursar(words);
    };
    const std::string plan = folder.file("x.bplan");
    const Answer compiled = call({"compile", scenario, "-o", plan}, true);
    CAPTURE(compiled.err);
    REQUIRE(compiled.code == 0);
    CHECK(compiled.out.empty());
    const Answer of_scenario =
        call({"run", scenario, "--reproducible", "--out", folder.file("s")}, true);
    const Answer of_plan = call({"run", plan, "--reproducible", "--out", folder.file("p")}, false);
    CAPTURE(of_plan.err);
    REQUIRE(of_scenario.code == of_plan.code);
    CHECK(of_plan.out == of_scenario.out);
    const auto files = files_in(folder.path() / "s");
    CHECK(files.size() >= 8);
    CHECK(files == files_in(folder.path() / "p"));
}

std::string refusal(const std::vector<std::string>& words) {
    const Answer answer = bursar(words);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(std::ranges::count(answer.err, '\n') == 1);
    return answer.err;
}

/// A plan that was compiled beside its scenario.
std::string compiled(const TemporaryFolder& folder) {
    const std::string plan = folder.file("x.bplan");
    const Answer answer = bursar({"compile", written(folder), "-o", plan});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return plan;
}

} // namespace

TEST_CASE("a plan gives the same bytes as its scenario") {
    const TemporaryFolder folder;
    check_same_run(written(folder));
    check_same_run(written(folder), {"--seed", "7", "--set", "policy.queue=srtf"});
    check_same_run(written(folder, "budgets: [{limit: 20 USD, then: stop-jobs}]\n"));
}

TEST_CASE("plans of the examples give the bytes of their scenarios") {
    for (const char* name : {"train-llms", "failing-cluster", "multi-cloud", "spot", "carbon"})
        check_same_run(source_file(std::string{"scenarios/examples/"} + name + ".yaml"),
                       {"--set", "repeat.seeds=1"});
}

TEST_CASE("equal scenarios give equal plans, others do not") {
    const TemporaryFolder folder;
    const std::string first = read_file(compiled(folder));
    CHECK(first.substr(1, 5) == "BPLAN");
    CHECK(read_file(compiled(folder)) == first);
    const Answer other =
        bursar({"compile", folder.file("s.yaml"), "-o", folder.file("y.bplan"), "--seed", "2"});
    REQUIRE(other.code == 0);
    CHECK(contains(other.err, "3 jobs, seed 2"));
    CHECK(read_file(folder.file("y.bplan")) != first);
}

TEST_CASE("a plan is of one seed, which it names") {
    const TemporaryFolder folder;
    const std::string file = written(folder, "repeat: {seeds: 5}\n");
    const std::string plan = folder.file("x.bplan");
    const Answer answer = bursar({"compile", file, "-o", plan, "--seed", "3"});
    CHECK(answer.code == 0);
    CHECK(contains(answer.err, "seed 3 only (the scenario has 5 seeds; --seed selects one)"));
    CHECK(bursar({"run", plan, "--seed", "3"}).code == 0);
    CHECK(contains(refusal({"run", plan, "--seed", "4"}), "compiled with seed 3"));
}

TEST_CASE("a plan needs no trace, under any name") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder);
    std::filesystem::remove(folder.file("t.csv"));
    std::filesystem::remove(folder.file("s.yaml"));
    std::filesystem::rename(plan, folder.file("plan"));
    CHECK(bursar({"run", folder.file("plan")}).code == 0);
    const Answer check = bursar({"check", folder.file("plan")});
    CHECK(check.code == 0);
    CHECK(contains(check.out, "compiled from " + folder.file("s.yaml") + " by bursar "));
    CHECK(contains(check.out, "3 jobs of 1 tenant, 3 gang sizes"));
    CHECK(contains(check.out, "ok: "));
}

TEST_CASE("options that change the scenario are refused for a plan") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder);
    for (const std::vector<std::string>& option :
         std::vector<std::vector<std::string>>{{"--set", "policy.queue=fifo"},
                                               {"--catalog", "c.yaml"},
                                               {"--stacks", "c.yaml"},
                                               {"--architectures", "c.yaml"}}) {
        const std::string said = refusal({"run", plan, option[0], option[1]});
        CHECK(contains(said, option[0] + " changes a scenario"));
        CHECK(contains(said, "bursar compile"));
    }
}

TEST_CASE("a sweep of a plan equals the sweep of its scenario, and needs no trace") {
    const TemporaryFolder folder;
    const std::string scenario = written(folder, "repeat: {seeds: 3}\n");
    const std::string plan = folder.file("x.bplan");
    REQUIRE(bursar({"compile", scenario, "-o", plan, "--seed", "3"}).code == 0);
    const auto sweep = [&](const std::string& file, const std::vector<std::string>& more) {
        std::vector<std::string> words{
            "sweep", file, "--vary", "policy.queue=fifo,sjf,srtf,smallest", "--format", "csv"};
        words.insert(words.end(), more.begin(), more.end());
        return bursar(words);
    };
    const Answer of_scenario = sweep(scenario, {"--seed", "3", "--seeds", "1"});
    CHECK(of_scenario.code == 0);
    std::filesystem::remove(folder.file("t.csv"));
    std::filesystem::remove(folder.file("s.yaml"));
    const Answer of_plan = sweep(plan, {"--threads", "2"});
    CAPTURE(of_plan.err);
    CHECK(of_plan.code == 0);
    CHECK(of_plan.out == of_scenario.out);
    const Answer dry = bursar({"sweep", plan, "--vary", "policy.queue=fifo,sjf", "--dry-run"});
    CHECK(dry.code == 0);
    CHECK(contains(dry.out, "estimated memory"));
}

TEST_CASE("paths that are compiled into a plan cannot be swept") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder);
    const auto said = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"sweep", plan, "--vary", "policy.queue=fifo,sjf"};
        words.insert(words.end(), more.begin(), more.end());
        const std::string text = refusal(words);
        CHECK(text.starts_with(plan + ": "));
        return text;
    };
    CHECK(contains(said({"--vary", "fleet.a.nodes=1,2"}),
                   "fleet.a.nodes: is compiled into the plan (a sweep of a plan file may vary what "
                   "plans do not hold, as policy.queue); the scenario that it was compiled from"));
    CHECK(contains(said({"--seeds", "2"}), "seeds: is compiled into the plan"));
    CHECK(contains(said({"--vary", "policy.broker=any,owned-first"}), "policy ("));
    CHECK(contains(bursar({"sweep", plan, "--set", "policy.queue=las"}).err,
                   "--set changes a scenario"));
    CHECK(contains(bursar({"sweep", plan, "--vary", "policy.queue=fifo,sjf", "--seed", "4"}).err,
                   "compiled with seed 1"));
}

TEST_CASE("commands that take no plan refuse one") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder);
    CHECK(
        contains(refusal({"compare", plan, "--vary", "policy.queue=fifo,sjf"}), "is a plan file"));
    CHECK(contains(refusal({"compile", plan, "-o", folder.file("y.bplan")}), "is a plan file"));
}

TEST_CASE("a damaged plan is refused, and nothing is written") {
    const TemporaryFolder folder;
    const std::string good = read_file(compiled(folder));
    const auto said_of = [&](const std::string& content) {
        const std::string plan = folder.write("bad.bplan", content);
        const std::string said = refusal({"run", plan, "--out", folder.file("out")});
        CHECK(!std::filesystem::exists(folder.file("out")));
        CHECK(said.starts_with(plan + ": "));
        return said;
    };
    CHECK(contains(said_of(""), "it is empty"));
    CHECK(contains(said_of("bursar: 1\n"), "no plan file"));
    CHECK(contains(said_of(good.substr(0, 5)), "cut short: 5 bytes"));
    CHECK(contains(said_of(good.substr(0, good.size() / 2)), "cut short"));
    std::string other = good;
    other[12] = 9;
    CHECK(contains(said_of(other), "version 9"));
    other = good;
    std::reverse(other.begin() + 8, other.begin() + 12);
    CHECK(contains(said_of(other), "another order of bytes"));
    for (std::size_t at = 64; at < good.size(); at += good.size() / 16) {
        other = good;
        other[at] = static_cast<char>(other[at] ^ 16);
        CHECK(contains(said_of(other), "checksum"));
    }
    CHECK(contains(refusal({"run", folder.file("none.bplan")}), "No such file"));
    CHECK(contains(refusal({"check", folder.write("c.bplan", good.substr(0, 900))}), "cut short"));
}

TEST_CASE("files that the scenario names must be unchanged, or the plan is refused") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder);
    folder.write("p.csv", prices + "2026-01-01T02:00:00Z,9\n");
    CHECK(contains(refusal({"run", plan}), "p.csv, which has changed since it was compiled"));
    std::filesystem::remove(folder.file("p.csv"));
    CHECK(contains(refusal({"run", plan}), "p.csv, which cannot be read (No such file"));
}

TEST_CASE("a plan replaces no input, and is written whole or not at all") {
    const TemporaryFolder folder;
    const std::string file = written(folder);
    for (const char* input : {"s.yaml", "t.csv", "p.csv"}) {
        const std::string before = read_file(folder.file(input));
        (void)refusal({"compile", file, "-o", folder.file(input)});
        CHECK(read_file(folder.file(input)) == before);
    }
    const Answer nowhere = bursar({"compile", file, "-o", folder.file("none/x.bplan")});
    CHECK(nowhere.code == 1);
    CHECK(contains(nowhere.err, "No such file"));
    const std::string old = folder.write("x.bplan", "old");
    const Answer wrong = bursar({"compile", file, "-o", old, "--set", "fleet.a.nodes=-1"});
    CHECK(wrong.code == 2);
    CHECK(read_file(old) == "old");
    const std::string plan = folder.file("jobs.csv"); // the name of a file of `run --out`
    REQUIRE(bursar({"compile", file, "-o", plan}).code == 0);
    (void)refusal({"run", plan, "--out", folder.path().string()});
    CHECK(bursar({"run", plan}).code == 0);
}

} // namespace bursar::test::plan_files_test
