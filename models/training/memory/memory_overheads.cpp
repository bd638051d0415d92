#include "models/training/memory/memory_overheads.hpp"

#include <optional>
#include <string>

namespace bursar { inline namespace models {
namespace {

/// DeepSpeed's defaults (runtime/zero/config.py, read 2026-11): stage3_max_live_parameters 1e9,
/// reduce_bucket_size 5e8, overlap_comm. Liger: ops/fused_linear_cross_entropy.py.
MemoryOverheads deepspeed_liger() {
    MemoryOverheads overheads;
    overheads.chunked_loss = true;
    overheads.live_parameters = 1e9;
    overheads.reduce_bucket = 5e8;
    overheads.error = {0.058, "on average on 12 runs on 8 H200 and B200"};
    return overheads;
}

/// DeepSpeed with the model's own kernels.
MemoryOverheads deepspeed() {
    MemoryOverheads overheads = deepspeed_liger();
    overheads.chunked_loss = false;
    return overheads;
}

/// ZeRO of stages 1 and 2 (runtime/zero/stage_1_and_2.py, read 2026-11): a rank flattens its share
/// of the 16-bit gradients (2 bytes) and copies them to 32 bits (4), FusedAdam needs nothing more;
/// reduce_bucket_size and allgather_bucket_size are 5e8.
MemoryOverheads megatron_deepspeed() {
    MemoryOverheads overheads;
    overheads.reduce_bucket = 5e8;
    overheads.step_bytes = 2 + 4;
    overheads.error = {0.035, "on average on 44 runs of BigScience on 320 to 384 A100"};
    return overheads;
}

/// InternEvo (solver/optimizer/hybrid_zero_optim.py and fsdp_optimizer.py, read 2026-11): a 32-bit
/// copy of the gradients (4) and PyTorch 1.13's AdamW, tensor by tensor, which holds a root and a
/// quotient of the second moment (4 + 4).
MemoryOverheads internevo() {
    MemoryOverheads overheads;
    overheads.step_bytes = 4 + 4 + 4;
    overheads.error = {0.056, "on average on 8 runs of InternEvo on 3 to 16 A100"};
    return overheads;
}

/// A static plan, so nothing is fragmented. Pipelines buffer twice the number of stages
/// (Oneflow-Inc/oneflow core/job_rewriter/pipeline_buffer_pass.cpp, read 2026-11).
MemoryOverheads oneflow() {
    MemoryOverheads overheads;
    overheads.fragmentation = 1;
    overheads.buffered_per_stage = 2;
    overheads.error = {0.106, "on average on 17 runs on 1 to 32 V100"};
    return overheads;
}

/// PyTorch without fused kernels.
MemoryOverheads eager() {
    MemoryOverheads overheads;
    overheads.kernels = KernelFusion::eager;
    return overheads;
}

bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

/// PyTorch FSDP, as torchtitan sets it up (FSDP2; distributed/fsdp.py, read 2026-11): in a pipeline
/// nothing is resharded after its forward pass, and gradients are reduced after the last
/// micro-batch. The ratio of reserved to needed memory was fitted on the odd rows of torchtitan's
/// table of an 8B.
MemoryOverheads pytorch_fsdp(std::string_view framework) {
    MemoryOverheads overheads;
    const bool compiled = has(framework, "compile");
    overheads.kernels = compiled ? KernelFusion::fused : KernelFusion::eager;
    overheads.fragmentation = compiled ? 1.15 : 1.27;
    overheads.fitted_on = {{"torchtitan benchmarks", {"torchtitan-001..005 by 2"}}};
    overheads.logit_bytes = 10;
    overheads.keeps_stage_gathered = true;
    overheads.error = {0.09,
                       "on average on four runs on H100 (three of an 8B within 2 %, a 405B 32 % "
                       "low)"};
    return overheads;
}

/// Megatron-LM and what is built on it: the defaults.
MemoryOverheads megatron() {
    MemoryOverheads overheads;
    overheads.error = {0.056, "on average on 21 runs in bf16 on 8 B200 (SimuMax)"};
    return overheads;
}

/// FlashAttention's training script: fused kernels, and a loss of 16-bit logits whose gradient is
/// written in place (csrc/xentropy/README.md, read 2026-11).
MemoryOverheads flash_attention() {
    MemoryOverheads overheads;
    overheads.logit_bytes = 2;
    return overheads;
}

std::optional<MemoryOverheads> known(std::string_view framework) {
    if (has(framework, "torchtitan") || has(framework, "FSDP"))
        return pytorch_fsdp(framework);
    if (framework == "DeepSpeed+Liger")
        return deepspeed_liger();
    if (framework == "DeepSpeed" || framework == "DeepSpeed ZeRO-3")
        return deepspeed();
    if (framework.starts_with("Megatron-DeepSpeed"))
        return megatron_deepspeed();
    if (framework.starts_with("Megatron"))
        return megatron();
    if (framework.starts_with("flash-attn"))
        return flash_attention();
    if (framework.starts_with("InternEvo") || framework.starts_with("InternLM"))
        return internevo();
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

MemoryOverheads memory_overheads_of(const StackProfile& profile,
                                    Compilation compilation,
                                    std::string_view framework) {
    std::vector<std::string_view> names{framework};
    names.insert(names.end(), profile.frameworks.begin(), profile.frameworks.end());
    std::optional<MemoryOverheads> first;
    for (const std::string_view name : names) {
        const std::optional<MemoryOverheads> found = known(name);
        if (found && has(name, "compile") == (compilation != Compilation::eager))
            return *found;
        if (!first)
            first = found;
    }
    return first.value_or(MemoryOverheads{});
}

}} // namespace bursar::models
