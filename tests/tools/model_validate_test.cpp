// The commands bursar model validate and calibrate.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/step_errors.hpp"

#include "tests/tools/program.hpp"

namespace bursar::test::model_validate_test {
namespace {

/// Steps that scale with the batch, of an unknown stack.
std::string steps(int rows) {
    std::string text = "id,source,framework,gpu,gpus,layers,hidden,heads,seq,global_batch,"
                       "micro_batch,precision,attention,step_s\n";
    for (int i = 0; i < rows; ++i) {
        const int batch = 8 << i % 5;
        const int hidden = 1024 << i % 3;
        const double work = batch * (hidden / 1024.0) * (hidden / 1024.0);
        text += "r" + std::to_string(i) + ",own,my stack,A100,8,24," + std::to_string(hidden) +
                ",16,1024," + std::to_string(batch) + ",1,fp16,unfused," +
                std::to_string(0.02 + 0.006 * work) + "\n";
    }
    return text;
}

} // namespace

TEST_CASE("a folder is validated, in every format, row by row") {
    const TemporaryFolder folder;
    folder.write("steps.csv", steps(4));
    folder.write("note.txt", "not a table");
    const Answer table = bursar({"model", "validate", folder.path().string()});
    CHECK(table.code == 0);
    CHECK(table.out.find("Unseen sources") != std::string::npos);
    const std::string rows = folder.file("rows.out");
    const Answer json =
        bursar({"model", "validate", folder.path().string(), "--format", "json", "--rows", rows});
    REQUIRE(json.code == 0);
    const auto answer = nlohmann::json::parse(json.out);
    CHECK(answer["groups"][0]["n"] == 4);
    CHECK(answer["groups"][0]["tuned"] == false);
    CHECK(answer["unanswered"].empty());
    CHECK(read_file(rows).find("r3,steps.csv,my stack") != std::string::npos);
    const Answer csv = bursar({"model", "validate", folder.path().string(), "--format", "csv"});
    CHECK(csv.out.starts_with("file,framework,gpu,quantity,profile,tuned,n,answered,"));
}

TEST_CASE("a file that cannot be read does not affect the others") {
    const TemporaryFolder folder;
    folder.write("steps.csv", steps(4));
    folder.write("empty.csv", "");
    const Answer json = bursar({"model", "validate", folder.path().string(), "--format", "json"});
    REQUIRE(json.code == 0);
    const auto answer = nlohmann::json::parse(json.out);
    REQUIRE(answer["unanswered"].size() == 1);
    CHECK(answer["unanswered"][0]["id"] == "empty.csv");
    CHECK(answer["unanswered"][0]["why"].get<std::string>().find("empty") != std::string::npos);
    const Answer alone = bursar({"model", "validate", folder.file("empty.csv")});
    CHECK(alone.code == 2);
    CHECK(alone.out.empty());
}

TEST_CASE("a folder without measurements is an error") {
    const TemporaryFolder folder;
    const Answer answer = bursar({"model", "validate", folder.path().string()});
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err.find("no measurements") != std::string::npos);
}

TEST_CASE("a calibrated profile reads back, and its rows count as seen") {
    const TemporaryFolder folder;
    const std::string file = folder.write("steps.csv", steps(20));
    const std::string out = folder.file("stack.yaml");
    const Answer fitted = bursar({"model", "calibrate", file, "--out", out, "--format", "json"});
    CAPTURE(fitted.err);
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    REQUIRE(answer["errors"].size() == 3);
    CHECK(answer["errors"][1]["n"] == 10);
    CHECK(answer["errors"][2]["n"] == 10);
    CHECK(answer["errors"][2]["mape"].get<double>() < answer["errors"][0]["mape"].get<double>());
    const Answer held = bursar({"model", "validate", file, "--stacks", out, "--format", "json"});
    REQUIRE(held.code == 0);
    const auto groups = nlohmann::json::parse(held.out)["groups"];
    REQUIRE(groups.size() == 2);
    for (const auto& group : groups) {
        CHECK(group["tuned"] == true);
        CHECK(group["n"] == 10);
    }
    CHECK(groups[0]["profile"] != groups[1]["profile"]); // fitted and held-out rows
}

TEST_CASE("only chosen constants are fitted") {
    const TemporaryFolder folder;
    const std::string file = folder.write("steps.csv", steps(20));
    const Answer fitted = bursar({"model",
                                  "calibrate",
                                  file,
                                  "--free",
                                  "gemm_efficiency,host_forward",
                                  "--all-rows",
                                  "--format",
                                  "json"});
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    CHECK(answer["constants"].size() == 2);
    CHECK(answer["errors"][1]["n"] == 20);
    CHECK(answer["errors"][2]["n"] == 20); // every row by a fit without it
}

TEST_CASE("three rows calibrate a profile, and each is predicted without it") {
    const TemporaryFolder folder;
    const std::string file = folder.write("three.csv", steps(3));
    const std::string out = folder.file("own.yaml");
    const Answer fitted = bursar({"model",
                                  "calibrate",
                                  file,
                                  "--stack",
                                  "megatron-lm-2021",
                                  "--out",
                                  out,
                                  "--format",
                                  "json"});
    CAPTURE(fitted.err);
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    CHECK(answer["errors"][1]["n"] == 3);
    CHECK(answer["errors"][2]["n"] == 3);
    REQUIRE(answer["left_out"].size() == 3);
    double sum = 0;
    for (const auto& row : answer["left_out"]) {
        CHECK(row["row"].get<std::string>().starts_with("r"));
        const double error = row["predicted_s"].get<double>() / row["measured_s"].get<double>() - 1;
        CHECK(row["error"].get<double>() == doctest::Approx(error));
        sum += std::abs(error);
    }
    const double mape = answer["errors"][2]["mape"].get<double>();
    CHECK(mape == doctest::Approx(sum / 3));
    CHECK(mape < answer["errors"][0]["mape"].get<double>());
    const Stacks own = read_stacks(out);
    REQUIRE(own.all.size() == 1);
    CHECK(own.all[0].name == "megatron-lm-2021-calibrated");
    CHECK(own.all[0].held_out_error == doctest::Approx(mape));
    CHECK(own.all[0].fitted_on.at(0).source == "own");
}

TEST_CASE("a constant that ends at its bound is reported on stderr and in the profile") {
    const TemporaryFolder folder;
    std::string rows = steps(0);
    for (const char* batch : {"8", "16", "32", "64"}) // faster than the GPU can be
        rows += std::string{"f"} + batch + ",own,my stack,A100,8,24,4096,16,1024," + batch +
                ",1,fp16,unfused,0.02\n";
    const std::string file = folder.write("fast.csv", rows);
    const std::string out = folder.file("own.yaml");
    const Answer fitted = bursar({"model", "calibrate", file, "--out", out});
    REQUIRE(fitted.code == 0);
    CHECK(fitted.err.find(": the rows would need a value beyond its physical limit") !=
          std::string::npos);
    CHECK(read_file(out).find(" at its m") != std::string::npos);
}

TEST_CASE("a calibrated profile is used in the bill, with its error") {
    const TemporaryFolder folder;
    const std::string out = folder.file("own.yaml");
    const Answer fitted =
        bursar({"model", "calibrate", folder.write("three.csv", steps(3)), "--out", out});
    REQUIRE(fitted.code == 0);
    const double error = *read_stacks(out).all.at(0).held_out_error;
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\n"
        "workload:\n"
        "  jobs: [{name: a, gpus: 8}]\n"
        "  classes: [{model: gpt-1.3b, steps: 50000, batch: 64 samples, stack: own.yaml}]\n"
        "fleet: [{pool: p, purchase: owned, gpu: A100, nodes: 1, gpus_per_node: 8,\n"
        "  price: 2 USD/gpu-h}]\n");
    const Answer run = bursar({"run", scenario, "--format", "json"});
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    const auto modelled = nlohmann::json::parse(run.out)["modelled"];
    REQUIRE(modelled.size() == 1);
    const double measured = step_error({.stack = "composer",
                                        .is_stack_known = true,
                                        .gpu = "A100-SXM4-40GB",
                                        .gpus = 8,
                                        .parameters = 1e9,
                                        .sequence = 2048})
                                .range.high;
    CHECK(modelled[0]["range_high"].get<double>() ==
          doctest::Approx(std::max(1 + 1.61 * error, measured)));
    CHECK(modelled[0]["range_low"].get<double>() < 1);
    CHECK(modelled[0]["stack"].get<std::string>().ends_with("-calibrated"));
    const Answer by_name =
        bursar({"run",
                scenario,
                "--stacks",
                out,
                "--set",
                "workload.classes[0].stack=" + modelled[0]["stack"].get<std::string>(),
                "--format",
                "json"});
    CHECK(nlohmann::json::parse(by_name.out)["modelled"] == modelled);
    CHECK(bursar({"check", scenario}).out.find("% in 80 % of cases") != std::string::npos);
}

TEST_CASE("data that cannot be calibrated are refused with the reason") {
    const TemporaryFolder folder;
    const auto refusal = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"model", "calibrate"});
        const Answer answer = bursar(arguments);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        return answer.err;
    };
    const std::string two = folder.write("two.csv", steps(2));
    CHECK(refusal({two}).find("2 usable measured steps are too few") != std::string::npos);
    const std::string none = folder.write("none.csv",
                                          "id,source,gpu,gpus,layers,hidden,heads,seq,step_s\n"
                                          "x,own,A100,8,24,1024,16,1024,\n");
    has(refusal({none}), "0 usable measured steps are too few to calibrate and test");
    has(refusal({none}), none + ":2:");
    const std::string some = folder.write("some.csv", steps(12));
    CHECK(refusal({some, "--stack", "megatron"}).find("no profile is named") != std::string::npos);
    CHECK(refusal({some, "--free", "gem_efficiency"}).find("gem_efficiency") != std::string::npos);
    const std::string other = folder.write("other.csv", "gpu,mamf_tflops\nA100,270\n");
    CHECK(refusal({other}).find("no training steps") != std::string::npos);
    CHECK(refusal({folder.file("absent.csv")}).find("absent.csv") != std::string::npos);
}

} // namespace bursar::test::model_validate_test
