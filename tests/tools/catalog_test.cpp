// `bursar catalog` and `bursar policies`: one list each, as a table, JSON and CSV.

#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/reports/support/csv.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::catalog_test {
namespace {

using Json = nlohmann::json;

/// The list that a command prints as JSON, under `key`, and its rows as CSV.
struct Shown {
    Json json;
    std::vector<std::vector<std::string>> csv;
};

Shown shown(std::vector<std::string> command) {
    command.insert(command.end(), {"--format", "json"});
    const Answer json = bursar(command);
    REQUIRE(json.code == 0);
    command.back() = "csv";
    const Answer csv = bursar(command);
    REQUIRE(csv.code == 0);
    return {Json::parse(json.out), parse_csv(csv.out)};
}

} // namespace

TEST_CASE("every list of the catalogue has JSON and CSV with the same rows") {
    const std::vector<std::vector<std::string>> lists{{"", "gpus"},
                                                      {"models", "transformers"},
                                                      {"stacks", "stacks"},
                                                      {"carbon", "regions"},
                                                      {"links", "links"},
                                                      {"servers", "servers"},
                                                      {"failures", "rates"},
                                                      {"precision", "gains"},
                                                      {"storage", "tiers"},
                                                      {"profiles", "profiles"},
                                                      {"topology", "topologies"}};
    for (const std::vector<std::string>& list : lists) {
        CAPTURE(list[1]);
        std::vector<std::string> command{"catalog"};
        if (!list[0].empty())
            command.push_back(list[0]);
        const Shown both = shown(command);
        const Json& rows = both.json[list[1]];
        CHECK(rows.size() >= 3);
        CHECK(both.csv.size() == rows.size() + 1);
        for (const std::string& key : both.csv.front())
            CHECK(rows.front().contains(key));
        CHECK(bursar({"catalog", "--help"}).out.find(list[0]) != std::string::npos);
    }
}

TEST_CASE("a GPU's facts are in SI units, and an unpublished one is null") {
    const Shown all = shown({"catalog"});
    const auto called = [&](const std::string& name) {
        for (const Json& gpu : all.json["gpus"])
            if (gpu["name"] == name)
                return gpu;
        return Json{};
    };
    const Json a100 = called("A100-SXM4-80GB");
    CHECK(a100["memory"] == 84986665370); // 79.15 GiB
    CHECK(a100["bf16"] == 312e12);
    CHECK(a100["scaleup_bandwidth"] == 300e9);
    CHECK(a100["fp8"].is_null());
    CHECK(a100["aliases"] == "A100, A100-80GB, A100-SXM-80GB, A100-SXM");
    CHECK(a100["source"].get<std::string>().size() > 10);
    CHECK(all.json["units"]["gpus"]["memory"] == "B");

    const Json one = Json::parse(bursar({"catalog", "A100", "--format", "json"}).out);
    CHECK(one["gpu"]["name"] == "A100-SXM4-80GB");
    for (const char* key : {"memory", "memory_bandwidth", "tdp", "bf16", "bf16_achievable", "fp8"})
        CHECK(one["gpu"][key] == a100[key]);
    CHECK(one["sources"][0] == a100["source"]);
    CHECK(bursar({"catalog", "H100", "--format", "csv"}).out.find("gpu,memory,85018877624,B,") !=
          std::string::npos);
}

TEST_CASE("columns of the catalogue are separated, and small prices keep their digits") {
    const std::string gpus = bursar({"catalog"}).out;
    has(gpus, "bandwidth      link  power");
    has(bursar({"catalog", "storage"}).out, "0.0004");
}

TEST_CASE("policies have JSON and CSV with the same rows") {
    const Shown all = shown({"policies"});
    CHECK(all.csv.size() == all.json["policies"].size() + all.json["presets"].size() + 1);
    CHECK(all.csv.front() ==
          std::vector<std::string>{
              "slot", "name", "summary", "default", "preempts", "cost_per_event", "source"});
    CHECK(all.csv[1][0] == "queue");
    CHECK(all.csv[1][1] == "fifo");
    CHECK(all.csv[1][3] == "true");
    const Shown las = shown({"policies", "las"});
    CHECK(las.csv.size() == 2);
    CHECK(las.csv[1][4] == "true");
}

TEST_CASE("the list of policies says which of them combine") {
    const std::string list = bursar({"policies"}).out;
    has(list, "priority      all           all           -");
    has(list, "quantum       keys (rounds) -             -");
    has(list, "keys: every order but fair-share, drf, multifactor, ftf; tenants: these only;");
    // As the check of a scenario decides.
    const std::string demo = source_file("scenarios/examples/demo.yaml");
    const auto code_of = [&](const char* queue, const char* backfill, const char* preemption) {
        return bursar({"check",
                       demo,
                       "--set",
                       "policy.head=block",
                       "--set",
                       std::string{"policy.queue="} + queue,
                       "--set",
                       std::string{"policy.backfill="} + backfill,
                       "--set",
                       std::string{"policy.preemption="} + preemption})
            .code;
    };
    CHECK(code_of("ftf", "easy", "none") == 0);
    CHECK(code_of("las", "easy", "none") == 0);
    CHECK(code_of("ftf", "none", "quantum") != 0);
    CHECK(code_of("fifo", "easy", "order") != 0);
}

TEST_CASE("the list of policies is not cut without a terminal") {
    const Json all = Json::parse(bursar({"policies", "--format", "json"}).out);
    for (const std::size_t columns : {0, 60}) { // a shell may pass on the width of its terminal
        const std::string piped = bursar({"policies"}, columns).out;
        for (const Json& policy : all["policies"])
            has(piped, "  " + policy["summary"].get<std::string>() + "\n");
    }
}

TEST_CASE("columns stay two blanks apart and names whole, on narrow pages, too") {
    const std::string list = bursar({"catalog", "storage"}, 60).out;
    has(list, "  s3-glacier-instant  ");
    has(list, "per GB-month  per GB read");
    has(bursar({"catalog"}, 60).out, "  TFLOP/s  TFLOP/s  ");
}

TEST_CASE("names on the command line are recognised in other spellings") {
    CHECK(bursar({"policies", "Fair_Share"}).out == bursar({"policies", "fair-share"}).out);
    CHECK(bursar({"policies", "--format", "JSON"}).out ==
          bursar({"policies", "--format", "json"}).out);
    has(bursar({"catalog", "v100-sxm2-16gb"}).out, "V100-SXM2-16GB");
}

} // namespace bursar::test::catalog_test
