#include <doctest/doctest.h>

#include "models/training/memory/memory.hpp"
#include "models/training/search/usual_passes.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/models/training/step_example.hpp"

namespace bursar::usual_passes_test {
namespace {

using test::gpt;
using test::megatron;

/// A GPT of 1.3B on one A100, if it has nothing else.
TrainingJob small_job(Layout layout = {}) {
    TrainingJob job = megatron(gpt(24, 2048, 32), layout);
    job.attention = Attention::flash2;
    return job;
}

PassReasons settle(TrainingJob& job, const StatedPasses& stated) {
    return settle_passes(job, stated, example_cluster(a100()), {});
}

} // namespace

TEST_CASE("what is stated of the passes is kept, without a reason") {
    TrainingJob job = small_job();
    const PassReasons why =
        settle(job, {.batch = 12, .micro_batch = 3, .recompute = Recompute::full});
    CHECK(job.layout.micro_batch == 3);
    CHECK(job.layout.micro_batches == 4);
    CHECK(job.layout.recompute == Recompute::full);
    CHECK(why.assumptions(job).empty());
    settle(job, {.batch = 12, .passes = 2});
    CHECK(job.layout.micro_batch == 6);
    settle(job, {.micro_batch = 2, .passes = 5});
    CHECK(job.layout.micro_batches == 5);
}

TEST_CASE("the micro-batch is the largest power of two that divides the batch and fits") {
    TrainingJob job = small_job();
    const PassReasons why = settle(job, {.batch = 24, .recompute = Recompute::full});
    CHECK(job.layout.micro_batch == 8);
    CHECK(job.layout.micro_batches == 3);
    CHECK(why.assumptions(job) ==
          std::vector<std::string>{
              "micro_batch: 8, not stated (16 does not divide the 24 sequences of a replica)"});
    settle(job, {.batch = 64, .recompute = Recompute::full});
    CHECK(job.layout.micro_batch == 16);
    CHECK(settle(job, {.batch = 64, .recompute = Recompute::full}).micro_batch ==
          "not stated (the largest tried)");
    settle(job, {.batch = 64, .recompute = Recompute::none}); // larger ones do not fit
    const std::int64_t fitting = job.layout.micro_batch;
    CHECK(fitting > 1);
    CHECK(fitting < 16);
    TrainingJob larger = job;
    larger.layout.micro_batch = 2 * fitting;
    larger.layout.micro_batches = 64 / larger.layout.micro_batch;
    CHECK(memory_use(job).total().count() <= 0.98 * 80e9);
    CHECK(memory_use(larger).total().count() > 0.98 * 80e9);
    TrainingJob staged = small_job({.pipeline = 4});
    CHECK(settle(staged, {.batch = 32, .recompute = Recompute::full}).micro_batch ==
          "not stated (4 leaves the pipeline fewer than 4 passes per stage)");
    CHECK(staged.layout.micro_batch == 2); // 16 passes, 4 per stage
}

TEST_CASE("without a batch a replica has one pass, and eight per stage in a pipeline") {
    TrainingJob job = small_job();
    const PassReasons why = settle(job, {});
    CHECK(job.layout.micro_batch > 1);
    CHECK(memory_use(job).total().count() <= 0.98 * 80e9);
    CHECK(job.layout.micro_batches == 1);
    REQUIRE(why.assumptions(job).size() == 3);
    CHECK(why.assumptions(job)[1] == "passes: 1, no batch is stated");
    CHECK(why.assumptions(job)[2] == "recompute: none, not stated");
    TrainingJob staged = small_job({.pipeline = 4});
    settle(staged, {});
    CHECK(staged.layout.micro_batches == 32);
}

TEST_CASE("copied KV heads are an assumption, and the network keeps its heads") {
    TrainingJob job = small_job({.tensor = 8});
    job.model.kv_heads = 2;
    const PassReasons why = settle(job, {.batch = 8, .micro_batch = 8});
    CHECK(job.model.kv_heads == 2);
    CHECK(why.assumptions(job)[0] == "kv_heads: copied to 8 for the tensor ranks");
}

TEST_CASE("activations are recomputed where they need far more than the memory") {
    TrainingJob job = small_job();
    settle(job, {.batch = 8, .micro_batch = 8});
    CHECK(job.layout.recompute == Recompute::none);
    const PassReasons why = settle(job, {.batch = 64, .micro_batch = 64});
    CHECK(job.layout.recompute == Recompute::full);
    CHECK(why.recompute.starts_with("not stated (without it "));
    TrainingJob unknown = job;
    Gpu gpu = a100();
    gpu.memory_gb.reset();
    settle_passes(unknown, {.batch = 64, .micro_batch = 64}, example_cluster(gpu), {});
    CHECK(unknown.layout.recompute == Recompute::none);
}

TEST_CASE("activations are offloaded where the stack does so and the host link is fast") {
    const MemoryOverheads overheads;
    Cluster cluster = example_cluster(a100());
    cluster.host_link = ByteRate{170e9};
    const StatedPasses stated{.batch = 64, .micro_batch = 64};
    const auto settled = [&](bool offloads, Layout layout, StatedPasses passes) {
        TrainingJob job = small_job(layout);
        job.offloads_activations = offloads;
        settle_passes(job, passes, cluster, overheads);
        return job;
    };
    const Layout sharded{.data = 8, .sharding = Sharding::zero3};
    TrainingJob job = small_job(sharded);
    job.offloads_activations = true;
    const PassReasons why = settle_passes(job, stated, cluster, overheads);
    CHECK(job.layout.recompute == Recompute::none);
    REQUIRE(job.layout.offload_layers > 0);
    const auto fits = [&] {
        return memory_use(job, overheads).total() <= usable_memory(cluster.gpu, overheads);
    };
    CHECK(fits());
    CHECK(why.assumptions(job)[1].starts_with(
        "offload_layers: " + std::to_string(job.layout.offload_layers) +
        ", not stated (without them "));
    --job.layout.offload_layers;
    CHECK_FALSE(fits()); // so they are the fewest
    CHECK(settled(true, sharded, {.batch = 64, .micro_batch = 2}).layout.offload_layers == 0);
    CHECK(settled(false, sharded, stated).layout.recompute == Recompute::full);
    CHECK(settled(true, {.data = 8, .sharding = Sharding::zero1}, stated).layout.recompute ==
          Recompute::full);
    StatedPasses all = stated;
    all.recompute = Recompute::none;
    CHECK(settled(true, sharded, all).layout.offload_layers == 0);
    // Layers that are stated are kept, and nothing is recomputed.
    const Layout stated_layers{.data = 8, .sharding = Sharding::zero3, .offload_layers = 1};
    CHECK(settled(true, stated_layers, stated).layout == [&] {
        Layout layout = stated_layers;
        layout.micro_batch = 64;
        return layout;
    }());
    cluster.host_link = ByteRate{50e9};
    CHECK(settled(true, sharded, stated).layout.offload_layers == 0);
}

} // namespace bursar::usual_passes_test
