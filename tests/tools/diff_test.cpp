// bursar diff: the differences of two results, and conditions on a change.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::diff_test {
namespace {

/// Two runs of the example with reserved nodes, the second with more of them, in the folders
/// `before` and `after` of the current one.
class TwoRuns {
  public:
    TwoRuns() {
        const std::string scenario = source_file("scenarios/examples/reserved-mix.yaml");
        std::filesystem::current_path(folder_.path());
        REQUIRE(bursar({"run", scenario, "--reproducible", "--out", "before"}).code == 0);
        REQUIRE(bursar({"run", scenario, "--set", "fleet.base.nodes=10", "--out", "after"}).code ==
                0);
    }
    ~TwoRuns() { std::filesystem::current_path(was_); }
    TwoRuns(const TwoRuns&) = delete;
    TwoRuns& operator=(const TwoRuns&) = delete;

  private:
    std::filesystem::path was_{std::filesystem::current_path()};
    TemporaryFolder folder_;
};

} // namespace

TEST_CASE("diff: months of one result") {
    const TemporaryFolder folder;
    // One node of 2 GPUs at 1 USD; a job of a GPU from noon of 31 January for 24 h.
    folder.write("t.csv", "submit,duration,gpus\n2024-01-31 12:00:00,86400,1\n");
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\nworkload: {trace: {file: t.csv}}\nfleet: [{pool: p, purchase: owned, gpu: V100,"
        " nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h}]\nuntil: 2 d\n");
    const std::string out = folder.file("out");
    REQUIRE(bursar({"run", scenario, "--out", out}).code == 0);
    const Answer answer = bursar({"diff", out + "@2024-01", out + "@2024-02", "--format", "json"});
    REQUIRE(answer.code == 0);
    const auto json = nlohmann::json::parse(answer.out);
    CHECK(json["total"]["base"] == 24);
    CHECK(json["total"]["new"] == 72);
    CHECK(json["causes"]["work"] == "productive");
    CHECK(json["causes"]["volume"]["cost"] == 0);
    CHECK(json["causes"]["efficiency"]["cost"] == 48);
    CHECK(json["causes"]["price"]["cost"] == 0);
    CHECK(json["metrics"]["cost.total"]["delta"] == 48);
    CHECK(json["metrics"]["metrics.wait_s.mean"]["base"].is_null());
    CHECK(has(bursar({"diff", out + "@2024-01", out + "@2024-02"}).out, "months have GPU time"));
    const Answer none = bursar({"diff", out + "@", out});
    CHECK(none.code == 2);
    CHECK(has(none.err, "no month behind @"));
    const Answer unknown = bursar({"diff", out, out + "@2024-03"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "result.json: has no month 2024-03; it has 2024-01 to 2024-02"));
}

TEST_CASE("diff: a month costs what summary.json says of it, whatever minutes the run has") {
    const TemporaryFolder folder;
    folder.write("t.csv", "submit,duration,gpus\n2024-01-30 12:15:23,86400,1\n");
    const auto check = [&](const std::string& calendar, const std::string& until) {
        CAPTURE(calendar);
        CAPTURE(until);
        const std::string out = folder.file("out" + until.substr(0, 4));
        const std::string scenario = folder.write(
            "s.yaml",
            "bursar: 1\nworkload: {trace: {file: t.csv}}\nfleet: [{pool: p, purchase: reserved, "
            "term: 60 d, gpu: V100, nodes: 1, gpus_per_node: 2, price: 1 USD/gpu-h}]\nuntil: " +
                until + "\n" + calendar);
        REQUIRE(bursar({"run", scenario, "--out", out}).code == 0);
        const Answer answer =
            bursar({"diff", out + "@2024-01", out + "@2024-02", "--format", "json"});
        REQUIRE(answer.code == 0);
        const auto diff = nlohmann::json::parse(answer.out);
        const auto months = nlohmann::json::parse(read_file(out + "/summary.json"))["months"];
        REQUIRE(months.size() == 3);
        // Months are rounded so that they add up to the bill.
        const auto is_cost = [&](const char* side, std::size_t month) {
            const double off =
                diff["total"][side].get<double>() - months[month]["cost"].get<double>();
            return std::abs(off) < 1.5e-6;
        };
        CHECK(is_cost("base", 0));
        CHECK(is_cost("new", 1));
        CHECK(months[2]["month"].is_null()); // the rest of the term
    };
    for (const char* calendar : {"", "calendar: UTC\n", "calendar: America/New_York\n"}) {
        check(calendar, "4319 min"); // it ends in an hour
        check(calendar, "258277 s"); // and with one
    }
}

TEST_CASE("diff: folders and files, all formats, and an exit code for a failed condition") {
    const TwoRuns runs;
    const Answer table = bursar({"diff", "before", "after"});
    CHECK(table.code == 0);
    CHECK(has(table.out, "pool base: nodes 8 10"));
    CHECK(bursar({"diff", "before/result.json", "after/result.json"}).code == 0);

    const Answer failed = bursar({"diff",
                                  "before",
                                  "after",
                                  "--format",
                                  "json",
                                  "--out",
                                  "d",
                                  "--fail-if",
                                  "cost > +5 %",
                                  "--fail-if",
                                  "wait.p99 > +10 min"});
    CHECK(failed.code == 3);
    CHECK(has(failed.err, "--fail-if cost > +5 %: cost.total: "));
    CHECK(failed.err.find("wait.p99") == std::string::npos); // it decreased
    const auto json = nlohmann::json::parse(failed.out);
    CHECK(json["fail_if"][0]["failed"] == true);
    CHECK(json["fail_if"][1]["failed"] == false);
    CHECK(json["changes"].size() == 1);
    const auto before = nlohmann::json::parse(read_file("before/summary.json"));
    const auto after = nlohmann::json::parse(read_file("after/summary.json"));
    CHECK(json["total"]["base"] == before["cost"]["total"]);
    CHECK(json["total"]["new"] == after["cost"]["total"]);
    CHECK(json["metrics"]["metrics.wait_s.p99"]["new"] == after["metrics"]["wait_s"]["p99"]);
    for (const char* file : {"d/diff.txt", "d/diff.json", "d/diff.md", "d/diff.html"})
        CHECK(std::filesystem::exists(file));
    CHECK(read_file("d/diff.json") == failed.out);

    const Answer same = bursar({"diff", "before", "before", "--fail-if", "cost >= +1 %"});
    CHECK(same.code == 0);
    CHECK(same.out.find("differs") == std::string::npos);
}

TEST_CASE("diff: results that cannot be compared are refused in one line") {
    const TwoRuns runs;
    const auto refused = [](const std::vector<std::string>& words, const std::string& why) {
        const Answer answer = bursar(words);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK(has(answer.err, why));
    };
    refused({"diff", "before", "nowhere"}, "nowhere");
    refused({"diff", "before", "before/summary.json"}, "before/summary.json");
    refused({"diff", "before", "."}, "result.json");
    refused({"diff", "before", "after", "--fail-if", "cost"}, "--fail-if: expected a metric");
    refused({"diff", "before", "after", "--fail-if", "cots.total > +1 %"}, "cost.total");
    for (const char* bare : {"goodput < -1", "goodput < -0.01", "goodput < 0"})
        refused({"diff", "before", "after", "--fail-if", bare},
                "is no change of a ratio: give it a sign, and pp (percentage points) or %");
    for (const char* number : {"+0x5 %", "+1e3 %", "+inf %", "+nan %", "+ %", "++5 %", "5 %"})
        refused({"diff", "before", "after", "--fail-if", std::string{"cost > "} + number},
                std::string{"\""} + number + "\" is no change");
    refused({"diff", "before"}, "NEW is required");
}

TEST_CASE("diff: the page shows what it prints" * doctest::test_suite("pages")) {
    const TwoRuns runs;
    const std::string file = source_file("PLANNING.md");
    std::vector<std::string> page = lines_of(read_file(file));
    const std::vector<Example> all = examples(page, "$ bursar diff ");
    REQUIRE(all.size() == 1);
    Answer answer = bursar(words(all[0].command), 80);
    CHECK(answer.code == 3);
    std::vector<std::string> now = lines_of(answer.out);
    if (updating()) {
        update(page, all[0], now);
        std::ofstream out{file, std::ios::binary};
        for (const std::string& line : page)
            out << line << '\n';
        return;
    }
    std::vector<std::string> shown = all[0].shown;
    REQUIRE(shown.back() == "...");
    shown.pop_back();
    now.resize(std::min(now.size(), shown.size()));
    CHECK(now == shown);
}

} // namespace bursar::test::diff_test
