// bursar report: renders the files of run, compare and sweep in every format, as they printed them.

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"
#include "tools/sweep/database.hpp"

namespace bursar::test::report_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string drawn = R"(
bursar: 1
name: drawn
workload: {synthetic: {like: philly, jobs: 400, gpus: 32, load: 1.2}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 8, price: 1 USD/gpu-h}]
)";

/// A scenario without randomness, with a pool paid by use.
const std::string listed = R"(
bursar: 1
name: "listed, \"by <hand>\""
until: 10 h
workload:
  jobs:
    - {name: a, gpus: 2, duration: 1 h}
    - {name: b, gpus: 2, duration: 1 h}
fleet: [{pool: p, purchase: on_demand, gpu: V100, nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h}]
)";

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Checks that report prints from `folder` all that `command --out` printed.
void hold_formats(const Words& command,
                  const std::string& folder,
                  const Words& formats,
                  const Words& more = {}) {
    for (const std::string& format : formats) {
        CAPTURE(format);
        const Words as{"--format", format};
        const Answer made = bursar(joined(joined(command, more), joined({"--out", folder}, as)));
        const Answer shown = bursar(joined(joined({"report", folder}, more), as));
        CAPTURE(made.err);
        CAPTURE(shown.err);
        REQUIRE(made.code == 0);
        CHECK(shown.code == 0);
        CHECK((shown.out == made.out));
    }
}

const Words compare_formats{"table", "json", "csv", "markdown", "html", "result"};
const Words sweep_formats{"table", "json", "csv", "markdown", "html"};

/// The message about a wrong option or file.
std::string refused(const Words& words) {
    const Answer answer = bursar(joined({"report"}, words));
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(lines_of(answer.err).size() == 1);
    return answer.err;
}

} // namespace

TEST_CASE("report: a saved comparison prints the output of compare, in every format") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", drawn);
    const Words queues{"compare", file, "--vary", "policy.queue=fifo,sjf,srtf", "--seeds", "3"};
    hold_formats(queues, folder.file("a"), compare_formats);
    hold_formats(joined(queues, {"--goal", "wait.p99 < 500 d", "--metrics", "wait.p99,cost.total"}),
                 folder.file("b"),
                 compare_formats);
    hold_formats(queues, folder.file("c"), {"table", "markdown"}, {"--brief"});
    // The base is the first of the values.
    hold_formats({"compare", file, "--vary", "policy.queue=srtf,fifo", "--seed", "7"},
                 folder.file("d"),
                 compare_formats);
    hold_formats({"compare",
                  folder.write("l.yaml", listed),
                  "--vary",
                  "fleet.p.nodes=2,1",
                  "--labels",
                  "x y,z"},
                 folder.file("e"),
                 compare_formats);
}

TEST_CASE("a result holds its scenario as a text that runs again, and the commit of the program") {
    const TemporaryFolder folder;
    const Words words{"run",
                      folder.write("s.yaml", "include: d.yaml\nuntil: 40 d\n"),
                      "--set",
                      "policy.queue={name: las, by: time}",
                      "--reproducible",
                      "--out"};
    folder.write("d.yaml", drawn);
    REQUIRE(bursar(joined(words, {folder.file("a")})).code == 0);
    const auto result = nlohmann::json::parse(read_file(folder.file("a") + "/result.json"));
    const std::string text = result["run"]["scenario_text"];
    CHECK(contains(text, "until: 40 d\n"));
    CHECK(contains(text, "policy: {queue: {name: las, by: time}}\n"));
    REQUIRE(
        bursar(
            {"run", folder.write("again.yaml", text), "--reproducible", "--out", folder.file("b")})
            .code == 0);
    for (const char* file : {"result.json", "jobs.csv", "bill.txt"})
        CHECK(read_file(folder.file("b") + "/" + file) == read_file(folder.file("a") + "/" + file));
    const std::string version = bursar({"--version"}).out;
    CHECK(version == "bursar " + std::string{result["run"]["version"]} + "\n");
    CHECK(contains(read_file(folder.file("a") + "/report.html"),
                   "simulated by " + version.substr(0, version.size() - 1)));
}

TEST_CASE("report: a saved comparison can be asked new questions") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", drawn);
    const Words compare{"compare", file, "--vary", "fleet.p.nodes=4,6", "--seeds", "2"};
    const Words goal{"--goal", "wait.p90 < 200 d", "--metrics", "wait.p90,cost.total"};
    const Answer anew = bursar(joined(compare, goal));
    REQUIRE(
        bursar(joined(compare, {"--goal", "jct.mean < 500 d", "--out", folder.file("c")})).code ==
        0);
    const std::string saved = folder.file("c") + "/comparison.json";
    CHECK(bursar(joined({"report", saved}, goal)).out == anew.out);
    // The written files are complete: the same ones, except for the variants' folders.
    REQUIRE(bursar(joined({"report", saved, "--out", folder.file("d")}, goal)).code == 0);
    CHECK(bursar({"report", folder.file("d")}).out == anew.out);
    CHECK(fs::exists(folder.path() / "d" / "compare.html"));
    CHECK(has(refused({saved, "--out", folder.file("c")}), "is an input of this command"));
}

TEST_CASE("report: a ranking by the cost to the common end can be undone, and needs a cost") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", drawn);
    for (const Words& command : {Words{"compare", file, "--vary", "fleet.p.nodes=4,6"},
                                 Words{"sweep", file, "--vary", "fleet.p.nodes=4,6"}}) {
        const std::string out = folder.file(command.front());
        const Answer by_own = bursar(command);
        const Answer by_common = bursar(joined(command, {"--common-end", "--out", out}));
        CHECK(by_own.out != by_common.out);
        CHECK(bursar({"report", out}).out == by_common.out);
        CHECK(bursar({"report", out, "--own-end"}).out == by_own.out);
        const Answer both = bursar({"report", out, "--own-end", "--common-end"});
        CHECK(both.code == 2);
        CHECK(has(both.err, "--own-end"));
    }
    const Words of_waits{
        "compare", file, "--vary", "fleet.p.nodes=4,6", "--metrics", "wait.p90", "--common-end"};
    const Answer without_cost = bursar(of_waits);
    CHECK(without_cost.code == 2);
    CHECK(has(without_cost.err, "--common-end: ranks by cost, and neither cost.total nor a goal"));
    CHECK(bursar(joined(of_waits, {"--goal", "wait.p90 < 300 d"})).code == 0);
}

TEST_CASE("report: a saved sweep prints the output of sweep, in every format") {
    const TemporaryFolder folder;
    const Words sweep{"sweep",
                      folder.write("s.yaml", drawn),
                      "--vary",
                      "policy.queue=fifo,sjf",
                      "--vary",
                      "fleet.p.nodes=4..6:1",
                      "--seeds",
                      "2"};
    hold_formats(sweep, folder.file("a"), sweep_formats);
    const Words asked{
        "--goal", "wait.p99 < 500 d", "--metrics", "jct.mean,cost.total,wait.p90", "--best", "2"};
    hold_formats(joined(sweep, asked), folder.file("b"), sweep_formats);
    // The question is stored, and can be replaced, for the folder and for the file under any name.
    fs::copy_file(folder.path() / "a" / "sweep.sqlite", folder.path() / "mine.db");
    CHECK((bursar(joined({"report", folder.file("mine.db")}, asked)).out ==
           bursar({"report", folder.file("b")}).out));
    CHECK(bursar({"report", folder.file("a"), "--best", "1", "--format", "json"}).out !=
          bursar({"report", folder.file("a"), "--format", "json"}).out);
    REQUIRE(bursar({"report", folder.file("a"), "--out", folder.file("out")}).code == 0);
    CHECK((read_file(folder.path() / "out" / "sweep.csv") ==
           read_file(folder.path() / "a" / "sweep.csv")));
}

TEST_CASE("report: a sweep with missing runs is shown, with exit code 4") {
    const TemporaryFolder folder;
    const Words sweep{"sweep",
                      folder.write("s.yaml", drawn),
                      "--vary",
                      "fleet.p.nodes=4..9:1",
                      "--shard",
                      "1/2",
                      "--out",
                      folder.file("a")};
    const Answer made = bursar(sweep);
    REQUIRE(made.code == 0);
    const Answer shown = bursar({"report", folder.file("a")});
    CHECK(shown.code == 4);
    CHECK(shown.out == made.out);
    CHECK(has(shown.err, "3 of 6 runs have no result"));
}

TEST_CASE("report: the folder of a run is its result") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    REQUIRE(bursar({"run", file, "--reproducible", "--out", folder.file("r")}).code == 0);
    CHECK(bursar({"report", folder.file("r")}).out ==
          bursar({"report", folder.file("r") + "/result.json"}).out);
    CHECK(has(refused({folder.file("r"), "--goal", "wait.p99 < 1 h"}),
              "--goal: does not apply to a run"));
}

TEST_CASE("report: several runs are one file for Prometheus, and for nothing else") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    const std::string one = folder.file("1");
    const std::string two = folder.file("2");
    REQUIRE(bursar({"run", file, "--out", one}).code == 0);
    REQUIRE(bursar({"run", file, "--seed", "2", "--out", two}).code == 0);
    const Answer both = bursar({"report", one, two, "--format", "prometheus"});
    CHECK(both.code == 0);
    CHECK(has(both.out, "seed=\"1\"} "));
    CHECK(has(both.out, "seed=\"2\"} "));
    CHECK(has(refused({one, two}), "RESULT: only --format prometheus takes several results"));
    CHECK(has(refused({one, one, "--format", "prometheus"}), "with seed 1, which Prometheus"));
    CHECK(has(refused({one, two, "--format", "prometheus", "--top", "3", "--out", "x"}),
              "--top, --out: cannot be used with several results"));
}

TEST_CASE("report: a folder without saved files, or with several kinds, is refused") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    fs::create_directory(folder.path() / "empty");
    CHECK(has(refused({folder.file("empty")}),
              "has no result.json, comparison.json or sweep.sqlite"));
    const std::string out = folder.file("c");
    REQUIRE(bursar({"compare", file, "--vary", "fleet.p.nodes=1,2", "--out", out}).code == 0);
    REQUIRE(bursar({"run", file, "--out", out}).code == 0);
    CHECK(has(refused({out}), "has result.json and comparison.json; name one of them"));
    CHECK(bursar({"report", out + "/comparison.json"}).code == 0);
    fs::remove(folder.path() / "c" / "result.json");
    fs::remove(folder.path() / "c" / "comparison.json");
    CHECK(has(refused({out}), "has a comparison without its comparison.json"));
}

TEST_CASE("report: for a file made from a saved one, the saved one is named") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    const std::string c = folder.file("c");
    const std::string s = folder.file("s");
    REQUIRE(bursar({"compare", file, "--vary", "fleet.p.nodes=1,2", "--out", c}).code == 0);
    REQUIRE(bursar({"sweep", file, "--vary", "fleet.p.nodes=1,2", "--out", s}).code == 0);
    for (const char* name : {"compare.json", "compare.csv", "compare.html"})
        CHECK(refused({c + "/" + name}) ==
              c + "/" + name + ": is no saved result; the comparison.json beside it is\n");
    CHECK(refused({s + "/sweep.json"}) ==
          s + "/sweep.json: is no saved result; the sweep.sqlite beside it is\n");
    CHECK(has(refused({c + "/none.json"}), "cannot be read: No such file"));
}

TEST_CASE("report: options and formats for runs only are refused for others") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    const std::string c = folder.file("c");
    const std::string s = folder.file("s");
    REQUIRE(bursar({"compare", file, "--vary", "fleet.p.nodes=1,2", "--out", c}).code == 0);
    REQUIRE(bursar({"sweep", file, "--vary", "fleet.p.nodes=1,2", "--out", s}).code == 0);
    CHECK(has(refused({c, "--format", "jobs"}), "has no format jobs; it has table, json, csv,"));
    CHECK(has(refused({s, "--format", "result"}), "has no format result"));
    CHECK(has(refused({c, "--top", "3", "--all"}), "--all, --top: does not apply to a comparison"));
    CHECK(has(refused({c, "--best", "3"}), "--best: does not apply to a comparison"));
    CHECK(has(refused({s, "--brief"}), "--brief: does not apply to a sweep"));
    CHECK(has(refused({s, "--goal", "cost.totl < 1"}), "did you mean \"cost.total\"?"));
}

TEST_CASE("report: files that are truncated, changed or of another version are refused") {
    const TemporaryFolder folder;
    const std::string file = folder.write("l.yaml", listed);
    const std::string c = folder.file("c");
    const std::string s = folder.file("s");
    REQUIRE(bursar({"compare", file, "--vary", "fleet.p.nodes=1,2", "--out", c}).code == 0);
    REQUIRE(bursar({"sweep", file, "--vary", "fleet.p.nodes=1,2", "--out", s}).code == 0);
    const std::string comparison = read_file(fs::path{c} / "comparison.json");
    CHECK(has(refused({folder.write("cut.json", comparison.substr(0, comparison.size() / 2))}),
              "cut.json: not a saved result, or truncated"));
    const std::string database = read_file(fs::path{s} / "sweep.sqlite");
    CHECK(has(refused({folder.write("cut.sqlite", database.substr(0, database.size() / 2))}),
              "cut.sqlite: is no database, or a damaged one"));
    const auto with = [&](const char* name, const char* statement) {
        const std::string copy = folder.write(name, database);
        Database{copy}.run(statement);
        return copy;
    };
    CHECK(has(refused({with("a.sqlite", "ALTER TABLE runs DROP COLUMN \"cost.total\"")}),
              "swept it, which did not know cost.total; sweep again, or use that version"));
    CHECK(has(refused({with("b.sqlite", "UPDATE about SET value = 9 WHERE name = 'format'")}),
              "its tables are of format 9"));
    CHECK(has(refused({with("c.sqlite", "DROP TABLE about")}), "of no sweep of bursar"));
    CHECK(has(refused({with("d.sqlite", "UPDATE about SET value = '3 9' WHERE name = 'axes'")}),
              "a row of its table about has another hash than its cells"));
    CHECK(has(refused({folder.file("nowhere")}), "cannot be read: No such file"));
}

} // namespace bursar::test::report_test
