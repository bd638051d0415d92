// The files of a run, read by a program.

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "sim/ledger/leaf.hpp"

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::outputs_test {
namespace {

const std::vector<std::string> files{"summary.json",
                                     "jobs.csv",
                                     "gpu_hours.csv",
                                     "timeline.csv",
                                     "periods.csv",
                                     "tenants.csv",
                                     "result.json",
                                     "bill.md",
                                     "report.html",
                                     "bill.txt"};

/// Millionths of a decimal with up to 6 places; exact.
std::int64_t micro(const std::string& decimal) {
    const std::size_t dot = decimal.find('.');
    std::string digits = decimal.substr(0, dot);
    std::string places = dot == std::string::npos ? "" : decimal.substr(dot + 1);
    places.resize(6, '0');
    return std::stoll(digits + places);
}

} // namespace

TEST_CASE("equal runs write equal bytes, and a saved result renders the same again") {
    const TemporaryFolder folder;
    for (const char* name : {"a", "b"}) {
        REQUIRE(bursar({"demo", "--reproducible", "--out", folder.file(name)}).code == 0);
    }
    const Answer again = bursar(
        {"report", folder.file("a/result.json"), "--reproducible", "--out", folder.file("c")});
    REQUIRE(again.code == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "a" / "focus.csv")); // not requested
    for (const std::string& name : files) {
        CAPTURE(name);
        const std::string first = read_file(folder.path() / "a" / name);
        CHECK(!first.empty());
        CHECK(first == read_file(folder.path() / "b" / name));
        CHECK(first == read_file(folder.path() / "c" / name));
    }
}

TEST_CASE("printed attempts have the same nodes as those in the folder") {
    const TemporaryFolder folder;
    const Answer printed = bursar({"demo", "--format", "attempts", "--out", folder.file("a")});
    CHECK(printed.out == read_file(folder.path() / "a" / "attempts.csv"));
    CHECK(bursar({"demo", "--format", "attempts"}).out == printed.out);
    CHECK(printed.out.find(",4.891667,0.0,0\n") != std::string::npos); // the second job, on node 0
}

TEST_CASE("months are known if nodes come and go, printed or written") {
    const TemporaryFolder folder;
    const std::string scenario = source_file("scenarios/examples/autoscaled.yaml");
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"run", scenario, "--reproducible"};
        words.insert(words.end(), more.begin(), more.end());
        return bursar(words);
    };
    REQUIRE(run({"--out", folder.file("o")}).code == 0);
    const Answer markdown = run({"--format", "markdown"});
    CHECK(markdown.out == read_file(folder.path() / "o/bill.md"));
    CHECK(has(markdown.out,
              "\n| 2017-11 | 155,167.0155 | 43.8 | 1.49348150 | 231,739.07 | 45.2 |\n"));
    CHECK(run({"--format", "json"}).out == read_file(folder.path() / "o/summary.json"));
    CHECK(has(run({"--group-by", "month"}).out,
              "\n  2017-11   155,167.0          43.8  231,739.07    45.2\n"));
}

TEST_CASE("--files chooses the files of --out, and unknown names are refused before the run") {
    const TemporaryFolder folder;
    const auto demo = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"demo", "--format", "sreport"};
        words.insert(words.end(), more.begin(), more.end());
        return bursar(words);
    };
    const Answer chosen = demo({"--out", folder.file("o"), "--files", "sreport,prometheus"});
    REQUIRE(chosen.code == 0);
    CHECK(read_file(folder.path() / "o/sreport.txt") == chosen.out);
    CHECK(read_file(folder.path() / "o/metrics.prom").starts_with("# HELP bursar_run_info "));
    const std::filesystem::directory_iterator written{folder.path() / "o"};
    CHECK(std::distance(begin(written), end(written)) == 2);

    const Answer unknown = demo({"--out", folder.file("p"), "--files", "table,focu"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "did you mean \"focus\"?"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "p"));
    CHECK(has(demo({"--out", folder.file("p"), "--files", "csv,csv"}).err, "comes twice"));
    CHECK(has(demo({"--files", "csv"}).err, "--files requires --out"));
}

TEST_CASE("files of an earlier run in the folder of --out are named in a warning") {
    const TemporaryFolder folder;
    const std::string out = folder.file("o");
    const auto written = [&](std::vector<std::string> words, const std::string& names) {
        words.insert(words.end(), {"--out", out, "--files", names});
        const Answer answer = bursar(words);
        CHECK(answer.code == 0);
        const std::size_t warning = answer.err.find("warning: ");
        return warning == std::string::npos ? std::string{} : answer.err.substr(warning);
    };
    CHECK(written({"demo"}, "csv,tenants,result").empty());
    CHECK(written({"demo"}, "csv,tenants,result").empty());
    folder.write("o/notes.txt", "mine");
    CHECK(written({"report", out + "/result.json"}, "sreport").empty()); // all are of one run
    CHECK(written({"demo", "--gzip"}, "csv") ==
          "warning: " + out +
              ": files of an earlier run stay, which this one did not write: tenants.csv, "
              "sreport.txt, result.json\n");
    CHECK(written({"demo"}, "json") ==
          "warning: " + out +
              ": files of an earlier run stay, which this one did not write: gpu_hours.csv.gz, "
              "tenants.csv, sreport.txt, result.json\n");
}

TEST_CASE("--brief is refused without Markdown") {
    const TemporaryFolder folder;
    const auto refused = [](const std::vector<std::string>& words) {
        const Answer answer = bursar(words);
        return answer.code == 2 && answer.out.empty() &&
               has(answer.err, "--brief: needs Markdown output; add --format markdown");
    };
    CHECK(refused({"demo", "--brief"}));
    CHECK(refused({"demo", "--brief", "--format", "csv"}));
    CHECK(refused({"demo", "--brief", "--out", folder.file("o"), "--files", "table"}));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "o"));
    const Answer brief = bursar({"demo", "--brief", "--format", "markdown", "--reproducible"});
    CHECK(brief.code == 0);
    CHECK(bursar({"demo",
                  "--brief",
                  "--reproducible",
                  "--out",
                  folder.file("o"),
                  "--files",
                  "markdown,result"})
              .code == 0);
    CHECK(read_file(folder.path() / "o/bill.md") == brief.out);
    CHECK(refused({"report", folder.file("o/result.json"), "--brief"}));
}

TEST_CASE("summary.json, gpu_hours.csv, tenants.csv and timeline.csv agree to the last digit") {
    const TemporaryFolder folder;
    REQUIRE(bursar({"demo", "--out", folder.file("o")}).code == 0);
    const auto summary = nlohmann::json::parse(read_file(folder.path() / "o/summary.json"));
    std::int64_t by_leaf = 0;
    for (const auto& [leaf, cost] : summary["cost"]["by_leaf"].items())
        by_leaf += micro(cost.dump());
    const std::int64_t paid = micro(summary["cost"]["paid"].dump());
    CHECK(summary["cost"]["by_leaf"].size() == num_leaves);
    CHECK(by_leaf == paid);

    std::int64_t cost = 0;
    std::int64_t gpu_hours = 0;
    for (auto& row : read_plain_csv(read_file(folder.path() / "o/gpu_hours.csv"))) {
        cost += micro(row["cost_usd"]);
        gpu_hours += micro(row["gpu_hours"]);
    }
    CHECK(cost == paid);
    CHECK(gpu_hours == micro(summary["gpu_hours"]["paid"].dump()));

    std::int64_t tenants = 0;
    for (auto& row : read_plain_csv(read_file(folder.path() / "o/tenants.csv"))) {
        tenants += micro(row["cost_usd"]);
    }
    CHECK(tenants == paid);
}

TEST_CASE("doubling every price doubles every cost exactly") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", R"(
bursar: 1
workload: {synthetic: {like: helios, jobs: 2000, gpus: 64, load: 1.1, seed: 3}}
fleet: [{pool: p, purchase: owned, gpu: A100, nodes: 8, gpus_per_node: 8, price: 1.234567891 USD/gpu-h}]
)");
    const auto exact = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"run", scenario, "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Answer answer = bursar(arguments);
        CAPTURE(answer.err);
        REQUIRE(answer.code == 0);
        return nlohmann::json::parse(answer.out);
    };
    const auto once = exact({});
    const auto twice = exact({"--set", "fleet.p.price=2.469135782 USD/gpu-h"});
    CHECK(once["run"]["fingerprint"] == twice["run"]["fingerprint"]);
    CHECK(once["gpu_hours"] == twice["gpu_hours"]);
    CHECK(once["run"]["scenario_hash"] != twice["run"]["scenario_hash"]);
    CHECK(std::abs(2 * once["cost"]["paid"].get<double>() - twice["cost"]["paid"].get<double>()) <=
          1e-6);
}

TEST_CASE("names with commas, quotes, newlines and markup are escaped") {
    const TemporaryFolder folder;
    folder.write("t.csv",
                 "job,submit,duration,gpus,tenant\n"
                 "\"a,b\"\"c\n<script>alert(1)</script>\",0,60,1,\"x|y,\"\"z\n<b>\"\n");
    const std::string scenario = folder.write("s.yaml", R"(
bursar: 1
workload: {trace: {file: t.csv, format: csv}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 1, price: 1 USD/gpu-h}]
)");
    const Answer answer =
        bursar({"run", scenario, "--out", folder.file("o"), "--group-by", "tenant"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    const std::string jobs = read_file(folder.path() / "o/jobs.csv");
    CHECK(jobs.find("\"a,b\"\"c\n<script>alert(1)</script>\",\"x|y,\"\"z\n<b>\",p") !=
          std::string::npos);
    const auto result = nlohmann::json::parse(read_file(folder.path() / "o/result.json"));
    CHECK(result.dump().find("x|y,\\\"z\\n<b>") != std::string::npos);
    const std::string markdown = read_file(folder.path() / "o/bill.md");
    CHECK(markdown.find("<b>") == std::string::npos);
    CHECK(markdown.find("<script>") == std::string::npos);
}

TEST_CASE("--explain prints the life of one job, whose waits add up") {
    const TemporaryFolder folder;
    // b needs both GPUs and waits for a; c fits beside a, but may not pass b.
    folder.write("t.csv",
                 "job,submit,duration,gpus,tenant\n"
                 "a,0,3600,1,x\nb,600,3600,2,x\nc,1200,600,1,y\n");
    const std::string scenario = folder.write("s.yaml", R"(
bursar: 1
workload: {trace: {file: t.csv, format: csv}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h}]
policy: {queue: fifo, head: block}
)");
    const Answer answer = bursar({"run", scenario, "--explain", "c", "--out", folder.file("o")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    CHECK(has(answer.out, "Job c of y: 1 GPU, completed"));
    CHECK(has(answer.out, "attempt 1 starts on p"));
    CHECK(has(answer.out, "0.667")); // its turn: from 1,200 to 3,600
    CHECK(has(answer.out, "1.000")); // GPUs: until b ends at 7,200
    CHECK(has(answer.out, "1.667"));
    const auto rows = read_plain_csv(read_file(folder.file("o/jobs.csv")));
    REQUIRE(rows.size() == 3);
    CHECK(rows[2].at("wait_for_turn_s") == "2400.0");
    CHECK(rows[2].at("wait_for_gpus_s") == "3600.0");
    CHECK(rows[2].at("wait_for_place_s") == "0.0");
    CHECK(rows[2].at("wait_s") == "6000.0");
    CHECK(rows[0].at("wait_for_turn_s") == "0.0");
    // A saved result says the same.
    CHECK(bursar({"report", folder.file("o"), "--explain", "c"}).out == answer.out);
    const Answer unknown = bursar({"run", scenario, "--explain", "d"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "no job is called \"d\""));
    CHECK(bursar({"run", scenario, "--explain", "c", "--format", "json"}).code == 2);
    const Answer idle = bursar({"run", scenario, "--explain", "c", "--top", "3"});
    CHECK(idle.code == 2);
    CHECK(has(idle.err, "--top: has no effect on --explain"));
}

TEST_CASE("every example scenario would run") {
    int examples = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_file("scenarios/examples"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        const std::string text = read_file(entry.path());
        const bool needs_shared = text.find("shared/") != std::string::npos;
        if (needs_shared && !std::filesystem::exists(source_file("../shared"))) {
            MESSAGE("skipped: ", entry.path().filename().string(), " (no shared data)");
            continue;
        }
        CAPTURE(entry.path().string());
        const Answer answer = bursar({"check", entry.path().string()});
        CAPTURE(answer.err);
        CHECK(answer.code == 0);
        CHECK(answer.out.find("would run") != std::string::npos);
        if (entry.path().filename() == "deadlines.yaml") { // each job has a different shape
            CHECK(answer.out.find("  5 gang sizes, ") != std::string::npos);
            CHECK(answer.out.find("0..40 x 8 V100-SXM2-16GB") != std::string::npos);
            CHECK(answer.out.find("at most 640 GPUs") != std::string::npos);
        }
        ++examples;
    }
    CHECK(examples >= 2);
}

TEST_CASE("the README shows the real output of the demo") {
    const std::string readme = read_file(source_file("README.md"));
    const std::string prompt = "$ bursar demo\n";
    const std::size_t begin = readme.find(prompt) + prompt.size();
    const std::string shown = readme.substr(begin, readme.find("```", begin) - begin);
    const auto without_time = [](const std::string& text) { // the last line has the run's time
        return text.substr(0, text.rfind("events in"));
    };
    CHECK(shown.size() > 500);
    CHECK(without_time(shown) == without_time(bursar({"demo"}).out));
}

TEST_CASE("the shipped synthetic trace is what the generator draws") {
    const Answer shipped = bursar({"trace",
                                   "convert",
                                   source_file("scenarios/examples/philly-synthetic.csv.gz"),
                                   "--to",
                                   "philly-csv"});
    const Answer drawn = bursar({"trace",
                                 "synth",
                                 "--like",
                                 "philly",
                                 "--jobs",
                                 "30000",
                                 "--gpus",
                                 "480",
                                 "--load",
                                 "0.9",
                                 "--format",
                                 "philly-csv"});
    CHECK(shipped.code == 0);
    CHECK(drawn.out.size() > 1'000'000);
    CHECK((shipped.out == drawn.out)); // in brackets: a difference would print megabytes
}

TEST_CASE("the other commands answer on stdout") {
    CHECK(bursar({"policies"}).out.find("sjf") != std::string::npos);
    CHECK(bursar({"catalog"}).out.find("H100-SXM5-80GB") != std::string::npos);
    CHECK(bursar({"catalog", "V100"}).out.find("900 GB/s") != std::string::npos);
    CHECK(bursar({"catalog", "V10"}).code == 2);
    const auto schema = nlohmann::json::parse(bursar({"schema"}).out);
    CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
}

TEST_CASE("a drawn trace reads back, and its statistics stand beside the published ones") {
    const TemporaryFolder folder;
    const std::vector<std::string> synth{"trace",
                                         "synth",
                                         "--like",
                                         "philly",
                                         "--jobs",
                                         "2000",
                                         "--gpus",
                                         "128",
                                         "--load",
                                         "0.9",
                                         "--format"};
    const auto draw = [&](const std::string& format, const std::string& file) {
        std::vector<std::string> arguments = synth;
        arguments.insert(arguments.end(), {format, "--out", folder.file(file)});
        REQUIRE(bursar(arguments).code == 0);
    };
    draw("csv", "a.csv");
    draw("csv", "b.csv");
    CHECK(read_file(folder.file("a.csv")) == read_file(folder.file("b.csv")));
    draw("philly-csv", "p.csv");
    const Answer info =
        bursar({"trace", "info", folder.file("p.csv"), "--gpus", "128", "--like", "philly"});
    CAPTURE(info.err);
    CHECK(info.code == 0);
    CHECK(info.out.find("2000 jobs of") != std::string::npos);
    CHECK(info.out.find("mean_run_s") != std::string::npos);
    const Answer converted = bursar({"trace", "convert", folder.file("a.csv"), "--to", "swf"});
    CHECK(converted.code == 0);
    CHECK(converted.out.find("\n2000 ") != std::string::npos);
}

TEST_CASE("trace info lists the columns that were read, and the rows left out, by line") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("jobs.psv",
                     "JobID|Submit|Elapsed|State|AllocTRES|Partition\n"
                     "7|2024-03-01T08:15:00|1-02:10:52|COMPLETED|cpu=8,gres/gpu:a100=8|gpu\n"
                     "7.batch|2024-03-01T08:15:00|1-02:10:52|COMPLETED|cpu=8|\n"
                     "8|2024-03-01T08:16:00|00:00:00|CANCELLED by 9||gpu\n"
                     "9|2024-03-01T08:16:00|soon|FAILED|gres/gpu=1|gpu\n");
    const Answer strict = bursar({"trace", "info", file});
    CHECK(strict.code == 2);
    CHECK(strict.err.find(":5:23: Elapsed: \"soon\" is not a time span") != std::string::npos);
    CHECK(strict.err.find("1 of 4 rows cannot be used; `--skip-bad-rows` leaves such rows out") !=
          std::string::npos);
    const Answer info = bursar({"trace", "info", file, "--skip-bad-rows"});
    CAPTURE(info.err);
    CHECK(info.code == 0);
    const std::string reading = info.out.substr(info.out.find("\ncolumns read"));
    const std::string indent(19, ' ');
    CHECK(reading ==
          "\ncolumns read       JobID as job, Submit as submit, Elapsed as duration, "
          "State as state, AllocTRES as gpus, cpu_milli, memory_mib\n"
          "columns not read   Partition\n"
          "records            4 read, 1 used\n"
          "left out           2\n" +
              indent + file + ":3:1: a step of a job\n" + indent + file +
              ":4:32: never started: CANCELLED\n" + "bad, skipped       1\n" + indent + file +
              ":5:23: Elapsed: \"soon\" is not a time span ([days-]hours:minutes:seconds)\n"
              "assumed            jobs may run on any GPU: the types in AllocTRES of the "
              "trace (a100) bind none\n");
    // 94,252 s on 8 GPUs.
    CHECK(info.out.find("GPU-hours          209.4\n") != std::string::npos);
}

TEST_CASE("trace synth and trace info take the user's cluster statistics") {
    const TemporaryFolder folder;
    std::string text = read_file(source_file("scenarios/catalog/profiles.yaml"));
    const std::size_t name = text.find("name: philly");
    REQUIRE(name != std::string::npos);
    text.replace(name, 12, "name: mine");
    const std::string profiles = folder.write("own.yaml", text);
    const auto draw = [](std::vector<std::string> more) {
        std::vector<std::string> arguments{"trace", "synth", "--jobs", "200", "--gpus", "128"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return bursar(arguments);
    };
    const Answer own = draw({"--like", "mine", "--profiles", profiles});
    CHECK(own.code == 0);
    CHECK(draw({"--like", "mine"}).code == 2);
    const std::string trace = folder.write("own.csv", own.out);
    const Answer info = bursar({"trace", "info", trace, "--like", "mine", "--profiles", profiles});
    CAPTURE(info.err);
    CHECK(info.code == 0);
    CHECK(info.out.find("mean_run_s") != std::string::npos);
    CHECK(bursar({"trace", "info", trace, "--like", "mine"}).code == 2);
}

TEST_CASE("names of the user's files are escaped once in each format") {
    const TemporaryFolder folder;
    folder.write("t<1&2|3.csv", "submit,duration,gpus,tenant\n0,3600,1,a<b&c|d\n10,7200,2,x\n");
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\nname: n<1&2|3\nworkload: {trace: {file: t<1&2|3.csv}}\nfleet: [{pool: p, "
        "purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 4, price: 1 USD/gpu-h, "
        "region: r<1&2|3}]\nbudgets: [{name: b<1&2|3, limit: 1 USD}]\n");
    const std::string out = folder.file("out");
    REQUIRE(bursar({"run", scenario, "--out", out}).code == 0);
    const std::string page = read_file(out + "/report.html");
    const std::string markdown = read_file(out + "/bill.md");
    for (const char* twice : {"&amp;lt;", "&amp;amp;", "&amp;#124;", "\\\\|"}) {
        CAPTURE(twice);
        CHECK(page.find(twice) == std::string::npos);
        CHECK(markdown.find(twice) == std::string::npos);
    }
    for (const std::string name : {"a<b&c|d", "n<1&2|3", "r<1&2|3", "b<1&2|3"}) {
        CAPTURE(name);
        CHECK(page.find(name) == std::string::npos);
        CHECK(markdown.find(name) == std::string::npos);
    }
    for (const char* name : {"a&lt;b&amp;c", "n&lt;1&amp;2", "r&lt;1&amp;2", "b&lt;1&amp;2"}) {
        CAPTURE(name);
        CHECK(page.find(std::string{name} + '|') != std::string::npos);
        CHECK(markdown.find(std::string{name} + "\\|") != std::string::npos);
    }
    for (const char* file : {"/jobs.csv", "/tenants.csv"})
        CHECK(read_file(out + file).find("a<b&c|d") != std::string::npos);
}

} // namespace bursar::test::outputs_test
