#include <doctest/doctest.h>

#include "models/training/memory/memory.hpp"
#include "models/training/search/layout_parts.hpp"
#include "models/training/search/layout_space.hpp"
#include "models/training/step/step_time.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::layout_parts_test {
namespace {

TrainingJob mixture_job() {
    TrainingJob job;
    job.model = llama_8b();
    job.model.experts = Experts{8, 2, 14336, 0, 2};
    job.sequence = 32'768;
    return job;
}

/// Layouts of the space that differ from memory_use() or step_time().
int differing(const TrainingJob& job, const LayoutSpace& space) {
    const Cluster cluster = example_cluster(h100());
    StackProfile profile;
    profile.data_overlap = 0.6;
    profile.straggler_sigma = 0.01;
    const MemoryOverheads overheads;
    LayoutParts parts{cluster, profile, overheads};
    int different = 0;
    int all = 0;
    for_each_layout(job, cluster, space, [&](const TrainingJob& laid) {
        ++all;
        const bool equal = parts.memory(laid) == memory_use(laid, overheads).total() &&
                           parts.step(laid) == step_time(laid, cluster, profile).total();
        different += equal ? 0 : 1;
    });
    REQUIRE(all > 1000);
    return different;
}

LayoutSpace wide_space(const TrainingJob& job) {
    LayoutSpace space = usual_layout_space(job, 64, 128);
    space.recompute.push_back(Recompute::operators);
    space.precisions = {Precision::bf16, Precision::fp16, Precision::tf32, Precision::fp8};
    return space;
}

} // namespace

TEST_CASE("what layouts share changes none of them by a bit") {
    TrainingJob job = mixture_job();
    CHECK(differing(job, wide_space(job)) == 0);
    job.layout.gpipe = job.layout.offload_optimizer = true;
    job.attention = Attention::unfused;
    CHECK(differing(job, wide_space(job)) == 0);
    job.layout.shard = 2;
    job.input = InputPipeline{ByteVolume{4e5}, Seconds{1e-3}};
    job.input->storage = ByteRate{1e9};
    CHECK(differing(job, wide_space(job)) == 0);
}

} // namespace bursar::layout_parts_test
