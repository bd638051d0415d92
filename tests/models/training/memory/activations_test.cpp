#include <array>

#include <doctest/doctest.h>

#include "models/training/memory/activations.hpp"
#include "models/training/memory/states.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::activations_test {
namespace {

using test::gpt;
using test::megatron;

/// A model of Korthikanti 2022 Table 3 and its layout there.
struct Row {
    const char* name;
    Transformer model;
    Layout layout;
};

std::array<Row, 4> korthikanti() {
    return {Row{"22B", gpt(48, 6144, 64), {.tensor = 8, .micro_batch = 4, .micro_batches = 1}},
            Row{"175B",
                gpt(96, 12288, 96),
                {.tensor = 8, .pipeline = 8, .chunks = 3, .micro_batches = 64}},
            Row{"530B",
                gpt(105, 20480, 128),
                {.tensor = 8, .pipeline = 35, .chunks = 3, .micro_batches = 280}},
            Row{"1T", gpt(128, 25600, 160), {.tensor = 8, .pipeline = 64, .micro_batches = 512}}};
}

Layout with(Layout layout, Recompute recompute, bool sequence_parallel) {
    layout.recompute = recompute;
    layout.sequence_parallel = sequence_parallel;
    return layout;
}

/// Layer activations that the first stage holds, without embedding or logits.
double held_gib(const Row& row, Recompute recompute, bool sequence_parallel) {
    const Layout layout = with(row.layout, recompute, sequence_parallel);
    const TrainingJob job = megatron(row.model, layout);
    return layer_activations(job).kept.count() * layers_in_flight(row.model.layers, layout, 0) /
           bytes_per_gib;
}

} // namespace

TEST_CASE("activations equal Korthikanti 2022 Figure 1 exactly") {
    struct Figure {
        double none;
        double sequence_and_selective;
    };
    const std::array figures{Figure{59.25, 9.5625},
                             Figure{66.84375, 12.3515625},
                             Figure{114.0234375, 23.076171875},
                             Figure{131.25, 26.5625}};
    const auto rows = korthikanti();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].name);
        CHECK(held_gib(rows[i], Recompute::none, false) ==
              doctest::Approx(figures[i].none).epsilon(1e-12));
        CHECK(held_gib(rows[i], Recompute::selective, true) ==
              doctest::Approx(figures[i].sequence_and_selective).epsilon(1e-12));
    }
}

TEST_CASE("states of the layers equal Korthikanti 2022 Figure 1 exactly") {
    const std::array figures{45.5625, 45.5625, 31.640625, 32.958984375};
    const auto rows = korthikanti();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].name);
        const TrainingJob job = megatron(rows[i].model, rows[i].layout);
        RankParameters held = rank_parameters(job.model, job.layout, 0);
        held.embedding = 0;
        CHECK(model_states(job, held, {}).total().count() / bytes_per_gib ==
              doctest::Approx(figures[i]).epsilon(1e-12));
    }
}

// The published percentages are readings of a bar chart: every one of them is a multiple of
// 100 / 562.5, the height of a pixel. The closed form is within one pixel of each.
TEST_CASE("savings equal Korthikanti 2022 Figure 7 to one pixel") {
    struct Figure {
        double sequence;
        double selective;
        double both;
        double full;
    };
    const std::array figures{Figure{66.84, 49.42, 16.18, 7.64},
                             Figure{62.04, 56.53, 18.49, 8.71},
                             Figure{58.31, 62.04, 20.27, 9.42},
                             Figure{58.31, 62.04, 20.27, 9.42}};
    constexpr double pixel = 100 / 562.5;
    const auto rows = korthikanti();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].name);
        const double base = held_gib(rows[i], Recompute::none, false);
        const auto percent = [&](Recompute recompute, bool sequence_parallel) {
            return 100 * held_gib(rows[i], recompute, sequence_parallel) / base;
        };
        const auto reads = [&](double modelled, double printed) {
            CAPTURE(modelled);
            CHECK(std::abs(modelled - printed) < pixel);
        };
        reads(percent(Recompute::none, true), figures[i].sequence);
        reads(percent(Recompute::selective, false), figures[i].selective);
        reads(percent(Recompute::selective, true), figures[i].both);
        reads(percent(Recompute::full, false), figures[i].full);
    }
}

TEST_CASE("one layer equals every row of Korthikanti 2022 Table 2") {
    CHECK(check_property([] {
        const std::int64_t tensor = drawn::one_of(1, 2, 4, 8);
        const std::int64_t heads = 8 * drawn::in_range(1, 20);
        const std::int64_t hidden = heads * 64;
        const std::int64_t batch = drawn::in_range(1, 9);
        TrainingJob job = megatron(gpt(4, hidden, heads), {.tensor = tensor, .micro_batch = batch});
        const auto t = static_cast<double>(tensor);
        const double sbh = 2048.0 * static_cast<double>(batch * hidden);
        const double scores = 5.0 * static_cast<double>(heads) * 2048 / static_cast<double>(hidden);
        const auto kept = [&](Recompute recompute, bool sequence_parallel) {
            job.layout.recompute = recompute;
            job.layout.sequence_parallel = sequence_parallel;
            return layer_activations(job).kept.count() / sbh;
        };
        const auto near = [](double a, double b) { RC_ASSERT(std::abs(a - b) < 1e-9 * b); };
        near(kept(Recompute::none, false), 10 + 24 / t + scores / t);
        near(kept(Recompute::none, true), (34 + scores) / t);
        near(kept(Recompute::selective, false), 10 + 24 / t);
        near(kept(Recompute::selective, true), 34 / t);
        near(kept(Recompute::full, false), 2);
        near(kept(Recompute::full, true), 2 / t);
        job.attention = Attention::flash2;
        near(kept(Recompute::none, false), 10 + 24 / t);
    }));
}

TEST_CASE("copies counted operation by operation are those measured with Hugging Face") {
    // ml-engineering 744d01e18b, training/performance: a memory counter around one layer.
    struct Measured {
        const char* name;
        std::int64_t hidden, ffn, heads, kv_heads, head_dim;
        bool qk_norm;
        double copies;
    };
    const std::array models{
        Measured{"SmolLM2-360M", 960, 2560, 15, 5, 64, false, 24.0},
        Measured{"Llama-3.1-8B", 4096, 14336, 32, 8, 128, false, 28.0},
        Measured{"DeepSeek-R1-0528-Qwen3-8B", 4096, 12288, 32, 8, 128, true, 29.8},
        Measured{"Qwen3-4B", 2560, 9728, 32, 8, 128, true, 38.0},
        Measured{"gemma-1.1-2b", 2048, 16384, 8, 1, 256, false, 48.0}};
    for (const Measured& measured : models) {
        CAPTURE(measured.name);
        Transformer model = test::llama_8b();
        model.hidden = measured.hidden;
        model.ffn = measured.ffn;
        model.heads = measured.heads;
        model.kv_heads = measured.kv_heads;
        model.head_dim = measured.head_dim;
        model.qk_norm = measured.qk_norm;
        CHECK(layer_copies(model, KernelFusion::eager).total() ==
              doctest::Approx(measured.copies).epsilon(0.05));
    }
}

TEST_CASE("measured copies replace counted ones where kernels are eager") {
    TrainingJob job = megatron(test::llama_8b(), {});
    job.attention = Attention::flash2;
    job.model.activation_copies = 30;
    const double copy = 2.0 * 2048 * 4096;
    CHECK(layer_activations(job, KernelFusion::eager).kept.count() ==
          doctest::Approx(30 * copy).epsilon(1e-12));
    CHECK(layer_activations(job, KernelFusion::fused).kept.count() ==
          doctest::Approx(17 * copy).epsilon(1e-12));
}

TEST_CASE("passes in flight follow the schedule") {
    Layout layout{.pipeline = 4, .micro_batches = 16};
    CHECK(micro_batches_in_flight(layout, 0) == 4);
    CHECK(micro_batches_in_flight(layout, 3) == 1);
    layout.gpipe = true;
    CHECK(micro_batches_in_flight(layout, 0) == 16);
    layout.gpipe = false;
    layout.micro_batches = 2;
    CHECK(micro_batches_in_flight(layout, 0) == 2);
    // p (1 + (p - 1) / (p v)) on the first stage.
    layout = {.pipeline = 4, .chunks = 2, .micro_batches = 16};
    CHECK(micro_batches_in_flight(layout, 0) == doctest::Approx(4 * (1 + 3.0 / 8)));
    CHECK(micro_batches_in_flight(layout, 3) < micro_batches_in_flight(layout, 0));
}

TEST_CASE("logits in chunks stay below all of them") {
    TrainingJob job = megatron(test::llama_8b(), {.micro_batch = 8});
    const MemoryOverheads whole;
    MemoryOverheads chunked;
    chunked.chunked_loss = true;
    // 16-bit logits and an fp32 softmax.
    CHECK(logit_memory(job, whole).count() == 8.0 * 2048 * 128256 * 6);
    CHECK(logit_memory(job, chunked) < logit_memory(job, whole));
    // 32 times as wide as the hidden state.
    CHECK(logit_memory(job, chunked).count() ==
          doctest::Approx(8.0 * 2048 * 128256 * 6 / 32 + 8.0 * 128256 * 4096 +
                          2.0 * 8 * 2048 * 4096));
}

// By hand, of Llama 3 8B in copies of T h: 2 norm inputs, q 1, k and v 1/4 each, attention's output
// 1, gate and up 7 in 16 bits; inputs of QKV, output projection, gate and down (1 + 1 + 1 + 3.5)
// in 8.
TEST_CASE("inputs of fp8 products are kept in 8 bits, but not by compiled jobs") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.precision = Precision::fp8;
    const double copy = 2.0 * 4096 * 4096;
    CHECK(layer_activations(job).kept.count() == doctest::Approx(copy * (11.5 + 6.5 / 2)));
    job.compilation = Compilation::compiled;
    const double in_16_bits = layer_activations(job).kept.count();
    CHECK(in_16_bits == doctest::Approx(copy * (11.5 + 5.5))); // attention's output once
    job.precision = Precision::bf16;
    CHECK(layer_activations(job).kept.count() == in_16_bits);
}

} // namespace bursar::activations_test
