#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// How the kernels of a layer keep tensors for the backward pass.
enum class KernelFusion : std::uint8_t {
    fused, ///< norm, rotary embedding and activation are one kernel each (Megatron, Liger)
    eager  ///< every operation keeps its own input, norms in fp32 (Hugging Face)
};

/// How far the memory of measured runs is from the model.
struct MemoryError {
    double share{};     ///< mean absolute error as a share of the memory, > 0
    std::string source; ///< after "the total is 5.6 % off": "on average on 21 runs on 8 B200"
};

/// Memory of a software stack on a GPU in addition to the tensors of the layout. The defaults are
/// PyTorch's with Megatron's kernels; every figure may be replaced.
struct MemoryOverheads {
    /// CUDA context of a process: 0.47 GiB (PyTorch 2.1, lazily loaded modules); 0.9 (1.13), 1.78
    /// (1.10). Source: ml-engineering 744d01e18b, training/performance, on A100.
    ByteVolume context{0.47 * bytes_per_gib};
    /// NCCL's buffers after the first collective, for jobs of more than one GPU: 1.45 GiB, measured
    /// with two ranks. Source: the same.
    ByteVolume communicators{1.45 * bytes_per_gib};
    /// cuBLAS and cuDNN workspaces, temporaries: 0.5-1 GiB [unverified] (FORMULAS 3.3).
    ByteVolume workspace{0.5 * bytes_per_gib};
    /// Reserved over needed memory of activations and temporaries, >= 1: 1.05-1.15 [unverified]
    /// (FORMULAS 3.3).
    double fragmentation{1.05};
    /// Measurements that `fragmentation` was fitted on; empty: none.
    std::vector<FittedOn> fitted_on;
    /// Error on measured runs to which nothing was fitted (tools/model/VALIDATION.md), in 16 bits
    /// and without offloaded layers (memory_error()); absent: held against none.
    std::optional<MemoryError> error;
    /// Share of the GPU's memory that is left alone, [0, 1): 2 % (FORMULAS 3.3).
    double reserve{0.02};

    KernelFusion kernels{KernelFusion::fused};
    /// Bytes per logit: 2 (16-bit logits) + 4 (fp32 softmax, reused for its gradient); 10 where the
    /// gradient is a third tensor, as PyTorch's cross-entropy has it (FORMULAS 3.2).
    double logit_bytes{6};
    /// The loss is computed from logits in chunks of this share of the vocabulary over hidden
    /// (Liger's fused linear cross-entropy), never from all of them.
    bool chunked_loss{};
    /// The most parameters gathered at a time under ZeRO-3; 0: layer by layer with one prefetched.
    double live_parameters{};
    /// Under ZeRO-3 a pipeline stage keeps its weights gathered, and its gradients whole in fp32,
    /// from the first micro-batch to the last.
    bool keeps_stage_gathered{};
    /// Numbers in one 16-bit gradient bucket of a ZeRO stack; 0: none.
    double reduce_bucket{};
    /// Buckets at a time: 2 if reduction overlaps the backward pass.
    double reduce_buckets{2};
    /// Bytes that the optimizer's step takes in addition to the states, for each parameter that a
    /// rank updates: 32-bit copies of gradients, flat buffers, temporaries. Flat buffers of this
    /// size find no cached block that activations left, so they add to the peak.
    double step_bytes{};
    /// Micro-batches a pipeline stage buffers per stage of the pipeline, all but the last stage; 0:
    /// by its schedule.
    double buffered_per_stage{};
};

/// The overheads of the stack that measurements or profiles call `framework` ("DeepSpeed+Liger",
/// "OneFlow-GPT"); the defaults for any other.
[[nodiscard]] MemoryOverheads memory_overheads_of(std::string_view framework);

/// The overheads of the first known framework: `framework`, then those of the profile; of a
/// compiled one for a compiled job, if there are both. framework: named for the job; empty: none
/// is.
[[nodiscard]] MemoryOverheads memory_overheads_of(const StackProfile& profile,
                                                  Compilation compilation,
                                                  std::string_view framework = {});

}} // namespace bursar::models
