#include <cmath>

#include <doctest/doctest.h>

#include "models/training/memory/states.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::states_test {
namespace {

using test::gpt;
using test::megatron;

double states_of(const TrainingJob& job) {
    return model_states(job, rank_parameters(job.model, job.layout, 0), {}).total().count();
}

} // namespace

TEST_CASE("bytes per parameter follow the recipe") {
    const auto total = [](StateRecipe recipe) {
        const StateBytes bytes = state_bytes(recipe);
        return bytes.weights + bytes.gradients + bytes.optimizer;
    };
    CHECK(total(StateRecipe::fp32_adam) == 16);
    CHECK(total(StateRecipe::mixed_adam) == 16);
    CHECK(total(StateRecipe::megatron_adam) == 18);
    CHECK(total(StateRecipe::pure_bf16) == 8);
    CHECK(total(StateRecipe::mixed_sgd) == 14);
    CHECK(total(StateRecipe::mixed_adam8) == 12);
}

TEST_CASE("Megatron adds up gradients in fp32, but those of fp16 in 16 bits") {
    TrainingJob job;
    job.recipe = StateRecipe::megatron_adam;
    job.precision = Precision::bf16;
    CHECK(reduced_gradient_bytes(job) == 4);
    job.precision = Precision::fp16;
    CHECK(reduced_gradient_bytes(job) == 2);
    job.recipe = StateRecipe::mixed_sgd;
    CHECK(reduced_gradient_bytes(job) == 4);
}

TEST_CASE("a rank holds the weights of copied KV heads") {
    Transformer model = gpt(24, 2048, 32);
    model.kv_heads = 8;
    const auto held = [&](std::int64_t tensor) {
        return rank_parameters(model, {.tensor = tensor}, 0).dense;
    };
    const double head = 24 * 2.0 * 2048 * 64; // key and value weights of one head in all layers
    CHECK(held(8) == doctest::Approx(held(1) / 8));
    CHECK(held(16) == doctest::Approx(held(1) / 16 + head / 2));
}

// DeepSpeed docs/code-docs/source/memory.rst: t5-3b, 2851 M parameters, on 8 GPUs of one node; its
// largest layer is the embedding, 32128 x 1024.
TEST_CASE("the DeepSpeed estimates for t5-3b are the printed ones") {
    DeepSpeedEstimate t5{.parameters = 2.851e9, .largest_layer = 32128.0 * 1024, .gpus = 8};
    const auto printed = [](ByteVolume volume) {
        return std::round(volume.count() / bytes_per_gib * 100) / 100;
    };
    CHECK(printed(deepspeed_zero2_estimate(t5)) == 15.93);
    CHECK(printed(deepspeed_zero3_estimate(t5)) == 6.10);
    t5.offload_optimizer = true;
    CHECK(printed(deepspeed_zero2_estimate(t5)) == 5.31);
    CHECK(printed(deepspeed_zero3_estimate(t5)) == 0.79);
    t5.offload_parameters = true;
    CHECK(printed(deepspeed_zero3_estimate(t5)) == 0.12);
}

TEST_CASE("the distributed optimizer takes 6 + 12/d bytes a parameter") {
    TrainingJob job = megatron(gpt(8, 1024, 16), {.data = 16, .sharding = Sharding::zero1});
    const double parameters = rank_parameters(job.model, job.layout, 0).total();
    CHECK(states_of(job) == doctest::Approx(parameters * (6 + 12.0 / 16)));
}

TEST_CASE("experts shard over the ranks that hold the same ones") {
    Transformer model = gpt(4, 512, 8);
    model.experts = Experts{.count = 8, .per_token = 2, .ffn = 2048, .shared_ffn = 0};
    TrainingJob job = megatron(model, {.expert = 4, .data = 16, .sharding = Sharding::zero1});
    const RankParameters held = rank_parameters(model, job.layout, 0);
    CHECK(held.experts == doctest::Approx(4.0 * 8 * 2 * 512 * 2048 / 4));
    const double optimizer = (held.dense + held.embedding) / 16 + held.experts / 4;
    CHECK(model_states(job, held, {}).optimizer.count() == doctest::Approx(12 * optimizer));
}

TEST_CASE("an untied output matrix is a second one, on the last stage") {
    Transformer model = gpt(8, 1024, 16);
    const double table = 51200.0 * 1024;
    CHECK(rank_parameters(model, {}, 0).embedding == table);
    model.tied_embedding = false;
    CHECK(rank_parameters(model, {}, 0).embedding == 2 * table);
    const Layout staged{.pipeline = 4};
    CHECK(rank_parameters(model, staged, 0).embedding == table);
    CHECK(rank_parameters(model, staged, 1).embedding == 0);
    CHECK(rank_parameters(model, staged, 3).embedding == table);
}

TEST_CASE("offloaded states do not count on the GPU") {
    TrainingJob job = megatron(gpt(8, 1024, 16), {.data = 8, .sharding = Sharding::zero3});
    const RankParameters held = rank_parameters(job.model, job.layout, 0);
    job.layout.offload_optimizer = true;
    const ModelStates states = model_states(job, held, {});
    CHECK(states.optimizer == ByteVolume{});
    CHECK(states.gradients == ByteVolume{});
    CHECK(states.weights.count() == doctest::Approx(2 * held.total() / 8));
    job.layout.offload_parameters = true;
    CHECK(model_states(job, held, {}).weights == ByteVolume{});
    CHECK(model_states(job, held, {}).gathered > ByteVolume{});
}

TEST_CASE("the optimizer's step copies gradients of the parameters that a rank updates") {
    TrainingJob job = megatron(gpt(8, 1024, 16), {.data = 8, .sharding = Sharding::zero1});
    const RankParameters held = rank_parameters(job.model, job.layout, 0);
    const auto step = [&](const char* framework) {
        return model_states(job, held, memory_overheads_of(framework)).step.count();
    };
    // DeepSpeed: 2 bytes flattened, 4 in 32 bits. InternEvo: 4, and two fp32 temporaries.
    CHECK(step("Megatron-DeepSpeed") == doctest::Approx(6 * held.total() / 8));
    CHECK(step("InternEvo") == doctest::Approx(12 * held.total() / 8));
    CHECK(step("Megatron-LM 2021") == 0);
    job.layout.sharding = Sharding::none;
    CHECK(step("InternEvo") == doctest::Approx(12 * held.total()));
    job.layout.offload_optimizer = true;
    CHECK(step("InternEvo") == 0);
}

TEST_CASE("more data-parallel ranks never add states") {
    CHECK(check_property([] {
        const auto stage =
            drawn::one_of(Sharding::none, Sharding::zero1, Sharding::zero2, Sharding::zero3);
        const std::int64_t data = drawn::in_range(1, 512);
        TrainingJob job = megatron(gpt(8, 1024, 16), {.data = data, .sharding = stage});
        const double fewer = states_of(job);
        job.layout.data = data * 2;
        RC_ASSERT(states_of(job) <= fewer);
    }));
}

} // namespace bursar::states_test
