// The commands bursar model memory, batch and layout.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::model_memory_test {
namespace {

nlohmann::json model(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "model");
    arguments.insert(arguments.end(), {"--format", "json"});
    const Answer answer = bursar(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

/// The message of a refused command, on stderr.
std::string refusal(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "model");
    const Answer answer = bursar(arguments);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    return answer.err;
}

bool says(const std::string& text, const char* words) {
    CAPTURE(text);
    return text.find(words) != std::string::npos;
}

const std::vector<std::string> gpt{
    "--model", "gpt-175b", "--gpu", "A100-SXM4-80GB", "--gpus", "64", "--attention", "unfused"};

std::vector<std::string> with(std::vector<std::string> command,
                              const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

} // namespace

TEST_CASE("memory adds up its parts and suggests what would fit") {
    std::vector<std::string> command{
        "memory", "--tensor", "8", "--pipeline", "8", "--recompute", "none", "--anyway"};
    const nlohmann::json answer = model(with(command, gpt));
    const nlohmann::json& memory = answer["memory"];
    double sum = 0;
    for (const char* part : {"weights_b",
                             "gradients_b",
                             "optimizer_b",
                             "gathered_b",
                             "step_b",
                             "activations_b",
                             "fragmentation_b",
                             "buffers_b",
                             "context_b",
                             "communicators_b"})
        sum += memory[part].get<double>();
    sum += std::max(memory["working_b"].get<double>(), memory["logits_b"].get<double>());
    CHECK(memory["total_b"].get<double>() == doctest::Approx(sum));
    CHECK_FALSE(memory["fits"].get<bool>());
    REQUIRE_FALSE(answer["remedies"].empty());
    for (const nlohmann::json& remedy : answer["remedies"])
        CHECK(remedy["total_b"].get<double>() <= memory["capacity_b"].get<double>());
    CHECK(says(answer["headline"].dump(), "too much"));
}

TEST_CASE("memory that does not fit is shown, under a headline and with exit code 2") {
    const std::vector<std::string> job{
        "model", "memory", "--model", "llama-3-70b", "--gpus", "64", "--tensor", "8"};
    const Answer table = bursar(job);
    CHECK(table.code == 2);
    CHECK(table.out.starts_with("does not fit: needs "));
    CHECK(says(table.out, "optimizer states"));
    CHECK(table.err == "bursar: does not fit\n"); // the rest is in the answer
    const Answer csv = bursar(with(job, {"--format", "csv"}));
    CHECK(csv.code == 2);
    CHECK(says(csv.out, "memory,fits,false,"));
    CHECK(says(csv.out, "memory,total_b,"));
    CHECK_FALSE(says(csv.out, "headroom_b,tensor"));
    CHECK(bursar(with(job, {"--anyway"})).code == 0);
}

TEST_CASE("a micro-batch of which not even one fits is refused, too") {
    const Answer answer = bursar({"model", "batch", "--model", "llama-3-70b", "--gpus", "8"});
    CHECK(answer.code == 2);
    CHECK(answer.err == "bursar: not even one sample fits\n");
    CHECK(answer.out.starts_with("not even one sample fits: "));
}

TEST_CASE("batch finds the largest micro-batch that fits in memory") {
    const std::vector<std::string> job{
        "--model", "llama-3-8b", "--gpus", "8", "--sharding", "zero3", "--recompute", "full"};
    const nlohmann::json found = model(with({"batch"}, job));
    const auto batch = found["batch"]["micro_batch"].get<std::int64_t>();
    REQUIRE(batch > 0);
    const auto fits = [&](std::int64_t size) {
        return model(with({"memory", "--anyway", "--micro-batch", std::to_string(size)},
                          job))["memory"]["fits"]
            .get<bool>();
    };
    CHECK(fits(batch));
    CHECK_FALSE(fits(batch + 1));
    const nlohmann::json rounded = model(with({"batch", "--round", "power-of-two"}, job));
    CHECK(rounded["batch"]["micro_batch"].get<std::int64_t>() <= batch);
}

TEST_CASE("layout ranks by time and lists what it left out") {
    const nlohmann::json answer = model(
        with({"layout", "--global-batch", "64", "--keep", "3", "--price", "2 USD/gpu-h"}, gpt));
    CHECK(answer["search"]["evaluated"].get<int>() > 0);
    CHECK(answer["search"]["excluded_by_memory"].get<int>() > 0);
    const nlohmann::json& best = answer["best_layouts"];
    REQUIRE(best.size() == 3);
    CHECK(best[0]["step_s"] <= best[1]["step_s"]);
    CHECK(best[0]["step_s"].get<double>() ==
          doctest::Approx(answer["best"]["step_s"].get<double>()));
    CHECK(best[0]["tokens_per_usd"].get<double>() ==
          doctest::Approx(best[0]["tokens_per_s"].get<double>() * 3600 / (64 * 2)));
}

TEST_CASE("a budget compares fleets") {
    const std::vector<std::string> command{"layout",
                                           "--model",
                                           "llama-3-8b",
                                           "--fleet",
                                           "H100:64@2.10 USD/gpu-h",
                                           "--fleet",
                                           "A100-SXM4-80GB:128@1.20 USD/gpu-h",
                                           "--tokens",
                                           "1e11",
                                           "--global-batch",
                                           "1024"};
    const nlohmann::json plans = model(command)["plans"];
    REQUIRE(plans.size() == 2);
    CHECK(plans[0]["cost_usd"] <= plans[1]["cost_usd"]);
    CHECK(plans[0]["meets_goal"].get<bool>());
    for (const nlohmann::json& plan : plans) {
        CHECK(plan["headroom_b"].get<double>() >= 0);
        CHECK(plan["fit_chance"].get<double>() >= 0.8);
    }
    const nlohmann::json poor = model(with(command, {"--budget", "1"}));
    CHECK_FALSE(poor["plans"][0]["meets_goal"].get<bool>());
    CHECK(says(poor["warnings"].dump(), "no fleet meets"));
}

TEST_CASE("impossible input is refused in one line") {
    CHECK(says(
        refusal(with({"memory", "--tensor", "8", "--pipeline", "128"}, {"--model", "gpt-175b"})),
        "pipeline: 128 stages for 96 layers; give at most 96"));
    CHECK(says(refusal({"layout", "--model", "gpt-175b", "--gpus", "8"}),
               "no layout on 8 GPUs fits"));
    CHECK(says(refusal({"layout", "--model", "llama-3-8b", "--fleet", "H100"}),
               "\"H100\" is not a fleet"));
    CHECK(says(refusal({"layout", "--model", "llama-3-8b", "--budget", "5"}), "--tokens: missing"));
    CHECK(says(refusal({"layout", "--model", "llama-3-8b", "--precisions", "fp64"}),
               "unknown format \"fp64\""));
    CHECK(says(refusal({"layout", "--model", "llama-3-8b", "--gpu", "A100", "--precisions", "fp8"}),
               "has no fp8"));
}

} // namespace bursar::test::model_memory_test
