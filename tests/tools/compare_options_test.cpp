// Options of bursar compare: metrics, a line per variant, a goal, labels, and all files.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::compare_options_test {
namespace {

namespace fs = std::filesystem;

/// Four jobs of an hour at once: on one node of two GPUs they wait up to 3 h, on two up to 1 h.
const std::string nodes = R"(
bursar: 1
name: four jobs
until: 10 h
workload:
  jobs:
    - {name: a, gpus: 2, duration: 1 h}
    - {name: b, gpus: 2, duration: 1 h}
    - {name: c, gpus: 2, duration: 1 h}
    - {name: d, gpus: 2, duration: 1 h}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h}]
)";

/// The jobs of t.csv on one node of four GPUs.
const std::string replayed = R"(
bursar: 1
workload: {trace: {file: t.csv}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 4, price: 1 USD/gpu-h}]
)";

class Compared {
  public:
    Answer operator()(std::vector<std::string> more) const {
        more.insert(more.begin(), {"compare", scenario_, "--vary", "fleet.p.nodes=1..4:1"});
        return bursar(more);
    }
    [[nodiscard]] std::string refused(const std::vector<std::string>& more) const {
        const Answer answer = (*this)(more);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        return answer.err;
    }
    [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
    [[nodiscard]] const std::string& scenario() const { return scenario_; }

  private:
    TemporaryFolder folder_;
    std::string scenario_{folder_.write("s.yaml", nodes)};
};

} // namespace

TEST_CASE("compare: a line per variant, and the cheapest one that meets a goal") {
    const Compared compared;
    const Answer answer = compared({"--brief", "--goal", "wait.p99 <= 1 h"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    CHECK(has(answer.out, "  1  20.00             90 min                3 h\n"));
    CHECK(has(answer.out, "  2  40.00   +20.00 -  30 min  -60 min +  60 min  -118 min +\n"));
    CHECK(
        has(answer.out, "goal: wait.p99 <= 1 h\n  the best option that meets it             2\n"));
    CHECK(has(answer.out, "  the next cheaper option, which misses it  1\n"));
    const auto json = nlohmann::json::parse(
        compared(
            {"--goal", "wait.p99 < 1 s", "--metrics", "wait.p99,cost.total", "--format", "json"})
            .out);
    CHECK(json["goal"]["met"] == "4");
    CHECK(json["goal"]["missed"] == "3");
    CHECK(json["variants"][0]["metrics"].size() == 2);
    CHECK(answer.out.find("goal: ") < answer.out.find("nothing is random")); // it comes first
    CHECK(has(answer.out, "  neighbours that miss it                   nodes 1\n"));
    CHECK(json["goal"]["axis_end"] == "nodes 4 is the largest value");
    const Answer none = compared({"--goal", "wait.p99 < 0 s"});
    CHECK(none.code == 3);
    CHECK(none.err == "goal: no option meets wait.p99 < 0 s\n");
    CHECK(has(none.out, "  the best option that meets it     none\n"));
}

TEST_CASE("compare: a goal is judged seed by seed, and so it is in a report") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\nworkload: {synthetic: {like: philly, jobs: 200, gpus: 32, load: 0.8}}\n"
        "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 8, "
        "price: 1 USD/gpu-h}]\n");
    const std::string out = folder.file("out");
    const auto asked = [&](std::vector<std::string> words) {
        words.insert(words.begin(),
                     {"compare", scenario, "--vary", "fleet.p.nodes=4..8:1", "--seeds", "10"});
        return bursar(words);
    };
    const auto csv = asked({"--format", "result", "--out", out});
    REQUIRE(csv.code == 0);
    const auto saved = nlohmann::json::parse(read_file(folder.path() / "out" / "comparison.json"));
    std::size_t place = 0;
    while (saved["scalars"][place] != "metrics.wait_s.p99")
        ++place;
    const auto kept = [&](std::size_t variant, double limit) {
        std::size_t seeds = 0;
        for (const auto& run : saved["variants"][variant]["runs"])
            seeds += run["values"][place].get<double>() < limit ? 1 : 0;
        return seeds;
    };
    const Answer all = bursar({"report", out, "--goal", "wait.p99 < 100 d in 1"});
    CHECK(all.code == 0);
    CHECK(has(all.out, "10 of 10"));
    const Answer answer =
        bursar({"report", out, "--goal", "wait.p99 < 2 h in 0.5", "--format", "json"});
    const auto goal = nlohmann::json::parse(answer.out)["goal"];
    for (std::size_t i = 0; i < 5; ++i) { // the fewest nodes cost the least
        if (kept(i, 7200) < 5)
            continue;
        CHECK(goal["met"] == std::to_string(4 + i));
        CHECK(goal["met_seeds"] == std::to_string(kept(i, 7200)) + " of 10");
        break;
    }
    CHECK(bursar({"report", out, "--goal", "wait.p99 < 0 s"}).code == 3);
}

TEST_CASE("compare: mistakes of options are reported before any run") {
    const Compared compared;
    CHECK(compared.refused({"--metrics", "wait.p98"}) ==
          "--metrics: \"wait.p98\" is no metric; did you mean \"wait.p90\" or \"wait.p99\"?\n");
    CHECK(compared.refused({"--metrics", "wait.p99,metrics.wait_s.p99"}) ==
          "--metrics: \"metrics.wait_s.p99\" comes twice\n");
    CHECK(has(compared.refused({"--goal", "cost.totl < 1"}), "did you mean \"cost.total\"?"));
    CHECK(has(compared.refused({"--goal", "wait.p99 < 1"}), "with a unit of time, such as 1 h"));
    CHECK(has(compared.refused({"--labels", "a,b"}), "--labels: 2 labels for 4 variants"));
    CHECK(has(compared.refused({"--labels", "a,b,a,c"}), "--labels: \"a\" comes twice"));
}

TEST_CASE("compare: days of a trace are drawn with replacement") {
    const TemporaryFolder folder;
    std::string trace = "submit,duration,gpus\n";
    for (int d = 0; d < 8; ++d)
        for (int job = 0; job < 3 + 3 * (d % 2); ++job)
            trace += std::to_string(86400 * d + 60 * job) + "," + std::to_string(3600 * (job + 1)) +
                     ",2\n";
    folder.write("t.csv", trace);
    const std::string scenario = folder.write("s.yaml", replayed);
    const auto compare = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"compare", scenario, "--vary", "policy.queue=fifo,sjf"});
        return bursar(more);
    };
    const Answer whole = compare({});
    REQUIRE(whole.code == 0);
    CHECK(has(whole.out, "nothing is random"));
    const Answer drawn = compare({"--resample", "50", "--format", "json"});
    CAPTURE(drawn.err);
    REQUIRE(drawn.code == 0);
    const auto json = nlohmann::json::parse(drawn.out);
    CHECK(json["run"]["seeds"] == 50);
    CHECK(json["run"]["resampled"] == true);
    const Answer again =
        compare({"--seeds", "50", "--set", "workload.trace.resample=1 d", "--format", "json"});
    CHECK(again.out == drawn.out);
    CHECK(compare({"--resample", "50", "--out", folder.file("o")}).code == 0);
    const Answer table = bursar({"report", folder.file("o/comparison.json")});
    CAPTURE(table.out);
    REQUIRE(table.code == 0);
    CHECK(has(table.out, "each seed draws its jobs out of the trace's own"));
    CHECK(has(table.out, "blocks of the trace"));
    CHECK(has(table.out, "each seed draws 8 blocks of 1 d"));
    const Answer halves = compare({"--resample", "40", "--set", "workload.trace.resample=12 h"});
    CHECK(has(halves.out, "each seed draws 15 blocks of 0.5 d"));
    const Answer few = compare({"--resample", "40", "--set", "workload.trace.resample=7 d"});
    CHECK(few.code == 2);
    CHECK(has(few.err,
              "workload.trace.resample: the selected jobs are submitted in 2 blocks of 7 d"));
    CHECK(compare({"--resample", "40", "--seeds", "40"}).code == 2);
    CHECK(compare({"--resample", "39"}).code == 2);
    CHECK(json["variants"][0]["metrics"]["metrics.wait_s.mean"]["ci95_low"].is_null());
    const Answer swept = bursar({"sweep",
                                 scenario,
                                 "--vary",
                                 "policy.queue=fifo,sjf",
                                 "--set",
                                 "workload.trace.resample=1 d",
                                 "--seeds",
                                 "5"});
    CHECK(swept.code == 2);
    CHECK(has(swept.err, "a sweep has no intervals over draws of one trace"));
    const Answer listed = bursar({"compare",
                                  folder.write("l.yaml", nodes),
                                  "--vary",
                                  "fleet.p.nodes=1,2",
                                  "--resample",
                                  "40"});
    CHECK(listed.code == 2);
    CHECK(has(listed.err, "--resample: workload: has no trace to draw from"));
}

TEST_CASE("compare: days that are all alike leave no doubt") {
    const TemporaryFolder folder;
    std::string trace = "submit,duration,gpus\n";
    for (int d = 0; d < 6; ++d)
        for (int job = 0; job < 5; ++job)
            trace += std::to_string(86400 * d) + "," + std::to_string(3600 * (5 - job)) + ",4\n";
    folder.write("t.csv", trace);
    const std::string scenario = folder.write("s.yaml", replayed);
    const Answer answer = bursar({"compare",
                                  scenario,
                                  "--vary",
                                  "policy.queue=fifo,sjf",
                                  "--resample",
                                  "40",
                                  "--format",
                                  "json"});
    REQUIRE(answer.code == 0);
    const auto json = nlohmann::json::parse(answer.out);
    const auto& wait = json["variants"][1]["metrics"]["metrics.wait_s.mean"];
    CAPTURE(json["variants"][1].dump().substr(0, 400));
    CHECK(wait["difference"]["ci95_low"] == wait["difference"]["mean"]);
    CHECK(wait["difference"]["ci95_high"] == wait["difference"]["mean"]);
    CHECK(wait["difference"]["verdict"] == "better");
}

TEST_CASE("compare: a seed that no variant would be run with is refused") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\nworkload: {synthetic: {like: philly, jobs: 300, gpus: 64, seed: 7}}\n"
        "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 8, gpus_per_node: 8, "
        "price: 1 USD/gpu-h}]\n");
    const auto told = [&](const std::string& values) {
        const Answer answer = bursar({"compare", scenario, "--vary", values, "--seeds", "1"});
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        return answer.err;
    };
    const std::string refused =
        "workload.synthetic.seed: 1001 would have no effect (scenarios are compared on equal "
        "seeds, "
        "those of the first); `--seeds N` for several seeds, `--seed N` for another first one\n";
    CHECK(has(told("workload.synthetic.seed=7,1001"), refused));
    CHECK(has(told("workload.synthetic.seed=7,1001,9"), "9 would have no effect"));
    CHECK(has(told("workload={synthetic: {like: philly, jobs: 300, gpus: 64, seed: 7}},"
                   "{synthetic: {like: philly, jobs: 300, gpus: 64, seed: 1001}}"),
              refused));
    // A written 1 is refused, too, though it is the default.
    CHECK(has(told("workload.synthetic.seed=7,1"), "workload.synthetic.seed: 1 would have no"));
    CHECK(has(told("repeat.seeds=1,5"), "repeat.seeds: 5 would have no effect (scenarios are"));
    CHECK(has(told("repeat={seeds: 2},{seeds: 1}"), "repeat.seeds: 1 would have no effect"));
    CHECK(has(told("sweep.seeds=1,2"), "sweep.seeds: would have no effect (`sweep` is no part"));
    const std::string wrong = told("workload.synthetic.seed=x,5,6"); // the base is unknown
    CHECK(has(wrong, "\"x\""));
    CHECK(wrong.find("no effect") == std::string::npos);
    const Answer unsaid = bursar({"compare",
                                  scenario,
                                  "--seeds",
                                  "1",
                                  "--vary",
                                  "workload={synthetic: {like: philly, jobs: 300, gpus: 64}},"
                                  "{synthetic: {like: philly, jobs: 200, gpus: 64}}"});
    CHECK(unsaid.code == 0);
}

TEST_CASE("compare: labels name the variants in every format, and their folders") {
    const Compared compared;
    const std::string out = compared.folder().file("out");
    const Answer answer = compared({"--labels", "now,'two, owned',three,four", "--out", out});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    for (const char* file : {"compare.txt", "compare.csv", "compare.md", "compare.json"}) {
        CAPTURE(file);
        CHECK(has(read_file(fs::path{out} / file), "two, owned"));
    }
    const auto json = nlohmann::json::parse(read_file(fs::path{out} / "compare.json"));
    CHECK(json["base"] == "now");
    CHECK(json["variants"][1]["folder"] == "two-owned");
    CHECK(json["variants"][1]["settings"]["fleet.p.nodes"] == "2");
    for (const auto& variant : json["variants"])
        CHECK(fs::exists(fs::path{out} / variant["folder"].get<std::string>() / "result.json"));
}

TEST_CASE("compare: a variant's folder has the files of a run") {
    const Compared compared;
    const TemporaryFolder& folder = compared.folder();
    REQUIRE(compared({"--out", folder.file("out")}).code == 0);
    REQUIRE(bursar({"run",
                    compared.scenario(),
                    "--set",
                    "fleet.p.nodes=3",
                    "--reproducible",
                    "--out",
                    folder.file("run")})
                .code == 0);
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder.file("run")}) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        CHECK((read_file(entry.path()) == read_file(folder.path() / "out" / "3" / name)));
        ++files;
    }
    CHECK(files == 11);
    REQUIRE(compared({"--out", folder.file("out")}).code == 0); // and may overwrite its own files
}

TEST_CASE("compare: changes of jobs agree with the variants' files") {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "s.yaml",
        "bursar: 1\n"
        "workload: {synthetic: {like: philly, jobs: 500, gpus: 32, load: 1.2}}\n"
        "until: 5 d\n"
        "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 8, price: 1 "
        "USD/gpu-h}]\n");
    const std::string out = folder.file("out");
    REQUIRE(
        bursar({"compare", file, "--vary", "policy.queue=fifo,srtf", "--seeds", "2", "--out", out})
            .code == 0);
    const auto base = read_plain_csv(read_file(fs::path{out} / "fifo" / "jobs.csv"));
    const auto variant = read_plain_csv(read_file(fs::path{out} / "srtf" / "jobs.csv"));
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < base.size(); ++i) {
        const std::string was = base[i].at("jct_s");
        const std::string is = variant[i].at("jct_s");
        REQUIRE(base[i].at("job_id") == variant[i].at("job_id"));
        if (base[i].at("final_state") == "not_submitted") // its run ends earlier
            continue;
        if (was.empty() || is.empty())
            ++counts[was.empty() ? is.empty() ? "finished_in_neither" : "finished_in_variant_alone"
                                 : "finished_in_base_alone"];
        else
            ++counts[was == is ? "equal" : std::stod(is) < std::stod(was) ? "gained" : "lost"];
    }
    const auto json = nlohmann::json::parse(read_file(fs::path{out} / "compare.json"));
    const auto& jobs = json["variants"][1]["jobs"];
    CHECK(counts["gained"] > 0);
    CHECK(counts["finished_in_variant_alone"] > 0);
    for (const auto& [name, count] : counts) {
        CAPTURE(name);
        CHECK(jobs[name] == count);
    }
}

TEST_CASE("compare: --files and --compress apply to the folders of the variants") {
    const Compared compared;
    const std::string out = compared.folder().file("out");
    const auto names = [&](const char* variant) {
        std::string found;
        for (const char* name :
             {"jobs.csv", "jobs.csv.gz", "jobs.csv.zst", "bill.txt", "result.json"})
            if (fs::exists(fs::path{out} / variant / name))
                found += (found.empty() ? "" : " ") + std::string{name};
        return found;
    };
    const auto write = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--out", out});
        const Answer answer = compared(more);
        CAPTURE(answer.err);
        CHECK(answer.code == 0);
    };
    write({"--files", "jobs,table", "--gzip"});
    CHECK(names("1") == "jobs.csv.gz bill.txt");
    CHECK(names("4") == "jobs.csv.gz bill.txt");
    CHECK(fs::exists(fs::path{out} / "compare.csv"));
    write({"--files", "jobs", "--compress", "zstd"});
    CHECK(names("2") == "jobs.csv.zst");
    // They are recognised and rendered without result.json.
    CHECK(has(compared({"--out", out, "--labels", "a,b,c,d"}).err,
              "has the folder of a run that is not compared, 1"));
    CHECK(bursar({"report", out}).out == compared({}).out);
    write({});
    CHECK(names("3") == "jobs.csv bill.txt result.json");
    CHECK(has(compared.refused({"--files", "jbs", "--out", out}), "did you mean \"jobs\"?"));
    CHECK(has(compared.refused({"--gzip"}), "--gzip requires --out"));
    CHECK(has(compared.refused({"--gzip", "--compress", "zstd", "--out", out}),
              "--compress excludes --gzip"));
    CHECK(has(compared.refused({"--compress", "zst", "--out", out}), "did you mean \"zstd\"?"));
}

TEST_CASE("compare: a folder with other files is refused before any run") {
    const Compared compared;
    const TemporaryFolder& folder = compared.folder();
    const std::string out = folder.file("out");
    REQUIRE(compared({"--out", out, "--labels", "a,b,c,d"}).code == 0);
    const Answer other = compared({"--out", out});
    CHECK(other.code == 1);
    CHECK(other.err ==
          out + ": has the folder of a run that is not compared, a; give a folder of its own\n");
    CHECK(!fs::exists(fs::path{out} / "1"));
    folder.write("out/c/notes.txt", "mine");
    const Answer notes = compared({"--out", out, "--labels", "a,b,c,d"});
    CHECK(notes.code == 1);
    CHECK(notes.err ==
          out + "/c: has notes.txt, which is no output of a run; give a folder of its own\n");
    folder.write("taken", "a file");
    CHECK(has(compared({"--out", folder.file("taken")}).err, "Not a directory"));
}

} // namespace bursar::test::compare_options_test
