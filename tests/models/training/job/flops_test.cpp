#include <doctest/doctest.h>

#include "models/training/job/flops.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::flops_test {
using doctest::Approx;

TEST_CASE("parameters of published models") {
    CHECK(parameters(gpt_175b()) == Approx(174.6e9).epsilon(0.001)); // 12 L h^2 + V h
    CHECK(parameters(llama_8b()) == Approx(8.03e9).epsilon(0.001));  // model card: 8.03 B
}

TEST_CASE("Narayanan 2021: a 175B step at 138 TFLOP/s on 1,024 A100 takes 32 seconds") {
    // FORMULAS 9.2; the README says "around 32 seconds", 138 TFLOP/s, 44 % of the peak.
    const Flops step = narayanan_hardware_flops(gpt_175b(), 2048, 1536);
    CHECK(step.count() == Approx(4.51e18).epsilon(0.001));
    const Seconds time = step / FlopRate{1024 * 138e12};
    CHECK(time.count() == Approx(32).epsilon(0.01));
    CHECK(flops_utilization(step, time, 1024, FlopRate{312e12}) == Approx(0.442).epsilon(0.01));
}

TEST_CASE("the closed forms for GELU with f = 4h are the general count") {
    const Transformer model = gpt_175b();
    const Flops token = flops_per_token(model, 2048, FlopConvention::full_square);
    const Flops useful = narayanan_model_flops(model, 2048, 1);
    CHECK(useful.count() == Approx(2048 * token.count()).epsilon(1e-12));
    // A fourth pass over the layers, and none over the logits.
    const double logits = 6.0 * 51200 * 12288 * 2048;
    const double layers = useful.count() - logits;
    const Flops executed = narayanan_hardware_flops(model, 2048, 1);
    CHECK(executed.count() == Approx(layers * 4 / 3 + logits).epsilon(1e-12));
}

TEST_CASE("recompute adds a forward pass of the layers, or of their attention core") {
    const Transformer model = gpt_175b();
    const auto per_token = [&](Recompute recompute) {
        return recomputed_flops(model, 2048, recompute).count();
    };
    const Flops useful = flops_per_token(model, 2048, FlopConvention::full_square);
    CHECK(per_token(Recompute::none) == 0);
    CHECK(2048 * (useful.count() + per_token(Recompute::full)) ==
          Approx(narayanan_hardware_flops(model, 2048, 1).count()).epsilon(1e-12));
    CHECK(per_token(Recompute::selective) == Approx(4.0 * 96 * 12288 * 2048));
    CHECK(recomputed_flops(model, 2048, {Recompute::full, 4}).count() ==
          Approx(per_token(Recompute::full) / 4));
}

TEST_CASE("conventions differ by the attention term") {
    const Transformer model = llama_8b();
    const double full = flops_per_token(model, 8192, FlopConvention::full_square).count();
    const double causal = flops_per_token(model, 8192, FlopConvention::causal).count();
    CHECK(full / causal == Approx(1.12).epsilon(0.01)); // FORMULAS 2.4: reads 12 % higher
    CHECK(full - causal == Approx(6.0 * 32 * 4096 * 8192));
    const double six_n = flops_per_token(model, 8192, FlopConvention::six_n).count();
    CHECK(six_n == Approx(6 * parameters(model)));
}

TEST_CASE("a mixture computes with the experts a token meets and keeps all") {
    Transformer model = llama_8b();
    model.experts = Experts{.count = 8, .per_token = 2, .ffn = 14336, .shared_ffn = 0};
    const double expert = 3.0 * 4096 * 14336;
    const double router = 4096.0 * 8;
    CHECK(active_ffn_parameters(model) == Approx(2 * expert + router));
    CHECK(expert_parameters(model) == Approx(8 * expert));
    CHECK(layer_parameters(model) - attention_parameters(model) == Approx(8 * expert + router));
    CHECK(parameters(model) - active_parameters(model) == Approx(32 * 6 * expert));
    model.experts->shared_ffn = 1000;
    CHECK(active_ffn_parameters(model) == Approx(2 * expert + router + 3.0 * 4096 * 1000));
}

// DeepSeek-AI 2024 (arXiv 2412.19437), section 4.2: 671 B parameters, 37 B of them per token.
Transformer deepseek_v3() {
    Transformer model = llama_8b();
    model.layers = 61;
    model.hidden = 7168;
    model.ffn = 18432;
    model.heads = model.kv_heads = 128;
    model.head_dim = 192;
    model.vocab = 129280;
    model.experts =
        Experts{.count = 256, .per_token = 8, .ffn = 2048, .shared_ffn = 2048, .dense_layers = 3};
    model.latent = LatentAttention{1536, 512, 64, 128};
    return model;
}

TEST_CASE("latent attention and layers without experts: the parameters of DeepSeek-V3") {
    CHECK(parameters(deepseek_v3()) == Approx(671e9).epsilon(0.001));
    CHECK(active_parameters(deepseek_v3()) == Approx(37.5e9).epsilon(0.01));
    CHECK(expert_layer_share(deepseek_v3()) == Approx(58.0 / 61));
    CHECK(score_dim(deepseek_v3()) == 160); // scores of 192, values of 128
    CHECK(score_dim(llama_8b()) == 128);
}

TEST_CASE("windowed layers attend to their whole window") {
    Transformer model = llama_8b();
    CHECK(attended_tokens(model, 8192) == 8192);
    model.windows = {16, 128};
    CHECK(attended_tokens(model, 8192) == 0.5 * 8192 + 0.5 * 256);
    CHECK(attended_tokens(model, 100) == 100); // no window cuts a shorter sequence
    const auto core = [](const Transformer& one) {
        return flops_per_token(one, 8192, FlopConvention::full_square).count() -
               flops_per_token(one, 8192, FlopConvention::causal).count();
    };
    CHECK(core(model) / core(llama_8b()) == Approx(0.5 + 0.5 / 32));
}

TEST_CASE("operators computed again are half of the layers' products") {
    const Transformer model = llama_8b();
    const double layers = parameters(model) - 2 * 128256.0 * 4096;
    CHECK(recomputed_flops(model, 8192, Recompute::operators).count() == Approx(layers));
}

TEST_CASE("grouped queries shrink keys and values only") {
    CHECK(attention_parameters(llama_8b()) == Approx(4096.0 * 4096 * (2 + 2 * 0.25)));
}

} // namespace bursar::flops_test
