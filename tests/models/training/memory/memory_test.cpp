#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/memory/activations.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/memory/states.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::memory_test {
namespace {

using test::gpt;
using test::megatron;

/// Any layout of a small model that passes check_layout.
TrainingJob any_job() {
    TrainingJob job = megatron(gpt(16, 2048, 32), {});
    Layout& layout = job.layout;
    layout.tensor = drawn::one_of(1, 2, 4);
    layout.pipeline = drawn::one_of(1, 2, 4);
    layout.chunks = layout.pipeline > 1 ? drawn::one_of(1, 2) : 1;
    layout.context = drawn::one_of(1, 2);
    layout.data = drawn::in_range(1, 64);
    layout.micro_batch = drawn::in_range(1, 32);
    layout.micro_batches = layout.pipeline * drawn::in_range(1, 16);
    layout.sharding =
        drawn::one_of(Sharding::none, Sharding::zero1, Sharding::zero2, Sharding::zero3);
    layout.recompute = drawn::one_of(Recompute::none, Recompute::selective, Recompute::full);
    layout.sequence_parallel = layout.tensor > 1 && drawn::boolean();
    job.attention = drawn::one_of(Attention::unfused, Attention::flash2);
    return job;
}

/// The parts are summed separately.
double tolerance(const MemoryUse& use) {
    return 1e-9 * use.total().count();
}

} // namespace

TEST_CASE("offloaded layers keep two buffers on the GPU") {
    TrainingJob job = megatron(gpt(16, 2048, 32), {});
    const ByteVolume layer = layer_activations(job).kept;
    const auto activations = [&](std::int64_t away) {
        job.layout.offload_layers = away;
        return memory_use(job).activations.count();
    };
    const double all = activations(0);
    CHECK(activations(1) == doctest::Approx(all)); // the copy is no smaller than the layer
    CHECK(activations(10) == doctest::Approx(all - 8 * layer.count()));
    CHECK(activations(16) == doctest::Approx(all - 14 * layer.count()));
    // Every pass in flight leaves the GPU, the buffers are shared.
    job.layout.pipeline = 4;
    job.layout.micro_batches = 8;
    const double four_passes = activations(0);
    CHECK(activations(3) == doctest::Approx(four_passes - (3 * 4 - 2) * layer.count()));
}

TEST_CASE("memory is affine in the micro-batch") {
    CHECK(check_property([] {
        TrainingJob job = any_job();
        const auto total = [&](std::int64_t batch) {
            job.layout.micro_batch = batch;
            return memory_use(job).total().count();
        };
        const std::int64_t batch = drawn::in_range(1, 1000);
        // Which stage is the fullest may change once: on either side it is affine, and the larger
        // of two affine functions is convex.
        const double slope = total(batch + 1) - total(batch);
        const double next = total(batch + 2) - total(batch + 1);
        RC_ASSERT(slope > 0);
        RC_ASSERT(next >= slope - tolerance(memory_use(job)));
        if (job.layout.pipeline == 1)
            RC_ASSERT(next <= slope + tolerance(memory_use(job)));
    }));
}

TEST_CASE("a stage with uneven chunks counts the layers of the fullest stage") {
    const auto of = [](std::int64_t layers) {
        return memory_use(
            megatron(gpt(layers, 1536, 24), {.pipeline = 8, .chunks = 8, .micro_batches = 64}));
    };
    CHECK(of(126).total() == of(128).total()); // Llama 3 405B: 16 layers a stage
    CHECK(of(120).total() < of(126).total());
}

TEST_CASE("more sharding never adds memory of the states") {
    CHECK(check_property([] {
        TrainingJob job = any_job();
        job.layout.sharding = Sharding::none;
        ByteVolume before = memory_use(job).states();
        for (const Sharding stage : {Sharding::zero1, Sharding::zero2, Sharding::zero3}) {
            job.layout.sharding = stage;
            const MemoryUse use = memory_use(job);
            // ZeRO-3 gathers layers, which one rank alone would not have to.
            const ByteVolume states = use.states() - use.gathered;
            RC_ASSERT(states.count() <= before.count() * (1 + 1e-12));
            before = states;
        }
    }));
}

TEST_CASE("more tensor parallel never adds memory") {
    CHECK(check_property([] {
        TrainingJob job = any_job();
        job.layout.sequence_parallel = false;
        const MemoryUse before = memory_use(job);
        job.layout.tensor *= 2;
        const MemoryUse after = memory_use(job);
        RC_ASSERT(after.reserved().count() <= before.reserved().count() * (1 + 1e-12));
    }));
}

TEST_CASE("more recompute never adds memory that is kept") {
    CHECK(check_property([] {
        TrainingJob job = any_job();
        job.layout.recompute = Recompute::none;
        const ByteVolume none = memory_use(job).activations;
        job.layout.recompute = Recompute::selective;
        const ByteVolume selective = memory_use(job).activations;
        job.layout.recompute = Recompute::full;
        RC_ASSERT(memory_use(job).activations <= selective);
        RC_ASSERT(selective <= none);
    }));
}

TEST_CASE("recompute of operators keeps the layer's input, attention and every second product") {
    TrainingJob job;
    job.model = test::llama_8b();
    job.sequence = 8192;
    job.layout.recompute = Recompute::operators;
    // Input, attention's output, the products of queries, values, gate and down: 7.75 hidden
    // states.
    const double copy = 2.0 * 8192 * 4096;
    CHECK(layer_activations(job).kept.count() ==
          doctest::Approx((1 + 1 + 1 + 0.25 + 3.5 + 1) * copy));
    const auto kept = [&job](Recompute mode) {
        job.layout.recompute = mode;
        return memory_use(job).activations;
    };
    CHECK(kept(Recompute::full) < kept(Recompute::operators));
    CHECK(kept(Recompute::operators) < kept(Recompute::none));
}

TEST_CASE("FSDP in a pipeline keeps a stage's weights and fp32 gradients whole") {
    TrainingJob job;
    job.model = test::llama_8b();
    job.sequence = 8192;
    job.recipe = StateRecipe::mixed_adam;
    job.layout = {.pipeline = 4, .data = 8, .micro_batches = 8, .sharding = Sharding::zero3};
    const MemoryOverheads fsdp = memory_overheads_of("torchtitan compile");
    const RankParameters held = rank_parameters(job.model, job.layout, 0);
    CHECK(model_states(job, held, fsdp).gathered.count() == doctest::Approx(6 * held.total()));
    CHECK(model_states(job, held, {}).gathered < model_states(job, held, fsdp).gathered);
}

TEST_CASE("reserved memory is tensors plus memory kept by the allocator") {
    TrainingJob job;
    job.model = test::llama_8b();
    job.sequence = 8192;
    const MemoryOverheads fsdp = memory_overheads_of("torchtitan eager");
    const MemoryUse use = memory_use(job, fsdp);
    CHECK(use.reserved().count() == doctest::Approx((use.allocated() + use.fragmentation).count()));
    CHECK(use.fragmentation.count() ==
          doctest::Approx(0.27 * (use.activations + use.temporaries()).count()));
    CHECK(use.logits.count() == doctest::Approx(10.0 * 8192 * 128256));
}

TEST_CASE("the parts make the total") {
    CHECK(check_property([] {
        const MemoryUse use = memory_use(any_job());
        RC_ASSERT(use.total() >= use.states() + use.activations + use.overhead());
        RC_ASSERT(
            std::abs((use.total() - use.reserved() - use.context - use.communicators).count()) <=
            tolerance(use));
    }));
}

TEST_CASE("the first stage is the fullest, unless the loss exceeds the passes in flight") {
    TrainingJob job = megatron(gpt(16, 2048, 32), {.pipeline = 4, .micro_batches = 16});
    CHECK(memory_use(job).stage == 0);
    job.layout.recompute = Recompute::full;
    job.attention = Attention::flash2;
    job.model.vocab = 1'000'000;
    const MemoryUse use = memory_use(job);
    CHECK(use.stage == 3);
    CHECK(use.temporaries() == use.logits);
}

TEST_CASE("one GPU has no communication") {
    TrainingJob job = megatron(gpt(4, 512, 8), {});
    CHECK(memory_use(job).communicators == ByteVolume{});
    job.layout.data = 2;
    CHECK(memory_use(job).communicators.count() == 1.45 * bytes_per_gib);
}

TEST_CASE("a stack's own figures replace the defaults") {
    const TrainingJob job = megatron(gpt(4, 512, 8), {.data = 2, .sharding = Sharding::zero2});
    MemoryOverheads overheads;
    overheads.context = ByteVolume{7};
    overheads.communicators = ByteVolume{5};
    overheads.workspace = ByteVolume{3};
    overheads.fragmentation = 1;
    overheads.reduce_bucket = 10;
    overheads.reduce_buckets = 1;
    const MemoryUse use = memory_use(job, overheads);
    CHECK(use.overhead() == ByteVolume{7 + 5 + 3 + 20});
    CHECK(use.fragmentation == ByteVolume{});
}

TEST_CASE("the overheads of a stack follow its framework") {
    CHECK(memory_overheads_of("DeepSpeed+Liger").chunked_loss);
    CHECK_FALSE(memory_overheads_of("Megatron-LM 2021").chunked_loss);
    CHECK(memory_overheads_of("OneFlow-GPT").buffered_per_stage == 2);
    CHECK(memory_overheads_of("flash-attn training script").logit_bytes == 2);
    CHECK(memory_overheads_of("torch 2.13 eager").kernels == KernelFusion::eager);
    StackProfile profile;
    CHECK(memory_overheads_of(profile, Compilation::eager).live_parameters == 0);
    profile.frameworks = {"not known here", "DeepSpeed+Liger"};
    CHECK(memory_overheads_of(profile, Compilation::eager).live_parameters == 1e9);
    profile.frameworks = {"torchtitan eager", "torchtitan compile"};
    CHECK(memory_overheads_of(profile, Compilation::eager).kernels == KernelFusion::eager);
    CHECK(memory_overheads_of(profile, Compilation::compiled).kernels == KernelFusion::fused);
    profile.frameworks = {"DeepSpeed ZeRO-3"};
    CHECK(memory_overheads_of(profile, Compilation::eager).live_parameters == 1e9);
}

TEST_CASE("a generic network is affine in the batch and sharded by recipe") {
    GenericNetwork network;
    network.parameters = 25.6e6;
    network.activations_per_sample = ByteVolume{100e6};
    const auto use = [&](Precision precision, Sharding sharding, std::int64_t batch) {
        return memory_use(network, StateRecipe::mixed_adam, precision, sharding, 8, batch);
    };
    const MemoryUse one = use(Precision::bf16, Sharding::none, 1);
    CHECK(one.states().count() == doctest::Approx(16 * 25.6e6));
    CHECK(use(Precision::bf16, Sharding::none, 64).activations.count() ==
          doctest::Approx(64 * 100e6));
    // fp32 keeps numbers twice as wide.
    CHECK(use(Precision::fp32, Sharding::none, 1).activations.count() == doctest::Approx(200e6));
    CHECK(use(Precision::bf16, Sharding::zero1, 1).states().count() ==
          doctest::Approx((4 + 12.0 / 8) * 25.6e6));
}

TEST_CASE("2 % of a GPU's memory stay free") {
    CHECK(usable_memory(test::a100_cluster().gpu).count() == doctest::Approx(78.4e9));
    CHECK_THROWS_AS((void)usable_memory(Gpu{}), UnknownFact);
}

TEST_CASE("a layout that cannot be has no memory") {
    CHECK_THROWS_AS((void)memory_use(megatron(gpt(4, 512, 8), {.tensor = 3})), ModelError);
}

} // namespace bursar::memory_test
