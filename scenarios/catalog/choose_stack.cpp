#include "scenarios/catalog/choose_stack.hpp"

#include <cassert>

namespace bursar::inline scenarios {
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
    const bool split = clues.is_searched || layout.tensor > 1 || layout.pipeline > 1;
    const bool megatron = has("megatron") || has("nemo") || has("transformer-engine");
    if (!clues.is_transformer)
        return {"fsdp-flash", "it is no transformer and is trained data parallel"};
    if (has("fsdp") || has("torchtitan"))
        return {"fsdp-flash", "its framework is PyTorch FSDP"};
    if (!clues.is_searched && layout.sharding == Sharding::zero3)
        return {"fsdp-flash", "its weights are sharded (zero3)"};
    if (fused && (clues.precision == Precision::fp8 || split || megatron) &&
        (megatron || split || clues.has_fp8))
        return {"megatron-core-h100",
                clues.is_searched ? "its layout is searched, tensor and pipeline parallel ones too"
                : split           ? "its layers are split over GPUs"
                                  : "its products are fp8"};
    if (fused)
        return {"fsdp-flash", "it is data parallel with fused attention"};
    if (layout.sequence_parallel)
        return {"megatron-lm-2022-sp", "its attention is unfused and it is sequence parallel"};
    if (has("deepspeed"))
        return {"megatron-deepspeed-2022", "its framework is DeepSpeed"};
    return {"megatron-lm-2021", "its attention is unfused"};
}

} // namespace

StackChoice choose_stack(const Stacks& stacks, const StackClues& clues) {
    assert(!stacks.all.empty());
    const Named named = nearest(clues);
    if (const StackProfile* found = stacks.find(named.profile))
        return {found, std::string{named.why}};
    return {&stacks.all.front(),
            stacks.all.size() == 1 ? "it is the only one of the catalogue given"
                                   : "it is the first of the catalogue given"};
}

} // namespace bursar::inline scenarios
