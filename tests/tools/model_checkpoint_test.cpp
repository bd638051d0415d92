#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/reliability/failure_fit.hpp"

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::model_checkpoint_test {
namespace {

Answer checkpoint(std::vector<std::string> options) {
    options.insert(options.begin(), {"model", "checkpoint"});
    return bursar(options);
}

nlohmann::json json_of(std::vector<std::string> options) {
    options.insert(options.end(), {"--format", "json"});
    const Answer answer = checkpoint(options);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

const nlohmann::json& row(const nlohmann::json& answer, const std::string& rule) {
    for (const nlohmann::json& row : answer.at("intervals"))
        if (row.at("rule") == rule)
            return row;
    FAIL("no row ", rule);
    return answer;
}

/// Whether the answer is only `message`, on stderr, with the code for a wrong input.
void check_refused(std::vector<std::string> options, const std::string& message) {
    options.insert(options.begin(), {"--params", "1e9", "--gpus", "1024"});
    const Answer answer = checkpoint(options);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err == message + "\n");
}

} // namespace

TEST_CASE("bursar model checkpoint: BLOOM's checkpoint, and Daly's interval") {
    const nlohmann::json answer =
        json_of({"--params", "176e9", "--gpus", "384", "--write", "57 GB/s", "--mtbf", "24h"});
    CHECK(answer["checkpoint"]["size_b"] == 14 * 176e9);
    CHECK(answer["checkpoint"]["blocking_s"] == doctest::Approx(43.2).epsilon(0.001));
    CHECK(answer["failures"]["mtbf_s"] == 86400);
    const nlohmann::json& daly = row(answer, "daly");
    const nlohmann::json& optimum = row(answer, "optimum");
    CHECK(daly["interval_s"].get<double>() ==
          doctest::Approx(optimum["interval_s"].get<double>()).epsilon(1e-3));
    CHECK(daly["efficiency"].get<double>() <= optimum["efficiency"].get<double>() + 1e-9);
    double sum = 0;
    for (const char* share : {"efficiency", "dump", "interference", "rework", "restart"})
        sum += optimum[share].get<double>();
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("bursar model checkpoint: rates, saves and restarts by default") {
    const nlohmann::json one = json_of({"--params", "1e9", "--gpus", "8"});
    CHECK(one["failures"]["mtbf_s"].get<double>() / 86400 == doctest::Approx(154).epsilon(0.002));
    CHECK(one["failures"]["measured_mtbf_8_gpus_s"] == doctest::Approx(47.7 * 86400));
    CHECK(one["failures"]["measured_mtbf_1024_gpus_s"] == doctest::Approx(7.9 * 3600));
    const nlohmann::json bloom = json_of({"--params", "176e9", "--gpus", "384"});
    CHECK(bloom["failures"]["mtbf_s"].get<double>() / 3600 == doctest::Approx(77).epsilon(0.002));
    CHECK(bloom["checkpoint"]["write_b_s"] == doctest::Approx(57e9));
    CHECK(bloom["failures"]["restart_s"] == 600);
    CHECK(
        json_of(
            {"--model", "gpt-175b", "--gpus", "1024", "--rates", "fitted"})["failures"]["mtbf_s"] ==
        doctest::Approx(7.9 * 3600));
    const nlohmann::json small = json_of({"--params", "1e9", "--gpus", "8", "--rates", "fitted"});
    REQUIRE(small["warnings"].size() == 1);
    CHECK(small["warnings"][0].get<std::string>().find("found on 128 to 2048 nodes") !=
          std::string::npos);
}

TEST_CASE("bursar model checkpoint: useful time of the large runs that published it") {
    const nlohmann::json llama =
        json_of({"--model", "llama-3-405b", "--gpus", "16384", "--rates", "llama-3"});
    CHECK(row(llama, "optimum")["efficiency"] > 0.9); // published: above 90 %
    const nlohmann::json byterobust = json_of({"--model", "gpt-175b", "--gpus", "9600"});
    CHECK(row(byterobust, "optimum")["efficiency"].get<double>() ==
          doctest::Approx(0.97).epsilon(0.01)); // published: 97 %
    CHECK(byterobust["restarts"].size() == 3);
}

TEST_CASE("bursar model checkpoint: energy and emissions of a region") {
    const nlohmann::json answer = json_of({"--params",
                                           "70e9",
                                           "--gpus",
                                           "1024",
                                           "--gpu",
                                           "A100",
                                           "--region",
                                           "europe-west4",
                                           "--run",
                                           "10 d",
                                           "--energy-price",
                                           "0.10 USD/kWh"});
    const nlohmann::json& energy = answer["energy"];
    CHECK(energy["intensity_g_kwh"] == 208.81);
    CHECK(energy["pue"] == 1.1);
    const double kwh = energy["energy_j"].get<double>() / 3.6e6;
    CHECK(kwh == doctest::Approx(1024 * energy["gpu_w"].get<double>() * 1.275 * 1.1 * 240 / 1000));
    CHECK(energy["co2e_g"].get<double>() == doctest::Approx(kwh * 208.81));
    CHECK(energy["energy_usd"].get<double>() == doctest::Approx(kwh * 0.1));
    CHECK(energy["lost_energy_j"] < energy["energy_j"]);
}

TEST_CASE("bursar model checkpoint: survival curve, notice, a given interval") {
    const TemporaryFolder folder;
    const std::string curve =
        folder.write("curve.csv", "time_s,surviving_share\n600,0.6\n36000,0.5\n40000,0\n");
    const nlohmann::json answer = json_of({"--params",
                                           "7e9",
                                           "--gpus",
                                           "64",
                                           "--survival",
                                           curve,
                                           "--notice",
                                           "2 min",
                                           "--interval",
                                           "1 h"});
    CHECK(answer["notice"]["saved"] == true);
    CHECK(answer["notice"]["lost_work_s"] == 0);
    CHECK(row(answer, "given")["interval_s"] == 3600);
    const double best = row(answer, "survival-optimum")["survival_efficiency"];
    for (const nlohmann::json& other : answer["intervals"])
        CHECK(other["survival_efficiency"].get<double>() <= best);
}

TEST_CASE("bursar model checkpoint: modes block for less time, each differently") {
    const std::vector<std::string> job{"--params", "175e9", "--gpus", "1024"};
    const auto blocking = [&](const char* mode) {
        std::vector<std::string> options = job;
        options.insert(options.end(), {"--mode", mode});
        return json_of(options)["checkpoint"]["blocking_s"].get<double>();
    };
    CHECK(blocking("async") < blocking("incremental"));
    CHECK(blocking("incremental") < blocking("sync"));
}

TEST_CASE("bursar model checkpoint: options without effect are warned of") {
    const Answer answer =
        checkpoint({"--params", "175e9", "--gpus", "1024", "--copy-rate", "50 GB/s"});
    CHECK(answer.code == 0);
    CHECK(answer.err == "warning: --interference or --copy-rate without --mode async: no effect\n");
}

TEST_CASE("bursar model checkpoint: the intervals are the CSV") {
    const Answer answer = checkpoint({"--params", "175e9", "--gpus", "1024", "--format", "csv"});
    CHECK(answer.out.starts_with(
        "rule,interval_s,efficiency,dump,interference,rework,restart,first_order_waste,"
        "overhead_s_per_day\nyoung,"));
}

TEST_CASE("bursar model checkpoint: bad input gives one clear message") {
    check_refused({"--mtbf", "3"},
                  "--mtbf: \"3\" has no unit (expected a duration such as \"4 y\")");
    check_refused({"--region", "europe-west44"},
                  "--region: unknown region \"europe-west44\" (the carbon catalogue does not have "
                  "it); did you mean \"europe-west4\"?");
    check_refused({"--rates", "rsc"},
                  "--rates: no failure rates are named \"rsc\"; did you mean \"rsc-1\"?");
    check_refused(
        {"--tier", "s3-standart"},
        "--tier: no storage tier is named \"s3-standart\"; did you mean \"s3-standard\"?");
    check_refused(
        {"--mode", "async", "--write", "0.001 GB/s", "--interval", "1 s"},
        "bursar: interval: ends before the background write of the checkpoint before is over; "
        "save less often, or write faster");
    check_refused({"--node-failures-per-1000-days", "0"},
                  "bursar: failures: nothing ever fails; give a rate above zero");
    const TemporaryFolder folder;
    const std::string own =
        folder.write("gpus.yaml", "gpus:\n  - {name: X, vendor: V, source: s, date: 2026-01-31}\n");
    check_refused({"--catalog", own, "--gpu", "X", "--region", "us-east-1"},
                  "bursar: X: TDP is not known (catalogue gpus.yaml); give it in a catalogue of "
                  "your own");
    CHECK(checkpoint({"--params", "0", "--gpus", "8"}).code == 2);
    CHECK(checkpoint({"--gpus", "8"}).code == 2);
    CHECK(checkpoint({"--params", "1e9"}).code == 2);
}

} // namespace bursar::test::model_checkpoint_test

namespace bursar::test::model_failures_test {
namespace {

using Json = nlohmann::json;

Json json_of(std::vector<std::string> options) {
    options.insert(options.begin(), {"model", "failures"});
    options.insert(options.end(), {"--format", "json"});
    const Answer answer = bursar(options);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return Json::parse(answer.out);
}

/// A log drawn from `model`, as a table.
std::string drawn_log(const FailureModel& model, std::uint32_t nodes, Duration length) {
    const FailingPool pool{.nodes = nodes, .gpus_per_node = 8, .age = max_life};
    std::string text = "node,start,end,kind\n";
    for (const NodeFailure& one : draw_failures(model, std::span{&pool, 1}, length, 7))
        text += "n" + std::to_string(one.node) + ',' + std::to_string(one.time_ms / 1000) + ',' +
                std::to_string((one.time_ms + one.repair_ms) / 1000) + ",x\n";
    return text;
}

} // namespace

TEST_CASE("bursar model failures finds the model that a log was drawn from") {
    FailureModel model;
    model.components.push_back({.name = "node",
                                .per_node_hour = 0.01 / 24,
                                .repair = {{}, 60 * hour, RepairLaw::weibull, 10 * hour}});
    model.infancy = {101, 6 * hour};
    model.node_spread = 0.8;
    const TemporaryFolder folder;
    const std::string file = folder.write("faults.csv", drawn_log(model, 1000, 365 * day));
    const Json fit = json_of({file, "--nodes", "1000", "--days", "365"})["model"];
    CHECK(fit["per_node_day"].get<double>() == doctest::Approx(0.01).epsilon(0.1));
    CHECK(fit["bad_nodes_spread"].get<double>() == doctest::Approx(0.8).epsilon(0.1));
    CHECK(fit["infancy_factor"].get<double>() == doctest::Approx(101).epsilon(0.2));
    CHECK(fit["infancy_fades_s"].get<double>() == doctest::Approx(6 * 3600).epsilon(0.2));
    CHECK(fit["repair_law"] == "weibull");

    FailureModel plain;
    plain.components.push_back({.name = "node",
                                .per_node_hour = 0.01 / 24,
                                .repair = {{}, 60 * hour, RepairLaw::lognormal, 10 * hour}});
    const std::string other = folder.write("faults.csv", drawn_log(plain, 1000, 365 * day));
    const Json alike = json_of({other, "--nodes", "1000", "--days", "365"})["model"];
    CHECK(alike["repair_law"] == "lognormal");
    CHECK(alike["bad_nodes_spread"].get<double>() < 0.25);
    CHECK(alike["infancy_factor"].get<double>() < 5);
}

TEST_CASE("bursar model failures: a log that cannot be fitted") {
    const TemporaryFolder folder;
    const std::string few = folder.write("faults.csv", "node,start,end\na,1,5\nb,2,9\n");
    const Answer answer = bursar({"model", "failures", few});
    CHECK(answer.code == 2);
    CHECK(answer.err == "bursar: faults: are too few to fit a model to; at least 10\n");
    CHECK(bursar({"model", "failures", few, "--nodes", "1"}).err.find("the log names 2 nodes") !=
          std::string::npos);
}

TEST_CASE("bursar model failures --days: later faults are left out, with a warning") {
    const TemporaryFolder folder;
    std::string text = "node,start,end\n";
    for (int i = 1; i <= 20; ++i) // one a day, from day 1 on; repairs of 6 min and longer
        text += fmt::format("n{},{},{}\n", i % 3, i * 86'400, i * 86'400 + i * i * 360);
    const std::string file = folder.write("faults.csv", text);
    const Json all = json_of({file});
    CHECK(all["figures"][0]["faults"] == 20);
    const Answer cut = bursar({"model", "failures", file, "--days", "15", "--format", "json"});
    REQUIRE(cut.code == 0);
    const Json answer = Json::parse(cut.out);
    CHECK(answer["figures"][0]["faults"] == 15);
    CHECK(answer["log"]["length_s"] == 15 * 86'400);
    CHECK(cut.err.find("left out: 5 faults after the 15 days of --days (the log's last event is at "
                       "day 21.67)") != std::string::npos);
}

// Tolerances are of the mean of 40 seeds. The variance over the mean of one seed has a standard
// deviation of 0.4, the time down one of 0.3 %.
TEST_CASE("bursar model failures: a model fitted to InfiniteHBD's trace behaves like it") {
    const auto path = shared_data("data/failures-infinitehbd/fault_trace.json.gz");
    if (!path)
        return;
    const Json answer = json_of({path->string(), "--nodes", "400", "--days", "348.98"});
    const Json& log = answer["figures"][0];
    CHECK(log["down_share"].get<double>() == doctest::Approx(0.0231).epsilon(0.005));
    CHECK(log["variance_over_mean"].get<double>() == doctest::Approx(2.58).epsilon(0.02));
    CHECK(log["repair_median_s"].get<double>() / 86'400 == doctest::Approx(0.85).epsilon(0.01));
    CHECK(log["repair_mean_s"].get<double>() / 86'400 == doctest::Approx(5.54).epsilon(0.01));
    const Json& model = answer["figures"][1];
    CHECK(model["down_share"].get<double>() == doctest::Approx(0.0231).epsilon(0.1));
    CHECK(model["variance_over_mean"].get<double>() == doctest::Approx(2.58).epsilon(0.2));
    CHECK(model["repair_median_s"].get<double>() / 86'400 == doctest::Approx(0.85).epsilon(0.1));
    CHECK(model["repair_mean_s"].get<double>() / 86'400 == doctest::Approx(5.5).epsilon(0.1));
    CHECK(model["faults"].get<double>() == doctest::Approx(582).epsilon(0.05));
    CHECK(model["again_in_a_day"].get<double>() ==
          doctest::Approx(log["again_in_a_day"].get<double>()).epsilon(0.15));
    CHECK(answer["repairs"][2]["distance"] < 0.06); // weibull
    // The 348 whole days that its page names end before its last events.
    CHECK(json_of({path->string(), "--nodes", "400", "--days", "348"})["log"]["length_s"] ==
          348 * 86'400);
}

} // namespace bursar::test::model_failures_test
