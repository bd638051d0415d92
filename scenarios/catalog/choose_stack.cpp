#include "scenarios/catalog/choose_stack.hpp"

#include <cassert>

namespace bursar { inline namespace scenarios {
namespace {

struct Named {
    std::string_view profile;
    std::string_view why;
};

Named nearest(const StackClues& clues) {
    const auto has = [&](std::string_view word) {
        return clues.framework.find(word) != std::string_view::npos;
    };
    const Layout& layout = clues.layout;
    const bool fused = clues.attention != Attention::unfused;
    const bool sharded = !clues.is_searched && layout.sharding == Sharding::zero3;
    const bool split = clues.is_searched || layout.tensor > 1 || layout.pipeline > 1;
    const bool deepspeed = has("deepspeed");
    const bool megatron =
        !deepspeed && (has("megatron") || has("nemo") || has("transformer-engine"));
    if (!clues.is_transformer)
        return {"fsdp-flash", "it is no transformer and is trained data parallel"};
    if (has("jax") || has("maxtext") || has("pax"))
        return {"maxtext", "its framework is built on JAX"};
    if (has("composer") || has("foundry"))
        return {"composer", "its framework is Composer"};
    if (has("async"))
        return {"torchtitan-async-tp", "its tensor parallelism is asynchronous"};
    if (deepspeed && sharded)
        return {"deepspeed-zero3", "its framework is DeepSpeed, with sharded weights"};
    if (megatron && fused)
        return {"megatron-core-h100", "its framework is like Megatron"};
    if (has("fsdp") || has("torch"))
        return {"torchtitan", "its framework is PyTorch"};
    if (sharded)
        return {"torchtitan", "its weights are sharded (zero3)"};
    if (fused && (split || (clues.precision == Precision::fp8 && clues.has_fp8)))
        return {"megatron-core-h100",
                clues.is_searched ? "its layout is searched, tensor and pipeline parallel ones too"
                : split           ? "its layers are split over GPUs"
                                  : "its products are fp8"};
    if (fused)
        return {"fsdp-flash", "it is data parallel with fused attention"};
    if (layout.sequence_parallel)
        return {"megatron-lm-2022-sp", "its attention is unfused and it is sequence parallel"};
    if (deepspeed)
        return {"megatron-deepspeed-2022", "its framework is DeepSpeed"};
    return {"megatron-lm-2021", "its attention is unfused"};
}

} // namespace

StackClues clues_of(const TrainingJob& job, const Gpu& gpu) {
    return {.layout = job.layout,
            .attention = job.attention,
            .precision = job.precision,
            .has_fp8 = supports(gpu, Precision::fp8)};
}

StackChoice choose_stack(const Stacks& stacks, const StackClues& clues) {
    assert(!stacks.all.empty());
    const Named named = nearest(clues);
    if (const StackProfile* found = stacks.find(named.profile))
        return {found, std::string{named.why}};
    return {&stacks.all.front(),
            stacks.all.size() == 1 ? "it is the only one of the catalogue given"
                                   : "it is the first of the catalogue given"};
}

}} // namespace bursar::scenarios
