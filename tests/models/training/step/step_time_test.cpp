#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/memory/activations.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/step/data_parallel.hpp"
#include "models/training/step/layer_time.hpp"
#include "models/training/step/step_parts.hpp"
#include "models/training/step/step_time.hpp"

#include "tests/models/training/step_example.hpp"
#include "tests/properties.hpp"

namespace bursar::step_time_test {
using doctest::Approx;

namespace {

// A small possible layout of 1 to 256 GPUs.
TrainingJob any_job() {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = drawn::one_of<std::int64_t>(512, 2048, 8192);
    Layout& layout = job.layout;
    layout.tensor = drawn::one_of<std::int64_t>(1, 2, 4, 8);
    layout.pipeline = drawn::one_of<std::int64_t>(1, 2, 3, 4);
    layout.data = drawn::one_of<std::int64_t>(1, 2, 8);
    layout.micro_batch = drawn::in_range<std::int64_t>(1, 5);
    layout.micro_batches = drawn::in_range<std::int64_t>(1, 33);
    layout.sharding = drawn::one_of(Sharding::none, Sharding::zero1, Sharding::zero3);
    layout.recompute = drawn::one_of(Recompute::none, Recompute::selective, Recompute::full);
    layout.sequence_parallel = layout.tensor > 1 && drawn::boolean();
    job.attention = drawn::one_of(Attention::unfused, Attention::flash2);
    job.compilation = drawn::one_of(Compilation::eager, Compilation::compiled);
    return job;
}

StackProfile any_profile() {
    StackProfile profile;
    profile.data_overlap = drawn::one_of(0.0, 0.5, 1.0);
    profile.tensor_overlap = drawn::one_of(0.0, 0.5);
    profile.straggler_sigma = drawn::one_of(0.0, 0.01);
    return profile;
}

std::vector<Seconds> terms(const StepTime& step) {
    return {step.gemm,
            step.attention,
            step.memory_bound,
            step.recompute,
            step.host,
            step.tensor_comm,
            step.context_comm,
            step.expert_comm,
            step.pipeline_comm,
            step.data_comm,
            step.offload,
            step.bubble,
            step.optimizer,
            step.input,
            step.straggler};
}

constexpr double rounding = 1 + 1e-12;

} // namespace

TEST_CASE("a 175B step on 1,024 A100 takes about the published 32 seconds without any fitting") {
    // Narayanan et al. 2021: 138 TFLOP/s, "around 32 seconds" at batch 1,536.
    const Cluster cluster = example_cluster(a100());
    const StepTime step = step_time(gpt_175b_job(), cluster, StackProfile{});
    CHECK(step.total().count() == Approx(32).epsilon(0.1));
    CHECK(step.bubble.count() == Approx(7.0 / 96 * 30).epsilon(0.1)); // (p - 1) / m
    CHECK(step.context_comm == Seconds{});
    CHECK(step.expert_comm == Seconds{});
}

TEST_CASE("a step is the sum of its terms, and none is negative") {
    const Cluster cluster = example_cluster(h100());
    CHECK(check_property("for any layout", [&] {
        const StepTime step = step_time(any_job(), cluster, any_profile());
        Seconds sum{};
        for (const Seconds term : terms(step)) {
            RC_ASSERT(term >= Seconds{});
            sum += term;
        }
        RC_ASSERT(std::abs(sum.count() - step.total().count()) <= 1e-12 * sum.count());
    }));
}

TEST_CASE("better hardware is never slower") {
    CHECK(check_property("links between nodes, device memory, matrix rate", [] {
        const TrainingJob job = any_job();
        const StackProfile profile = any_profile();
        Cluster cluster = example_cluster(h100());
        const auto total = [&] { return step_time(job, cluster, profile).total() * rounding; };
        Seconds before = total();
        cluster.tree.levels.back().bandwidth = cluster.tree.levels.back().bandwidth * 2.0;
        RC_ASSERT(step_time(job, cluster, profile).total() <= before);
        before = total();
        cluster.tree.levels.front().bandwidth = cluster.tree.levels.front().bandwidth * 2.0;
        RC_ASSERT(step_time(job, cluster, profile).total() <= before);
        before = total();
        *cluster.gpu.memory_bandwidth_gb_s *= 2;
        RC_ASSERT(step_time(job, cluster, profile).total() <= before);
        before = total();
        for (auto& peak : cluster.gpu.dense_peak_tflops)
            *peak *= 2;
        RC_ASSERT(step_time(job, cluster, profile).total() <= before);
    }));
}

TEST_CASE("16-bit formats are never slower than 32-bit ones on a GPU with tensor cores") {
    CHECK(check_property("any layout", [] {
        TrainingJob job = any_job();
        const Cluster cluster = example_cluster(a100());
        job.precision = Precision::bf16;
        const Seconds half = step_time(job, cluster, StackProfile{}).total();
        job.precision = Precision::tf32;
        const Seconds tensor = step_time(job, cluster, StackProfile{}).total();
        job.precision = Precision::fp32;
        const Seconds full = step_time(job, cluster, StackProfile{}).total();
        RC_ASSERT(half <= tensor);
        RC_ASSERT(tensor <= full);
    }));
}

TEST_CASE("the bubble's share falls with micro-batches") {
    TrainingJob job = gpt_175b_job();
    const Cluster cluster = example_cluster(a100());
    double before = 1;
    for (job.layout.micro_batches = 1; job.layout.micro_batches <= 256;
         job.layout.micro_batches *= 2) {
        const StepTime step = step_time(job, cluster, StackProfile{});
        const double share = step.bubble / step.total();
        CHECK(share < before);
        before = share;
    }
}

TEST_CASE("chunks divide the bubble and multiply the messages") {
    TrainingJob job = gpt_175b_job();
    const Cluster cluster = example_cluster(a100());
    const StepTime plain = step_time(job, cluster, StackProfile{});
    job.layout.chunks = 3;
    const StepTime interleaved = step_time(job, cluster, StackProfile{});
    CHECK(interleaved.bubble < 0.4 * plain.bubble);
    CHECK(interleaved.pipeline_comm / plain.pipeline_comm == Approx(3));
}

TEST_CASE("chunks need not divide the layers") {
    TrainingJob job = gpt_175b_job();
    job.model.layers = 126; // Llama 3 405B: 126 layers in 8 stages of 8 chunks
    job.layout.pipeline = 8;
    const Cluster cluster = example_cluster(a100());
    const StepTime plain = step_time(job, cluster, StackProfile{});
    job.layout.chunks = 8;
    const StepTime interleaved = step_time(job, cluster, StackProfile{});
    CHECK(interleaved.gemm == plain.gemm); // the fullest stage has 16 layers either way
    CHECK(interleaved.bubble < plain.bubble);
}

TEST_CASE("small models wait for the host, and launching less frees them") {
    TrainingJob job;
    job.model = gpt_175b();
    job.model.hidden = 1024;
    job.model.ffn = 4096;
    job.model.heads = job.model.kv_heads = 16;
    job.model.head_dim = 64;
    job.sequence = 1024;
    const Cluster cluster = example_cluster(a100());
    const StackProfile profile;
    const StepTime eager = step_time(job, cluster, profile);
    CHECK(eager.host / eager.total() > 0.4); // FORMULAS 4.4
    job.compilation = Compilation::cuda_graphs;
    const StepTime graphs = step_time(job, cluster, profile);
    CHECK(graphs.host < 0.2 * eager.host);
    CHECK(graphs.gemm == eager.gemm);
    // Graphs are captured of compiled kernels.
    CHECK(graphs.memory_bound / eager.memory_bound == Approx(profile.compiled_traffic));
}

TEST_CASE("full recompute is one forward of the layers more, selective only their attention") {
    TrainingJob job = gpt_175b_job();
    const Cluster cluster = example_cluster(a100());
    const StackProfile profile;
    const auto with = [&](Recompute mode) {
        job.layout.recompute = mode;
        return step_time(job, cluster, profile);
    };
    const StepTime none = with(Recompute::none);
    const StepTime selective = with(Recompute::selective);
    const StepTime full = with(Recompute::full);
    CHECK(none.recompute == Seconds{});
    CHECK(selective.recompute.count() == Approx(none.attention.count() / 3));
    const StepTime operators = with(Recompute::operators);
    CHECK(operators.recompute > selective.recompute);
    CHECK(operators.recompute < full.recompute);
    const Seconds forward = (none.gemm + none.attention + none.memory_bound) / 3.0;
    CHECK(full.recompute / forward > 0.9); // the loss is not computed again
    CHECK(full.recompute <= forward);
    CHECK(full.tensor_comm / none.tensor_comm == Approx(1.5).epsilon(0.01)); // 6 all-reduces for 4
}

TEST_CASE("every n-th layer recomputed is an n-th of the time and keeps what the others keep") {
    TrainingJob job = gpt_175b_job();
    job.layout.pipeline = 4; // 24 layers a stage
    job.layout.data = 32;
    const Cluster cluster = example_cluster(a100());
    const auto step = [&](const Recomputation& recompute) {
        job.layout.recompute = recompute;
        return step_time(job, cluster, StackProfile{});
    };
    const auto kept = [&](const Recomputation& recompute) {
        job.layout.recompute = recompute;
        return memory_use(job).activations.count();
    };
    const StepTime none = step(Recompute::none);
    const StepTime full = step(Recompute::full);
    for (const std::int64_t n : {2, 3, 4, 24}) {
        CAPTURE(n);
        const double share = 1.0 / static_cast<double>(n);
        const StepTime some = step({Recompute::full, n});
        CHECK(some.recompute.count() == Approx(share * full.recompute.count()));
        CHECK(some.total() > none.total());
        CHECK(some.total() < full.total());
        CHECK(kept({Recompute::full, n}) ==
              Approx(kept(Recompute::none) * (1 - share) + kept(Recompute::full) * share));
    }
    // 5 does not divide 24: four layers are computed again, 20 keep all.
    CHECK(kept({Recompute::full, 5}) ==
          Approx((kept(Recompute::none) * 20 + kept(Recompute::full) * 4) / 24));
    CHECK(step({Recompute::full, 1}).total() == full.total());
}

TEST_CASE("every second layer recomputed: half of the activations for some 15 % of the time") {
    // The usual claim. With all default constants a step of one node waits for more than layers.
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.layout = {.data = 8, .sharding = Sharding::zero3};
    const Cluster cluster = example_cluster(h100());
    const MemoryUse keeps_all = memory_use(job);
    const StepTime plain = step_time(job, cluster, StackProfile{});
    job.layout.recompute = {Recompute::full, 2};
    const double memory = memory_use(job).activations / keeps_all.activations;
    const double time = step_time(job, cluster, StackProfile{}).total() / plain.total();
    CHECK(memory > 0.5);
    CHECK(memory < 0.55);
    CHECK(time > 1.10);
    CHECK(time < 1.17);
}

TEST_CASE(
    "recompute of operators: half the products and all cheap kernels, not the attention core") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 8192;
    const auto with = [&](Recompute mode) {
        job.layout.recompute = mode;
        return step_time(job, example_cluster(h100()), StackProfile{}).recompute;
    };
    const Cluster cluster = example_cluster(h100());
    const StackProfile profile;
    const TrainingRank rank = place_rank(job, cluster, profile); // keeps references
    const KernelTime layer = layer_time(rank).forward.kernels;
    CHECK(with(Recompute::operators).count() ==
          Approx(32 * (0.5 * layer.gemm + layer.memory_bound).count()));
    CHECK(with(Recompute::operators) < with(Recompute::full) - 32.0 * layer.attention);
}

TEST_CASE("layers gathered piece by piece wait for each piece") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 2048;
    job.layout.data = 512;
    job.layout.sharding = Sharding::zero3;
    const auto with = [&](double pieces) {
        StackProfile profile;
        profile.gathers_per_layer = pieces;
        return step_time(job, example_cluster(a100()), profile).data_comm;
    };
    CHECK(with(6) > with(1));
    CHECK(with(6) < 6.0 * with(1)); // the bytes are the same
}

TEST_CASE("a layer that is gathered in pieces is gathered again for recomputation") {
    TrainingJob job = gpt_175b_job();
    job.layout = {.data = 1536, .sharding = Sharding::zero3};
    StackProfile profile;
    profile.link_efficiency = 0.3;
    const auto with = [&](double pieces, Recomputation again) {
        profile.gathers_per_layer = pieces;
        job.layout.recompute = again;
        return step_time(job, example_cluster(a100()), profile).data_comm;
    };
    const Seconds plain = with(4, Recompute::none);
    const Seconds full = with(4, Recompute::full);
    CHECK(full > 1.2 * plain); // weights three times in place of twice, and gradients
    CHECK(full < 1.4 * plain);
    CHECK((with(4, {Recompute::full, 2}) - plain) / (full - plain) == Approx(0.5));
    CHECK(with(1, Recompute::full) == with(1, Recompute::none));
    job.model = llama_8b(); // DeepSpeed keeps layers of 0.2e9 parameters
    CHECK(with(4, Recompute::full) == with(4, Recompute::none));
}

TEST_CASE("the output matrix has no rows of odd sizes") {
    TrainingJob job = gpt_175b_job();
    const auto loss_of = [&](std::int64_t vocabulary) {
        job.model.vocab = vocabulary;
        const Cluster cluster = example_cluster(a100());
        return logits_time(place_rank(job, cluster, StackProfile{})).forward.kernels.gemm;
    };
    const std::int64_t whole = 128 * job.layout.tensor * 50;
    CHECK(loss_of(whole - 1) == loss_of(whole));
    CHECK(loss_of(whole + 1) > loss_of(whole));
    CHECK(loss_of(whole + 1) == loss_of(whole + 128 * job.layout.tensor));
}

TEST_CASE("an unfused loss moves 52 bytes a logit") {
    TrainingJob job = gpt_175b_job();
    const Cluster cluster = example_cluster(a100());
    StackProfile profile;
    const auto moved = [&] {
        return logits_time(place_rank(job, cluster, profile)).forward.kernels.memory_bound;
    };
    profile.logits_traffic = 13;
    const Seconds fused = moved();
    job.unfused_loss = true;
    CHECK(moved() / fused == Approx(4));
}

TEST_CASE("flash attention is faster than unfused, most at long sequences") {
    TrainingJob job;
    job.model = llama_8b();
    const Cluster cluster = example_cluster(a100());
    const auto gain = [&](std::int64_t sequence) {
        job.sequence = sequence;
        job.attention = Attention::unfused;
        const Seconds unfused = step_time(job, cluster, StackProfile{}).total();
        job.attention = Attention::flash2;
        return unfused / step_time(job, cluster, StackProfile{}).total();
    };
    CHECK(gain(2048) > 1.02);
    CHECK(gain(8192) > gain(2048) + 0.1);
}

TEST_CASE("overlap only hides") {
    CHECK(check_property("exposed traffic is at most all traffic", [] {
        const TrainingJob job = any_job();
        const Cluster cluster = example_cluster(a100());
        const StackProfile profile = any_profile();
        const TrainingRank rank = place_rank(job, cluster, profile);
        const Seconds layer{drawn::in_range(0, 100) * 1e-3};
        const ReplicaTraffic traffic =
            replica_traffic(rank, rank_parameters(job.model, job.layout, 0));
        const DataParallelTime time =
            traffic.beside({layer, 2.0 * layer, 8}, job.layout.micro_batches);
        RC_ASSERT(time.exposed >= Seconds{});
        RC_ASSERT(time.exposed <= time.total * rounding);
    }));
}

TEST_CASE("sharding") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 2048;
    job.layout.data = 64;
    const Cluster cluster = example_cluster(a100());
    const StackProfile profile;
    const auto with = [&](Sharding sharding) {
        job.layout.sharding = sharding;
        return step_time(job, cluster, profile);
    };
    const StepTime none = with(Sharding::none);
    const StepTime zero1 = with(Sharding::zero1);
    const StepTime zero3 = with(Sharding::zero3);
    CHECK(none.optimizer / zero1.optimizer == Approx(64)); // every rank updates its share
    // 4-byte gradients scattered and 2-byte weights gathered against two passes of gradients.
    CHECK(zero1.data_comm / none.data_comm == Approx(0.75).epsilon(0.05));
    CHECK(zero3.data_comm > zero1.data_comm); // weights gathered twice
    // HSDP: gathers stay inside the node, and groups add up once for all micro-batches.
    job.layout.micro_batches = 8;
    const StepTime flat = with(Sharding::zero3);
    job.layout.shard = 8;
    CHECK(with(Sharding::zero3).data_comm < 0.85 * flat.data_comm);
}

TEST_CASE("ZeRO-3 moves embedding and output matrix once a step, layers' weights twice") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 2048;
    job.layout.data = 64;
    job.layout.sharding = Sharding::zero3;
    const Cluster cluster = example_cluster(a100());
    const StackProfile profile; // nothing hides
    const Seconds whole = step_time(job, cluster, profile).data_comm;
    job.model.vocab *= 2;
    const Seconds wider = step_time(job, cluster, profile).data_comm;
    // 2-byte weights and 4-byte gradients of the new rows; a layer's are gathered once more.
    const double rows = 128256.0 * 4096 * 2;
    const double layers = parameters(llama_8b()) - rows;
    CHECK(wider / whole == Approx(1 + 6 * rows / (8 * layers + 6 * rows)).epsilon(0.01));
}

TEST_CASE("an offloaded optimizer pays the host link and the host's processors") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 2048;
    job.layout.data = 8;
    job.layout.sharding = Sharding::zero3;
    job.recipe = StateRecipe::mixed_adam;
    job.layout.offload_optimizer = true;
    const Cluster cluster = example_cluster(a100());
    StackProfile profile;
    profile.host_adam = Seconds{1e-10};
    const TrainingRank rank = place_rank(job, cluster, profile);
    const RankParameters held = rank_parameters(job.model, job.layout, 0);
    const double own = held.total() / 8;
    CHECK(optimizer_time(rank, held).count() ==
          Approx(own * 4 / cluster.host_link.count() + own * 8 * 1e-10));
}

TEST_CASE("copies of activations show where the host link is slower than the layers") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 8192;
    Cluster cluster = example_cluster(a100());
    const StackProfile profile;
    const StepTime kept = step_time(job, cluster, profile);
    job.layout.offload_layers = 20;
    cluster.host_link = ByteRate{1e13};
    CHECK(step_time(job, cluster, profile).total() == kept.total());
    // A link so slow that both directions last longer than the compute of all 32 layers.
    cluster.host_link = ByteRate{1e9};
    const PassParts pass = pass_parts(place_rank(job, cluster, profile));
    const double copies = 20 * layer_activations(job).kept.count() / 1e9;
    const double compute = 32 * (pass.layer_forward + pass.layer_backward).count();
    const StepTime slow = step_time(job, cluster, profile);
    CHECK(slow.offload.count() == Approx(2 * copies - compute));
    job.layout.offload_layers = 0;
    CHECK(step_time(job, cluster, profile).total() == kept.total());
    // Of a pipeline, each stage has its own layers.
    job.layout.pipeline = 4;
    job.layout.micro_batches = 8;
    job.layout.offload_layers = 8;
    const double of_stage = 8 * layer_activations(job).kept.count() / 1e9;
    CHECK(step_time(job, cluster, profile).offload.count() ==
          Approx(8 * (2 * of_stage - compute / 4)).epsilon(0.001));
}

TEST_CASE("compressed gradients help when they are large and links slow") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 2048;
    job.layout.data = 64;
    const Cluster slow = make_cluster(a100(), 8, ByteRate{1e9});
    const Seconds plain = step_time(job, slow, StackProfile{}).data_comm;
    job.compression = GradientCompression{.ratio = 0.1, .passes = 4};
    const Seconds compressed = step_time(job, slow, StackProfile{}).data_comm;
    CHECK(compressed < 0.2 * plain);
    CHECK(compressed > 0.1 * plain); // encoding costs
}

TEST_CASE("experts and contexts exchange tokens") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 8192;
    job.layout.data = 8;
    job.layout.context = 2;
    const Cluster cluster = example_cluster(h100());
    CHECK(step_time(job, cluster, StackProfile{}).context_comm > Seconds{});
    job.model.experts = Experts{.count = 8, .per_token = 2, .ffn = 14336, .shared_ffn = 0};
    const StepTime alone = step_time(job, cluster, StackProfile{});
    CHECK(alone.expert_comm == Seconds{});
    job.layout.expert = 8;
    const StepTime shared = step_time(job, cluster, StackProfile{});
    CHECK(shared.expert_comm > Seconds{});
    job.expert_imbalance = 1.5;
    const StepTime uneven = step_time(job, cluster, StackProfile{});
    CHECK(uneven.expert_comm > shared.expert_comm);
    CHECK(uneven.gemm > shared.gemm);
}

TEST_CASE("fp8 shortens the linear layers only") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 8192;
    const Cluster cluster = example_cluster(h100());
    const StepTime half = step_time(job, cluster, StackProfile{});
    job.precision = Precision::fp8;
    const StepTime eighth = step_time(job, cluster, StackProfile{});
    CHECK(eighth.gemm < 0.7 * half.gemm);
    CHECK(eighth.gemm > 0.5 * half.gemm); // logits stay in 16 bits
    CHECK(eighth.attention == half.attention);
    CHECK(eighth.memory_bound > half.memory_bound); // casts
}

TEST_CASE("a step the GPU or the layout cannot do") {
    TrainingJob job = gpt_175b_job();
    job.precision = Precision::bf16;
    CHECK_THROWS_AS((void)step_time(job, example_cluster(v100()), StackProfile{}), ModelError);
    job.precision = Precision::fp8;
    CHECK_THROWS_AS((void)step_time(job, example_cluster(a100()), StackProfile{}), ModelError);
    job = gpt_175b_job();
    job.layout.tensor = 7;
    CHECK_THROWS_AS((void)step_time(job, example_cluster(a100()), StackProfile{}), ModelError);
}

TEST_CASE("waiting for data") {
    TrainingJob job = gpt_175b_job();
    const Cluster cluster = example_cluster(a100());
    const StepTime fed = step_time(job, cluster, StackProfile{});
    // 1,536 samples on 128 nodes: 12 a node, 4 s each on one worker.
    job.input = InputPipeline{.cpu_per_sample = Seconds{4}, .workers = 1};
    const StepTime starved = step_time(job, cluster, StackProfile{});
    CHECK(starved.total().count() == Approx(48));
    CHECK((starved.total() - starved.input).count() == Approx(fed.total().count()));
}

} // namespace bursar::step_time_test
