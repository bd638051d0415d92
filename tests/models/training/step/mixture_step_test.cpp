#include <doctest/doctest.h>

#include "models/training/job/flops.hpp"
#include "models/training/step/step_time.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::mixture_step_test {
using doctest::Approx;

TEST_CASE("experts copy their tokens, and the host launches the routing kernels") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.layout.data = 8;
    job.layout.expert = 8;
    job.model.experts = Experts{.count = 64, .per_token = 8, .ffn = 1792, .shared_ffn = 0};
    const Cluster cluster = example_cluster(h100());
    StackProfile profile;
    profile.expert_traffic = 1;
    profile.host_experts = Seconds{1e-6};
    const StepTime few = step_time(job, cluster, profile);
    profile.expert_traffic = 11;
    const StepTime many = step_time(job, cluster, profile);
    // Ten passes more over T k h numbers of 2 bytes, forward once and backward twice.
    const double bytes = 3 * 10 * 2 * 4096.0 * 8 * 4096 * 32;
    CHECK((many.memory_bound - few.memory_bound).count() ==
          Approx(bytes / (3350e9 * profile.memory_efficiency)));
    profile.host_experts = Seconds{10e-3};
    CHECK(step_time(job, cluster, profile).host > many.host);
    job.model.experts->dense_layers = 31; // one layer of 32 has experts
    job.model.ffn = 14336;
    CHECK(step_time(job, cluster, profile).expert_comm.count() ==
          Approx(many.expert_comm.count() / 32));
}

TEST_CASE("a token crosses to a node once, however many experts it has there") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.layout.data = 16;
    job.layout.expert = 16;
    job.model.experts = Experts{.count = 64, .per_token = 8, .ffn = 1792, .shared_ffn = 0};
    const StepTime two_nodes = step_time(job, example_cluster(h100()), StackProfile{});
    // Of the same GPUs in one domain of NVLink, eight copies travel, on faster links.
    const StepTime one = step_time(job, make_cluster(h100(), 16, ByteRate{400e9}), StackProfile{});
    CHECK(one.expert_comm < two_nodes.expert_comm);
    // 2 (1 - 1/2^8) copies of eight over links nine times as slow, half of them to the other node.
    CHECK(two_nodes.expert_comm < 3.0 * one.expert_comm);
    StackProfile hidden;
    hidden.expert_overlap = 0.5;
    CHECK(step_time(job, example_cluster(h100()), hidden).expert_comm.count() ==
          Approx(0.5 * two_nodes.expert_comm.count()));
}

TEST_CASE("passes over the inner tensors of experts cost their bytes") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.expert_imbalance = 1.25;
    job.model.experts = Experts{.count = 64, .per_token = 8, .ffn = 1792, .shared_ffn = 0};
    const Cluster cluster = example_cluster(h100());
    StackProfile profile;
    const StepTime few = step_time(job, cluster, profile);
    profile.expert_inner_traffic += 10;
    const StepTime many = step_time(job, cluster, profile);
    const double bytes = 3 * 10 * 2 * 4096.0 * 1.25 * 8 * 1792 * 32;
    CHECK((many.memory_bound - few.memory_bound).count() ==
          Approx(bytes / (3350e9 * profile.memory_efficiency)));
}

TEST_CASE("the cheap modules of a mixture: two norms and the activation, no product, no traffic") {
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = 4096;
    job.layout.data = 8;
    job.layout.expert = 8;
    job.model.experts = Experts{.count = 64, .per_token = 8, .ffn = 1792, .shared_ffn = 256};
    const StackProfile profile;
    const auto with = [&](Recompute mode) {
        job.layout.recompute = mode;
        return step_time(job, example_cluster(h100()), profile);
    };
    const StepTime modules = with(Recompute::operators);
    const double numbers = 4096.0 * (4 * 4096 + 3 * (8 * 1792 + 256));
    CHECK(modules.recompute.count() ==
          Approx(32 * 2 * numbers / (3350e9 * profile.memory_efficiency)));
    CHECK(modules.expert_comm == with(Recompute::none).expert_comm);
    CHECK(modules.recompute < 0.2 * with(Recompute::full).recompute);
    job.model.latent =
        LatentAttention{.query_rank = 1536, .key_rank = 512, .rotary_dim = 64, .value_dim = 128};
    const Seconds heads = with(Recompute::operators).recompute - modules.recompute;
    const Flops again = recomputed_flops(job.model, job.sequence, Recompute::operators);
    CHECK(heads > Flops{4096 * again.count()} / achievable_peak(h100(), Precision::bf16));
}

} // namespace bursar::mixture_step_test
