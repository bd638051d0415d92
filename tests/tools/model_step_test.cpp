// `bursar model step`: its answers, and its refusals: one message, exit code 2, nothing on stdout.

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace bursar::test::model_step_test {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

Answer step(Arguments more) {
    Arguments arguments{"model", "step"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return bursar(arguments);
}

Json answered(Arguments more) {
    more.insert(more.end(), {"--format", "json"});
    const Answer answer = step(more);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return Json::parse(answer.out);
}

/// Its one message.
std::string refusal(const Arguments& arguments) {
    const Answer answer = step(arguments);
    CAPTURE(answer.err);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err.find("warning") == std::string::npos);
    return answer.err;
}

const Arguments narayanan_175b{"--model",
                               "gpt-175b",
                               "--gpu",
                               "A100",
                               "--gpus",
                               "1024",
                               "--tensor",
                               "8",
                               "--pipeline",
                               "16",
                               "--global-batch",
                               "1536",
                               "--recompute",
                               "full",
                               "--attention",
                               "unfused"};

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

TEST_CASE("the terms of a step add up to it, and rates follow from it") {
    const Json json = answered(with(narayanan_175b, {"--price", "2 USD/gpu-h"}));
    double sum = 0;
    for (const auto& [key, value] : json["terms"].items())
        sum += value.get<double>();
    const double step_s = json["step"]["step_s"];
    CHECK(sum == doctest::Approx(step_s));
    const double tokens = 1536.0 * 2048.0;
    CHECK(json["step"]["tokens_per_s"].get<double>() == doctest::Approx(tokens / step_s));
    CHECK(json["step"]["usd_per_step"].get<double>() ==
          doctest::Approx(2.0 * 1024 * step_s / 3600));
    CHECK(json["step"]["usd_per_million_tokens"].get<double>() ==
          doctest::Approx(2.0 * 1024 * step_s / 3600 / tokens * 1e6));
    // Full recompute: hardware FLOP are 4/3 of the layers' part.
    const double ratio = json["step"]["hfu"].get<double>() / json["step"]["mfu"].get<double>();
    CHECK(ratio > 1.3);
    CHECK(ratio < 4.0 / 3.0);
    CHECK(json["step"]["mfu_6n"] < json["step"]["mfu_causal"]);
    CHECK(json["step"]["mfu_causal"] < json["step"]["mfu"]);
    CHECK(json["job"]["gpus"] == 1024);
    CHECK(json["constants"].contains("gemm_efficiency"));
    CHECK(json["sources"].size() == 4);
}

TEST_CASE("a step of 175B on 1024 A100 takes about the 32 s that were published") {
    // Narayanan 2021: 138-140 TFLOP/s, about 32 s; the profile of that paper within 25 %.
    const Json json = answered(with(narayanan_175b, {"--stack", "megatron-lm-2021"}));
    CHECK(json["step"]["step_s"].get<double>() == doctest::Approx(32).epsilon(0.25));
}

TEST_CASE("data ranks and micro-batches follow from the rest") {
    const Json json = answered({"--model",
                                "llama-3-8b",
                                "--gpus",
                                "16",
                                "--tensor",
                                "2",
                                "--global-batch",
                                "64",
                                "--micro-batch",
                                "2",
                                "--sharding",
                                "zero2"});
    CHECK(json["job"]["layout"] == "tensor 2 x pipeline 1 x data 8");
    CHECK(json["job"]["global_batch"] == 64);
    const Json own = answered({"--layers",
                               "24",
                               "--hidden",
                               "2048",
                               "--heads",
                               "16",
                               "--gpu",
                               "V100",
                               "--attention",
                               "unfused"});
    CHECK(own["job"]["precision"] == "fp16"); // V100 has no bf16
    CHECK(own["job"]["gpus"] == 8);
}

TEST_CASE("a network without a formula has a step, too") {
    const Json json = answered({"--model",
                                "resnet-50",
                                "--gpu",
                                "A100",
                                "--gpus",
                                "8",
                                "--micro-batch",
                                "256",
                                "--precision",
                                "fp16"});
    CHECK(json["terms"]["memory_bound_s"] > json["terms"]["gemm_s"]);
    CHECK(json["step"]["samples_per_s"] > 8000);
    CHECK(has(refusal({"--model", "resnet-50", "--tensor", "2"}), "plain data parallel"));
    const Answer table = step({"--model", "resnet-50", "--gpus", "8", "--global-batch", "2048"});
    CHECK(has(table.out, "256 per pass, 1 pass per GPU"));
}

TEST_CASE("unknown names are refused with the nearest ones") {
    CHECK(refusal({"--model", "gpt-175b", "--gpu", "A1000"})
              .find("--gpu: no GPU is named \"A1000\"") == 0);
    CHECK(has(refusal({"--model", "gpt-176b"}), "did you mean \"gpt-175b\""));
    CHECK(has(refusal({"--model", "gpt-175b", "--stack", "megatron-core-h10"}),
              "did you mean \"megatron-core-h100\"?"));
    CHECK(has(refusal({"--model", "gpt-175b", "--recompute", "selektive"}),
              "--recompute: unknown name \"selektive\"; did you mean \"selective\"?"));
    CHECK(has(refusal({"--model", "gpt-175b", "--recompute", "every 0"}), "or \"every 2\""));
    CHECK(has(refusal({"--model", "gpt-175b", "--format", "yaml"}), "--format: unknown name"));
    const Answer unknown = bursar({"model", "stp"});
    CHECK(unknown.code == 2);
    CHECK(has(unknown.err, "bursar model: unknown command \"stp\"; did you mean \"step\"?"));
    CHECK(has(refusal({}), "bursar: model: missing; name one of `bursar catalog models`"));
    CHECK(bursar({"model"}).code == 2);
}

TEST_CASE("a precision that the GPU lacks is refused with those it has") {
    CHECK(has(refusal({"--model", "gpt-1.3b", "--gpu", "A100", "--precision", "fp8"}),
              "precision: A100-SXM4-80GB has no fp8"));
    CHECK(has(refusal({"--model", "gpt-1.3b", "--gpu", "V100", "--precision", "bf16"}),
              "it has fp32, fp16"));
}

TEST_CASE("impossible layouts are refused") {
    const Arguments job{"--model", "gpt-175b", "--gpu", "A100"};
    CHECK(has(refusal(with(job, {"--gpus", "60", "--tensor", "5"})), "tensor: 5 does not divide"));
    CHECK(has(refusal(with(job, {"--pipeline", "97", "--gpus", "97"})), "97 stages for 96 layers"));
    CHECK(has(refusal(with(job, {"--gpus", "100", "--tensor", "8"})),
              "gpus: 100 are not a multiple"));
    CHECK(has(refusal(with(job, {"--gpus", "64", "--data", "7"})), "64 would"));
    CHECK(has(refusal(with(job, {"--gpus", "8", "--data", "8", "--global-batch", "9"})),
              "global_batch: 9 is not a multiple"));
    CHECK(has(refusal(with(job, {"--gpus", "16", "--tensor", "16"})), "tensor"));
    CHECK(has(refusal({"--layers", "2", "--hidden", "100", "--heads", "3"}),
              "heads: 3 heads do not divide the hidden size 100"));
    CHECK(has(refusal({"--layers", "2", "--hidden", "96", "--heads", "4", "--kv-heads", "3"}),
              "kv_heads: 3 does not divide heads 4"));
}

TEST_CASE("passes that are not stated have their reasons, in the table and in JSON") {
    const std::vector<std::string> command{"model",
                                           "step",
                                           "--model",
                                           "llama-3-8b",
                                           "--gpu",
                                           "H100",
                                           "--gpus",
                                           "64",
                                           "--tensor",
                                           "2",
                                           "--global-batch",
                                           "256"};
    std::vector<std::string> as_json = command;
    as_json.insert(as_json.end(), {"--format", "json"});
    const auto answer = nlohmann::json::parse(bursar(as_json).out);
    const auto assumed = answer["job"]["passes_assumed"].get<std::string>();
    CHECK(assumed.starts_with("micro_batch: 2, not stated (4 needs "));
    CHECK(assumed.ends_with("; recompute: none, not stated"));
    CHECK(bursar(command).out.find("micro_batch: 2, not stated (4 needs ") != std::string::npos);
    as_json.insert(as_json.end(), {"--micro-batch", "1", "--recompute", "none"});
    CHECK_FALSE(nlohmann::json::parse(bursar(as_json).out)["job"].contains("passes_assumed"));
}

TEST_CASE("options without an effect are refused") {
    const auto refusal = [](const std::string& command, std::vector<std::string> more) {
        std::vector<std::string> all{
            "model", command, "--model", "llama-3-8b", "--gpu", "B200", "--gpus", "8"};
        all.insert(all.end(), more.begin(), more.end());
        return bursar(all).err;
    };
    for (const char* command : {"step", "memory", "batch", "layout"}) {
        CAPTURE(command);
        for (const char* format : {"bf16", "nvfp4"})
            CHECK(refusal(command, {"--fp8-scaling", "current", "--precision", format})
                      .find(std::string{"bursar: --fp8-scaling: has no effect on "} + format) !=
                  std::string::npos);
        CHECK(refusal(command, {"--sharding", "none", "--shard-ranks", "4"})
                  .find("shard_ranks: ranks share states, and nothing is sharded") !=
              std::string::npos);
    }
    CHECK(refusal("layout", {"--micro-batch", "2", "--largest-micro-batch", "4"})
              .find("--micro-batch excludes --largest-micro-batch") != std::string::npos);
    CHECK(refusal("layout", {"--precisions", "bf16,fp8", "--fp8-scaling", "current"}).empty());
}

TEST_CASE("a search under a stage of ZeRO stays at that stage, with its stack") {
    const Answer answer = bursar({"model",
                                  "step",
                                  "--model",
                                  "llama-2-7b",
                                  "--gpu",
                                  "A100-80GB",
                                  "--gpus",
                                  "16",
                                  "--framework",
                                  "zero-3",
                                  "--format",
                                  "json"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    const auto job = nlohmann::json::parse(answer.out)["job"];
    CHECK(job["sharding"] == "zero3");
    CHECK(job["stack"] == "deepspeed-zero3");
}

TEST_CASE("sizes of zero, below zero and beyond any machine are refused") {
    for (const char* option : {"--gpus",
                               "--gpus-per-node",
                               "--tensor",
                               "--pipeline",
                               "--chunks",
                               "--context",
                               "--expert",
                               "--data",
                               "--micro-batch",
                               "--global-batch",
                               "--seq"})
        for (const char* value : {"0", "-1"}) {
            CAPTURE(option);
            CAPTURE(value);
            CHECK(has(refusal({"--model", "gpt-1.3b", option, value}), "--"));
        }
    for (const char* value : {"1e3", "99999999999999999999", "many", ""})
        CHECK(has(refusal({"--model", "gpt-1.3b", "--tensor", value}), "--tensor"));
    for (const char* option : {"--layers", "--hidden", "--heads", "--ffn", "--vocab"})
        CHECK(has(refusal({option, "-4"}), "is not a whole number from 1 to "));
    CHECK(has(refusal({"--model", "gpt-1.3b", "--layers", "2"}), "--layers"));
}

TEST_CASE("quantities need their units") {
    const Arguments job{"--model", "gpt-1.3b"};
    CHECK(
        has(refusal(with(job, {"--node-network", "400"})), "--node-network: \"400\" has no unit"));
    CHECK(has(refusal(with(job, {"--node-network", "400 GBit/s"})), "Gbit/s"));
    CHECK(has(refusal(with(job, {"--node-network", "0 Gbit/s"})), "zero"));
    CHECK(has(refusal(with(job, {"--price", "2"})), "--price: \"2\" has no unit"));
    CHECK(has(refusal(with(job, {"--price", "-2 USD/gpu-h"})), "negative"));
}

TEST_CASE("the user's catalogues are read, and their mistakes reported with their place") {
    const TemporaryFolder folder;
    const std::string bad =
        folder.write("bad.yaml", "stacks:\n  - {name: x, source: s, fast: 1}\n");
    CHECK(has(refusal({"--model", "gpt-1.3b", "--stacks", bad}), "bad.yaml:2:"));
    CHECK(has(refusal({"--model", "gpt-1.3b", "--architectures", folder.file("none.yaml")}),
              "none.yaml"));
    const std::string stacks =
        folder.write("s.yaml", "stacks:\n  - {name: mine, source: guessed}\n");
    const Json json = answered({"--model", "gpt-1.3b", "--stacks", stacks});
    CHECK(json["job"]["stack"] == "mine");
    CHECK(json["sources"][2] == "mine: guessed");
}

TEST_CASE("a step without --stack takes the nearest one, with the reason and its error") {
    const Arguments sharded{
        "--model", "gpt-1.3b", "--gpus", "8", "--sharding", "zero3", "--micro-batch", "1"};
    const Json json = answered(sharded);
    CHECK(json["job"]["stack"] == "torchtitan");
    const double step_s = json["step"]["step_s"];
    CHECK(json["range"]["step_s_low"].get<double>() < step_s);
    CHECK(json["range"]["step_s_high"].get<double>() > step_s);
    const double tokens = json["step"]["tokens_per_s"].get<double>() * step_s;
    CHECK(json["range"]["tokens_per_s_low"].get<double>() ==
          doctest::Approx(tokens / json["range"]["step_s_high"].get<double>()));
    CHECK(json["range"]["mfu_high"] > json["step"]["mfu"]);
    const Answer table = step(sharded);
    CHECK(has(table.out, "no --stack, and its weights are sharded (zero3)"));
    CHECK(has(table.out, "What holds in 80 % of cases"));
    CHECK(has(table.out, "the stack is not known"));
    const Answer named = step(with(sharded, {"--stack", "megatron-core-h100"}));
    CHECK(named.out.find("no --stack") == std::string::npos);
    const TemporaryFolder folder;
    const std::string untested =
        folder.write("s.yaml", "stacks:\n  - {name: mine, source: guessed}\n");
    const Json unknown = answered(with(sharded, {"--stacks", untested}));
    CHECK(unknown["job"]["stack"] == "mine");
    CHECK(unknown["range"]["step_s_high"] > unknown["step"]["step_s"]);
}

TEST_CASE("possible but inefficient input is answered with a warning") {
    const Arguments job{"--model",
                        "gpt-1.3b",
                        "--gpu",
                        "A100",
                        "--gpus",
                        "8",
                        "--pipeline",
                        "8",
                        "--global-batch",
                        "8"};
    const Answer answer = step(job);
    CHECK(answer.code == 0);
    CHECK(has(answer.err, "warning: the pipeline is empty "));
    CHECK(answered(job)["warnings"].size() == 1);
}

TEST_CASE("a stated layout that does not fit is refused, and answered with --anyway") {
    // 8B parameters of 18 bytes alone are 144 GB of the 78 GB usable.
    const Arguments job{"--model", "llama-3-8b", "--gpus", "64", "--data", "64"};
    const std::string refused = refusal(job);
    CHECK(has(refused, "bursar: memory: does not fit: needs "));
    CHECK(has(refused, " too much); fits with "));
    CHECK(has(refused, "; --anyway answers all the same"));
    const Answer anyway = step(with(job, {"--anyway"}));
    CHECK(anyway.code == 0);
    CHECK(anyway.out.starts_with("does not fit: needs "));
    CHECK(has(anyway.err, "warning: does not fit: needs "));
    const Json json = answered(with(job, {"--anyway"}));
    CHECK(json["headline"].get<std::string>().starts_with("does not fit: needs "));
    CHECK(json["step"]["step_s"] > 0);
}

TEST_CASE("a batch of a generic network that does not fit is refused as well") {
    const Arguments job{"--model", "resnet-50", "--gpus", "8", "--global-batch", "80000"};
    CHECK(has(refusal(job), "`bursar model batch` says what fits; --anyway"));
    CHECK(step(with(job, {"--anyway"})).code == 0);
}

TEST_CASE("without a stated layout the one that model layout ranks first is timed") {
    const Arguments job{"--model", "llama-3-8b", "--gpus", "64"};
    const Json best =
        Json::parse(bursar(with({"model", "layout", "--format", "json", "--keep", "1"}, job)).out);
    const Json found = answered(job);
    CHECK(found["step"]["step_s"] == best["best"]["step_s"]);
    CHECK(found["job"]["sharding"] == best["best_layouts"][0]["sharding"]);
    CHECK(found["warnings"].empty());
    CHECK_FALSE(found.contains("headline"));
    CHECK(has(step(job).out, "none stated: the first of "));
    const Json memory = Json::parse(bursar(with({"model", "memory", "--format", "json"}, job)).out);
    CHECK(memory["memory"]["fits"].get<bool>());
    CHECK(memory["memory"]["total_b"] == best["best_layouts"][0]["memory_b"]);
    CHECK(memory["job"]["layout"] == found["job"]["layout"]);
}

TEST_CASE("a stated micro-batch, recompute and batch are kept in the search for a layout") {
    const Json json = answered({"--model",
                                "llama-3-8b",
                                "--gpus",
                                "16",
                                "--global-batch",
                                "48",
                                "--micro-batch",
                                "3",
                                "--recompute",
                                "full"});
    CHECK(json["job"]["recompute"] == "full");
    CHECK(json["job"]["global_batch"] == 48);
    CHECK(has(
        step(
            {"--model", "llama-3-8b", "--gpus", "16", "--global-batch", "48", "--micro-batch", "3"})
            .out,
        "; 3 per pass"));
}

TEST_CASE("if no layout fits, the memory of the smallest is reported") {
    CHECK(has(refusal({"--model", "gpt-175b", "--gpu", "A100", "--gpus", "8"}),
              "bursar: model: no layout on 8 GPUs fits: the smallest needs "));
}

} // namespace bursar::test::model_step_test
