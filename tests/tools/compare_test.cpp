// The commands bursar compare and bursar policies.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::compare_test {
namespace {

/// Two GPUs. fifo: a runs 0..10, b (2 GPUs) 10..110, c 110..120 s; sjf takes c before b.
const std::string listed = R"(
bursar: 1
name: three jobs
workload:
  jobs:
    - {name: a, gpus: 2, duration: 10 s}
    - {name: b, gpus: 2, submit: 1 s, duration: 100 s}
    - {name: c, gpus: 2, submit: 2 s, duration: 10 s}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, price: 3600 USD/gpu-h}]
)";

/// Jobs that have every property that any policy needs.
const std::string worthy = R"(
bursar: 1
workload:
  trace: {file: jobs.csv, format: csv}
  classes: [{priority: 1, deadline: 1 h, value: 1 USD}]
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, price: 3600 USD/gpu-h}]
)";

const std::string drawn = R"(
bursar: 1
workload: {synthetic: {like: philly, jobs: 400, gpus: 32, load: 1.2}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 4, gpus_per_node: 8, price: 1 USD/gpu-h}]
)";

/// Of UTF-8.
std::size_t num_characters(const std::string& line) {
    return static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

nlohmann::json compared(const std::vector<std::string>& more, const std::string& scenario) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{
        "compare", folder.write("s.yaml", scenario), "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Answer answer = bursar(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

} // namespace

TEST_CASE("three jobs by hand, where nothing is random") {
    const auto json = compared({"--vary", "policy.queue=fifo,sjf", "--seeds", "5"}, listed);
    CHECK(json["run"]["random"] == false);
    CHECK(json["run"]["seeds"] == 1);
    CHECK(json["run"]["end_s"] == 120);
    const auto& sjf = json["variants"][1]["metrics"];
    // JCT: fifo 10, 109, 118; sjf 10, 119, 18.
    CHECK(json["variants"][0]["metrics"]["metrics.jct_s.mean"]["mean"] == 79);
    CHECK(sjf["metrics.jct_s.mean"]["difference"]["mean"] == -30);
    CHECK(sjf["metrics.jct_s.mean"]["difference"]["ci95_low"].is_null());
    CHECK(sjf["metrics.jct_s.mean"]["difference"]["verdict"] == "better");
    // 2 GPUs for 120 s at a dollar a GPU-second; almost all of it is productive.
    CHECK(sjf["cost.total"]["mean"] == 240);
    CHECK(sjf["cost.total"]["difference"]["verdict"] == "equal");
}

TEST_CASE("runs with different ends are paid to the same end") {
    // A faster pool: half of the jobs' GPUs end sooner, and are paid for as long.
    const auto json = compared(
        {"--vary", "policy.head=block,skip", "--vary", "workload.jobs.b.gpus=2,1"}, listed);
    REQUIRE(json["variants"].size() == 4);
    CHECK(json["variants"][3]["label"] == "skip, 1");
    CHECK(json["variants"][3]["settings"]["workload.jobs.b.gpus"] == "1");
    for (const auto& variant : json["variants"])
        CHECK(variant["metrics"]["cost.total"]["mean"] ==
              json["variants"][0]["metrics"]["cost.total"]["mean"]);
    CHECK(json["variants"][0]["metrics"]["metrics.makespan_s"]["mean"] == 120);
}

TEST_CASE("a run that ends as its last node is reclaimed has nothing behind its end") {
    // At 2 USD the budget is spent after an hour; the job is stopped by the reclaim an hour later,
    // and none starts again. At 1 cent it starts again after an hour and runs to hour 13.
    const TemporaryFolder folder;
    const std::string supply = folder.write("supply.csv", "time_s,count\n0,1\n7200,0\n10800,1\n");
    for (const std::string capacity : {"count", "nodes"}) {
        const nlohmann::json answer =
            compared({"--vary", "fleet.p.price=2 USD/gpu-h,0.01 USD/gpu-h"},
                     "bursar: 1\n"
                     "workload:\n"
                     "  jobs: [{name: a, gpus: 1, duration: 10 h}]\n"
                     "  classes: [{checkpoint: none}]\n"
                     "fleet: [{pool: p, purchase: spot, gpu: V100, nodes: 0..1, gpus_per_node: 1, "
                     "price: 2 USD/gpu-h, availability: {file: " +
                         supply +
                         "}}]\n"
                         "policy: {capacity: " +
                         capacity +
                         "}\n"
                         "budgets: [{name: b, limit: 2 USD, then: stop-admitting}]\n");
        const nlohmann::json& runs = answer.at("variants");
        CHECK(runs.at(0).at("metrics").at("cost.total").at("mean") == 4.0);
        CHECK(runs.at(0).at("metrics").at("metrics.jobs_finished").at("mean") == 0);
        CHECK(runs.at(1).at("metrics").at("metrics.jobs_finished").at("mean") == 1);
    }
}

TEST_CASE("seeds are paired: a variant equal to the base has no difference in any run") {
    const auto json = compared({"--vary",
                                "policy={queue: fifo},{queue: fifo, head: block},{queue: sjf}",
                                "--seeds",
                                "3",
                                "--seed",
                                "11"},
                               drawn);
    CHECK(json["run"]["random"] == true);
    CHECK(json["run"]["seed"] == 11);
    CHECK(json["run"]["seeds"] == 3);
    CHECK(json["variants"][0]["fingerprints"] == json["variants"][1]["fingerprints"]);
    CHECK(json["variants"][0]["fingerprints"] != json["variants"][2]["fingerprints"]);
    CHECK(json["variants"][0]["fingerprints"][0] != json["variants"][0]["fingerprints"][1]);
    for (const auto& [name, metric] : json["variants"][1]["metrics"].items()) {
        CAPTURE(name);
        if (metric["n"] == 3 && name != "cost.to_common_end") // which has no verdict
            CHECK(metric["difference"]["verdict"] == "equal");
    }
    CHECK(json["variants"][2]["metrics"]["metrics.jct_s.mean"]["difference"]["n"] == 3);
}

TEST_CASE("a comparison writes all its formats, equal ones for equal runs") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", listed);
    for (const char* name : {"a", "b"})
        REQUIRE(
            bursar({"compare", file, "--vary", "policy.queue=fifo,sjf", "--out", folder.file(name)})
                .code == 0);
    for (const char* name : {"compare.txt", "compare.json", "compare.csv", "compare.md"}) {
        CAPTURE(name);
        const std::string text = read_file(folder.path() / "a" / name);
        CHECK(!text.empty());
        CHECK(text == read_file(folder.path() / "b" / name));
    }
}

TEST_CASE("the README shows a real comparison" * doctest::test_suite("pages")) {
    hold_examples(source_file("README.md"), "$ bursar compare ", 1, 80);
}

TEST_CASE("without a terminal a comparison is as wide as COLUMNS, if that is a width") {
    const TemporaryFolder folder;
    const std::vector<std::string> arguments{
        "compare",
        folder.write("s.yaml", drawn),
        "--seeds",
        "2",
        "--vary",
        "policy={queue: fifo},{queue: fifo, head: skip},{queue: fifo, backfill: easy}"};
    for (const std::size_t columns : {std::size_t{80}, std::size_t{60}}) {
        CAPTURE(columns);
        for (const std::string& line : lines_of(bursar(arguments, columns).out)) {
            CAPTURE(line);
            CHECK(num_characters(line) <= columns);
        }
    }
    CHECK(bursar(arguments, 5).out == bursar(arguments).out);
    CHECK(bursar(arguments, 60).out != bursar(arguments).out);
}

TEST_CASE("a wrong number of seeds is reported once") {
    for (const char* seeds : {"abc", "0", "-1", "1.5", "10001"}) {
        const Answer answer = bursar({"compare", "s.yaml", "--vary", "a=1,2", "--seeds", seeds});
        CHECK(answer.code == 2);
        has(answer.err,
            "--seeds: \"" + std::string{seeds} + "\" is not a whole number from 1 to 10000");
        CHECK(answer.err.find(" AND ") == std::string::npos);
    }
}

TEST_CASE("a comparison has every number that the summary of a run has") {
    const TemporaryFolder folder;
    const auto summary = nlohmann::json::parse(
        bursar({"run", folder.write("s.yaml", drawn), "--format", "json"}).out);
    const auto json = compared({"--vary", "policy.queue=fifo,sjf", "--seeds", "1"}, drawn);
    const auto& metrics = json["variants"][0]["metrics"];
    for (const std::string block : {"cost", "gpu_hours", "ratios", "metrics"}) {
        const auto flat = summary[block].flatten();
        for (const auto& [path, value] : flat.items()) {
            if (!value.is_number() && !value.is_null())
                continue;
            std::string name = block + path;
            std::ranges::replace(name, '/', '.');
            if (name.starts_with("cost.basis.") || name.starts_with("cost.other_lines"))
                continue; // set by the scenario
            CAPTURE(name);
            CHECK(metrics.contains(name));
        }
    }
}

TEST_CASE("bursar policies lists every policy in a line and explains each on a page") {
    const Answer list = bursar({"policies"});
    const auto json = nlohmann::json::parse(bursar({"policies", "--format", "json"}).out);
    CHECK(json["policies"].size() >= 20);
    for (const auto& policy : json["policies"]) {
        const auto name = policy["name"].get<std::string>();
        CAPTURE(name);
        CHECK(list.out.find(" " + name + " ") != std::string::npos);
        const Answer page = bursar({"policies", name});
        CHECK(page.code == 0);
        CHECK(page.out.find("policy." + policy["slot"].get<std::string>() + ": " + name) !=
              std::string::npos);
        for (const auto& option : policy["options"])
            CHECK(page.out.find(option["name"].get<std::string>()) != std::string::npos);
    }
    // A line each, and few for presets, the default and combinations.
    CHECK(std::count(list.out.begin(), list.out.end(), '\n') <=
          static_cast<std::ptrdiff_t>(json["policies"].size()) + 20);
    CHECK(has(bursar({"policies", "tiresias"}).out, "policy.capacity: count"));
    CHECK(has(bursar({"policies", "head"}).out, "policy.head: skip"));
    CHECK(has(bursar({"policies", "order"}).out, "\n  unfinished_recovery\n"));
    const Answer unknown = bursar({"policies", "gitins"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err,
              "no policy or policy slot is named \"gitins\"; did you mean \"gittins\"?"));
}

TEST_CASE("what a page of bursar policies shows is valid in a scenario") {
    const TemporaryFolder folder;
    folder.write("jobs.csv", "submit,duration,gpus,requested_time\n0,10,2,20\n1,100,2,200\n");
    const std::string file = folder.write("s.yaml", worthy);
    const auto json = nlohmann::json::parse(bursar({"policies", "--format", "json"}).out);
    for (const auto& policy : json["policies"]) {
        std::string value = "{name: " + policy["name"].get<std::string>();
        for (const auto& option : policy["options"])
            if (option["only_with"].is_null() && !option["default"].is_null())
                value += ", " + option["name"].get<std::string>() + ": " +
                         option["default"].get<std::string>();
        const std::string set = "policy." + policy["slot"].get<std::string>() + "=" + value + "}";
        CAPTURE(set);
        std::vector<std::string> arguments{"check", file, "--set", set};
        if (policy["name"] == "quantum" || policy["slot"] == "allocator")
            arguments.insert(arguments.end(), {"--set", "policy.rounds=1 min"});
        if (policy["name"] == "quotas")
            arguments.insert(arguments.end(), {"--set", "tenants=[{name: all, nominal: 2}]"});
        if (policy["slot"] == "precision") // its GPU has every format
            arguments.insert(arguments.end(), {"--set", "fleet.p.gpu=B200"});
        const Answer answer = bursar(arguments);
        CAPTURE(answer.err);
        CHECK(answer.code == 0);
    }
    for (const auto& preset : json["presets"]) {
        const Answer answer =
            bursar({"run", file, "--set", "policy.preset=" + preset["name"].get<std::string>()});
        CAPTURE(answer.err);
        CHECK(answer.code == 0);
    }
}

} // namespace bursar::test::compare_test
