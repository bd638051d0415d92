#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/training/job/flops.hpp"

#include "scenarios/catalog/architectures.hpp"

namespace bursar::architectures_test {
namespace {

std::string refusal(const std::string& text) {
    try {
        read_architectures_text(text, "own.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

const Transformer& transformer(std::string_view name) {
    const Architecture* found = builtin_architectures().find(name);
    REQUIRE(found != nullptr);
    return std::get<Transformer>(*found);
}

} // namespace

TEST_CASE("every built-in architecture is read, found by its name, and has a source") {
    const Architectures& architectures = builtin_architectures();
    REQUIRE(architectures.all.size() == architectures.origins.size());
    for (const Architecture& one : architectures.all) {
        CAPTURE(name(one));
        CHECK(architectures.find(name(one)) == &one);
        CHECK_FALSE(architectures.origin(one).source.empty());
        CHECK(architectures.origin(one).date.size() == 10);
    }
    CHECK(architectures.find("gpt-5") == nullptr);
    CHECK(std::holds_alternative<GenericNetwork>(*architectures.find("resnet-50")));
}

TEST_CASE("built-in shapes have as many parameters as their names say") {
    // Billions as published. Norms, biases and positions are not counted, so 3 % of small models
    // may be missing.
    const std::vector<std::pair<const char*, double>> published{
        {"gpt-1.3b", 1.3},       {"gpt-2.7b", 2.65},      {"gpt-1.7b", 1.65},
        {"gpt-3.6b", 3.6},       {"gpt-7.5b", 7.5},       {"gpt-18.4b", 18.4},
        {"gpt-39.1b", 39.1},     {"gpt-76.1b", 76.1},     {"gpt-145.6b", 145.6},
        {"gpt-22b", 22},         {"gpt-175b", 175},       {"gpt-310.1b", 310.1},
        {"gpt-530b", 530},       {"gpt-1t", 1008},        {"bert-base", 0.11},
        {"bert-large", 0.335},   {"llama-2-7b", 6.74},    {"llama-2-13b", 13.02},
        {"llama-2-70b", 68.98},  {"llama-3-8b", 8.03},    {"llama-3-70b", 70.6},
        {"llama-3-405b", 405.9}, {"mistral-7b", 7.24},    {"mixtral-8x7b", 46.7},
        {"mixtral-8x22b", 141},  {"qwen3-30b-a3b", 30.5}, {"qwen3-235b-a22b", 235},
        {"gpt-oss-20b", 20.9},   {"gpt-oss-120b", 117},   {"deepseek-v3", 671},
        {"kimi-k2", 1027}};
    for (const auto& [model, billions] : published) {
        CAPTURE(model);
        CHECK(parameters(transformer(model)) / 1e9 == doctest::Approx(billions).epsilon(0.03));
    }
    CHECK(active_parameters(transformer("mixtral-8x7b")) / 1e9 ==
          doctest::Approx(12.9).epsilon(0.03));
    CHECK(active_parameters(transformer("qwen3-30b-a3b")) / 1e9 ==
          doctest::Approx(3.3).epsilon(0.03));
    CHECK(transformer("gpt-oss-120b").windows.tokens == 128);
}

TEST_CASE("missing values of a transformer follow from the others") {
    const Architectures own = read_architectures_text(
        "transformers:\n"
        "  - {name: x, layers: 2, hidden: 64, ffn: 256, heads: 4, vocab: 100, sequence: 16,\n"
        "     source: s, date: 2026-01-31}\n"
        "  - {name: y, layers: 2, hidden: 64, ffn: 256, heads: 4, kv_heads: 2, head_dim: 8,\n"
        "     vocab: 100, sequence: 16, feed_forward: gated, attends: both-ways, logits: untied,\n"
        "     dropout: none, experts: {count: 8, per_token: 2, ffn: 32}, activation_copies: 28,\n"
        "     source: s, date: 2026-01-31}\n"
        "networks:\n"
        "  - {name: z, flops_per_sample: 1.5 GFLOP, parameters: 1000, source: s,\n"
        "     activations_per_sample: 2 MB, date: 2026-01-31}\n",
        "own.yaml");
    const auto& x = std::get<Transformer>(*own.find("x"));
    CHECK(x.kv_heads == 4);
    CHECK(x.head_dim == 16);
    CHECK(x.ffn_matrices == 2);
    CHECK(x.causal);
    CHECK(x.tied_embedding);
    CHECK(x.dropout);
    CHECK_FALSE(x.experts.has_value());
    const auto& y = std::get<Transformer>(*own.find("y"));
    CHECK(y.kv_heads == 2);
    CHECK(y.head_dim == 8);
    CHECK(y.ffn_matrices == 3);
    CHECK_FALSE(y.causal);
    CHECK_FALSE(y.tied_embedding);
    CHECK_FALSE(y.dropout);
    REQUIRE(y.experts.has_value());
    CHECK(y.experts->count == 8);
    CHECK(y.activation_copies == 28.0);
    const auto& z = std::get<GenericNetwork>(*own.find("z"));
    CHECK(z.flops_per_sample.count() == 1.5e9);
    CHECK(z.activations_per_sample.count() == 2e6);
    CHECK(own.names() == std::vector<std::string>{"x", "y", "z"});
}

TEST_CASE("a model has no more layers of a kind than layers") {
    const std::string shape =
        "transformers:\n  - {name: x, layers: 2, hidden: 64, ffn: 256, heads: "
        "4, vocab: 100, sequence: 16, source: s, date: 2026-01-31,\n     ";
    CHECK(refusal(shape + "experts: {count: 8, per_token: 2, ffn: 32, dense_layers: 2}}\n") ==
          "own.yaml:3:15: transformers.x.experts: 2 dense layers (the model has 2 layers)");
    CHECK(refusal(shape + "windows: {layers: 3, tokens: 128}}\n") ==
          "own.yaml:3:15: transformers.x.windows: 3 layers (the model has 2)");
    CHECK(
        refusal(shape + "latent: {query_rank: 8, key_rank: 8, rotary_dim: 16, value_dim: 8}}\n") ==
        "own.yaml:3:14: transformers.x.latent: a shared part of 16 numbers (a head has 16)");
}

TEST_CASE("mistakes in a file of architectures are reported with their places") {
    CHECK(
        refusal(
            "transformers:\n"
            "  - {name: x, layers: 0, hidden: 65, ffn: 256, heads: 4, vocab: 100, sequence: 16,\n"
            "     source: s, date: 2026-01-31}\n"
            "  - {name: x, layers: 2, hidden: 64, ffn: 256, heads: 4, kv_heads: 3, vocab: 100,\n"
            "     sequence: 16, experts: {count: 2, per_token: 3, ffn: 32}, source: s,\n"
            "     date: yesterday}\n"
            "networks:\n"
            "  - {name: z, flops_per_sample: 1.5, parameters: -1, source: s}\n") ==
        "own.yaml:2:23: transformers.x.layers: 0 is too small (at least 1)\n"
        "own.yaml:2:55: transformers.x.heads: 4 heads do not divide the hidden size 65; give "
        "head_dim\n"
        "own.yaml:4:12: transformers.x.name: duplicate name (names and aliases are unique)\n"
        "own.yaml:4:68: transformers.x.kv_heads: 3 key-value heads do not divide 4 heads\n"
        "own.yaml:5:51: transformers.x.experts.per_token: 3 experts per token (the layer has 2)\n"
        "own.yaml:6:12: transformers.x.date: \"yesterday\" is not a day (such as \"2026-01-31\")\n"
        "own.yaml:8:5: networks.z.date: missing (when it was read)\n"
        "own.yaml:8:33: networks.z.flops_per_sample: \"1.5\" has no unit (expected an amount of "
        "work such as \"24.6 GFLOP\")\n"
        "own.yaml:8:50: networks.z.parameters: \"-1\" is too small (at least 1)");
    CHECK_THROWS_AS(read_architectures("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar::architectures_test
