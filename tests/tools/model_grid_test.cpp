// The command bursar model grid.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::model_grid_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

Words with(Words command, const Words& more) {
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

const Words two_fleets{"--offer",
                       "H100@2.10 USD/gpu-h",
                       "--offer",
                       "A100-SXM4-80GB@1.20 USD/gpu-h",
                       "--gpus",
                       "32,64",
                       "--global-batches",
                       "256,512",
                       "--tokens",
                       "1e11"};

Json model(Words arguments) {
    arguments.insert(arguments.begin(), "model");
    arguments.insert(arguments.end(), {"--format", "json"});
    const Answer answer = bursar(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return Json::parse(answer.out);
}

Json grid(const Words& more) {
    return model(with({"grid", "--models", "llama-3-8b,gpt-7.5b"}, with(two_fleets, more)));
}

void refused(const Words& arguments, const std::string& words) {
    const Answer answer = bursar(with({"model", "grid"}, arguments));
    CAPTURE(answer.err);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err.find(words) != std::string::npos);
}

std::string text(const Json& number) {
    return std::to_string(number.get<std::int64_t>());
}

Json of_model(const Json& rows, const std::string& name) {
    Json found = Json::array();
    for (const Json& row : rows)
        if (row["model"] == name)
            found.push_back(row);
    return found;
}

bool is_sorted_by(const Json& rows, const char* key) {
    return std::is_sorted(rows.begin(), rows.end(), [key](const Json& a, const Json& b) {
        return a[key].get<double>() < b[key].get<double>();
    });
}

/// The command that times one row separately.
Words step_of(const Json& row) {
    Words command{"step",
                  "--model",
                  row["model"],
                  "--gpu",
                  row["gpu"],
                  "--gpus",
                  text(row["gpus"]),
                  "--global-batch",
                  text(row["global_batch"]),
                  "--stack",
                  "megatron-core-h100",
                  "--precision",
                  row["precision"],
                  "--recompute",
                  row["recompute"],
                  "--sharding",
                  row["sharding"],
                  "--micro-batch",
                  text(row["micro_batch"])};
    for (const char* degree : {"tensor", "pipeline", "chunks", "context"})
        command = with(std::move(command), {std::string{"--"} + degree, text(row[degree])});
    if (row["sequence_parallel"].get<bool>())
        command.emplace_back("--sequence-parallel");
    return command;
}

} // namespace

TEST_CASE("the rows of a grid equal model step") {
    const Json found = grid({"--keep", "4", "--by", "time"});
    REQUIRE(found["best_runs"].size() == 8);
    for (const char* table : {"best_runs", "pareto"}) {
        REQUIRE(!found[table].empty());
        for (const Json& row : found[table])
            CHECK(model(step_of(row))["step"]["step_s"] == row["step_s"]);
    }
}

TEST_CASE("a grid of one model and one fleet equals model layout") {
    const Words job{"--tokens", "1e11", "--keep", "1", "--precision", "bf16"};
    const Json layout = model(with({"layout",
                                    "--model",
                                    "llama-3-8b",
                                    "--fleet",
                                    "H100:64@2.10 USD/gpu-h",
                                    "--global-batch",
                                    "512"},
                                   job));
    const Json found = model(with({"grid",
                                   "--models",
                                   "llama-3-8b",
                                   "--offer",
                                   "H100@2.10 USD/gpu-h",
                                   "--gpus",
                                   "64",
                                   "--global-batches",
                                   "512"},
                                  job));
    CHECK(found["search"] == layout["search"]);
    for (const char* key : {"duration_s", "cost_usd", "step_s", "memory_b", "tensor", "sharding"})
        CHECK(found["best_runs"][0][key] == layout["plans"][0][key]);
}

TEST_CASE("ranks each model by the requested metric; the front gets cheaper as it gets slower") {
    const Json cheap = grid({"--keep", "20"});
    const Json fast = grid({"--keep", "20", "--by", "time"});
    CHECK(cheap["pareto"] == fast["pareto"]);
    CHECK(cheap["best_runs"].size() == 40);
    for (const char* name : {"llama-3-8b", "gpt-7.5b"}) {
        const Json cheapest = of_model(cheap["best_runs"], name);
        const Json fastest = of_model(fast["best_runs"], name);
        const Json front = of_model(cheap["pareto"], name);
        CHECK(cheapest.size() == 20);
        CHECK(is_sorted_by(cheapest, "cost_usd"));
        CHECK(is_sorted_by(fastest, "duration_s"));
        CHECK(is_sorted_by(front, "duration_s"));
        for (std::size_t i = 1; i < front.size(); ++i)
            CHECK(front[i]["cost_usd"] < front[i - 1]["cost_usd"]);
        CHECK(front.front()["duration_s"] == fastest[0]["duration_s"]);
        CHECK(front.back()["cost_usd"] == cheapest[0]["cost_usd"]);
    }
}

TEST_CASE("a model that fits nowhere is named beside those that fit") {
    const Json found = model(with({"grid", "--models", "gpt-530b,llama-3-8b"}, two_fleets));
    CHECK(found["best_runs"].size() == 10);
    CHECK(of_model(found["best_runs"], "gpt-530b").empty());
    CHECK(found["uncertainty"].size() == 2);
    CHECK(found["uncertainty"]["llama-3-8b_low"] == found["best_runs"][0]["range_low"]);
    CHECK(found["uncertainty"]["llama-3-8b_high"] == found["best_runs"][0]["range_high"]);
    CHECK(found["warnings"].dump().find("points of gpt-530b fits") != std::string::npos);
}

TEST_CASE("formats that a GPU lacks are left out with a note") {
    const Json found = grid({"--precisions", "bf16,fp8", "--by", "time", "--keep", "1000"});
    CHECK(found["warnings"].dump().find("A100-SXM4-80GB has no fp8: left out") !=
          std::string::npos);
    bool has_fp8 = false;
    for (const Json& row : found["best_runs"]) {
        has_fp8 = has_fp8 || row["precision"] == "fp8";
        CHECK((row["precision"] == "bf16" || row["gpu"] == "H100-SXM5-80GB"));
    }
    CHECK(has_fp8);
}

TEST_CASE("CSV gives the best runs") {
    const Answer answer = bursar(with(
        {"model", "grid", "--models", "llama-3-8b", "--keep", "2", "--format", "csv"}, two_fleets));
    CHECK(answer.code == 0);
    CHECK(answer.out.starts_with("model,gpu,gpus,price,global_batch,duration_s,cost_usd,tensor,"));
    CHECK(std::count(answer.out.begin(), answer.out.end(), '\n') == 3);
}

TEST_CASE("host and device give equal grids; a missing GPU is code 1") {
    CHECK(grid({"--device", "cpu"}) == grid({}));
    const Answer asked =
        bursar(with({"model", "grid", "--models", "llama-3-8b", "--device", "cuda"}, two_fleets));
    if (asked.code == 0) {
        CHECK(asked.out.find("points worked out by") != std::string::npos);
        return;
    }
    CHECK(asked.code == 1);
    CHECK(asked.out.empty());
    CHECK(asked.err.starts_with("--device cuda: "));
    refused(with({"--models", "llama-3-8b", "--device", "gpu"}, two_fleets), "--device");
}

TEST_CASE("impossible grids are refused in one line") {
    const Words fleet{"--offer", "H100@2 USD/gpu-h", "--tokens", "1e9"};
    const Words llama = with({"--models", "llama-3-8b"}, fleet);
    refused(with({"--models", "llama-3-8c", "--gpus", "8"}, fleet), "no network is named");
    refused(with({"--models", "gpt-7.5b,gpt-7.5b", "--gpus", "8"}, fleet),
            "--models: gpt-7.5b is given twice");
    refused(with({"--models", "resnet-50", "--gpus", "8"}, fleet), "is not a transformer");
    refused(with(llama, {"--gpus", "8,x"}), "--gpus: \"x\" is not a count");
    refused(with(llama, {"--gpus", "8,0"}), "--gpus: \"0\" is not a count");
    refused(with(llama, {"--gpus", "8,8"}), "--gpus: 8 is given twice");
    refused(with(llama, {"--gpus", "8", "--global-batches", "-1"}), "--global-batches");
    refused(with(llama, {"--gpus", "8", "--precisions", "fp64"}), "unknown format \"fp64\"");
    refused(with(llama, {"--gpus", "8", "--offer", "H100"}), "\"H100\" is not an offer");
    refused(with(llama, {"--gpus", "8", "--offer", "H101@1 USD/gpu-h"}), "no GPU is named");
    refused(with(llama, {"--gpus", "8", "--offer", "H100@1 USD"}), "--offer");
    refused(llama, "--gpus");
    refused({"--models", "llama-3-8b", "--gpus", "8", "--offer", "H100@2 USD/gpu-h"}, "--tokens");
    refused({"--models",
             "llama-3-8b",
             "--gpus",
             "8",
             "--tokens",
             "1e9",
             "--offer",
             "A100-SXM4-80GB@1 USD/gpu-h",
             "--precisions",
             "fp8"},
            "no GPU of an --offer has any of them");
    refused(with({"--models", "gpt-175b", "--gpus", "8"}, fleet),
            "points of gpt-175b fits: the smallest needs");
}

} // namespace bursar::test::model_grid_test
