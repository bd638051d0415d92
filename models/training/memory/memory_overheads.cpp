#include "models/training/memory/memory_overheads.hpp"

#include <optional>
#include <string>

namespace bursar::inline models {
namespace {

/// DeepSpeed's defaults (runtime/zero/config.py, read 2026-11): stage3_max_live_parameters 1e9,
/// reduce_bucket_size 5e8, overlap_comm. Liger: ops/fused_linear_cross_entropy.py.
MemoryOverheads deepspeed_liger() {
    MemoryOverheads overheads;
    overheads.chunked_loss = true;
    overheads.live_parameters = 1e9;
    overheads.reduce_bucket = 5e8;
    return overheads;
}

/// DeepSpeed with the model's own kernels.
MemoryOverheads deepspeed() {
    MemoryOverheads overheads = deepspeed_liger();
    overheads.chunked_loss = false;
    return overheads;
}

/// A static plan, so nothing is fragmented. Pipelines buffer twice the number of stages
/// (Oneflow-Inc/oneflow core/job_rewriter/pipeline_buffer_pass.cpp, read 2026-11).
MemoryOverheads oneflow() {
    MemoryOverheads overheads;
    overheads.fragmentation = 1;
    overheads.buffered_per_stage = 2;
    return overheads;
}

/// PyTorch without fused kernels.
MemoryOverheads eager() {
    MemoryOverheads overheads;
    overheads.kernels = KernelFusion::eager;
    return overheads;
}

std::optional<MemoryOverheads> known(std::string_view framework) {
    if (framework == "DeepSpeed+Liger")
        return deepspeed_liger();
    if (framework == "DeepSpeed")
        return deepspeed();
    if (framework.starts_with("OneFlow"))
        return oneflow();
    if (framework.ends_with("eager"))
        return eager();
    return std::nullopt;
}

} // namespace

MemoryOverheads memory_overheads_of(std::string_view framework) {
    return known(framework).value_or(MemoryOverheads{});
}

MemoryOverheads memory_overheads_of(const StackProfile& profile) {
    for (const std::string& framework : profile.frameworks) {
        if (const auto found = known(framework))
            return *found;
    }
    return {};
}

} // namespace bursar::inline models
