#pragma once

#include <cstdint>

#include "models/training/memory/memory_overheads.hpp"
#include "models/training/training_job.hpp"
#include "models/units/physics.hpp"

namespace bursar::inline models {

/// Activations of one layer and one micro-batch on one rank.
struct LayerActivations {
    ByteVolume kept;    ///< from its forward to its backward pass, for every micro-batch in flight
    ByteVolume working; ///< only while it is in its backward pass: what is computed again, and the
                        ///< gradients of activations
};

/// Numbers kept per token and layer without recompute, over hidden (so that 1 is a copy of the
/// hidden state): what every tensor rank keeps whole, and what is divided among them.
/// Korthikanti 2022 section 4 counted tensor by tensor: 10/2 and 24/2 for GPT.
/// Scores are not in it.
struct LayerCopies {
    double replicated{}; ///< divided by tensor only with sequence parallel
    double divided{};    ///< divided by tensor

    [[nodiscard]] double total() const { return replicated + divided; }
};

/// bytes: of one number, 2 or 4; dropout masks take 1.
/// For eager kernels the layer's output counts too, as a memory counter before and after the layer
/// sees it.
[[nodiscard]] LayerCopies
layer_copies(const Transformer& model, KernelFusion kernels, double bytes = 2);

/// Activation bytes of one layer (FORMULAS 3.2; Korthikanti 2022 Table 2). Equal to the table for
/// GELU, dropout and as many KV heads as heads; other blocks by counting, or by the model's
/// measured copies.
[[nodiscard]] LayerActivations layer_activations(const TrainingJob& job,
                                                 KernelFusion kernels = KernelFusion::fused);

/// Layers times micro-batches whose activations a stage holds at its peak: GPipe all micro-batches;
/// 1F1B min(m, p - i); interleaved on the first stage L/p (1 + (p-1)/(p v)) p (Korthikanti 2022
/// 4.2.3, Narayanan 2021). Layers of a stage: L / p, rounded up.
[[nodiscard]] double
layers_in_flight(std::int64_t layers, const Layout& layout, std::int64_t stage);

/// Micro-batches in flight on a stage, in whole-stage units.
[[nodiscard]] double micro_batches_in_flight(const Layout& layout, std::int64_t stage);

/// Embedding dropout masks (1 byte a number), token ids (8 bytes a token) on the first stage; the
/// final norm's and the output matrix's inputs on the last one.
[[nodiscard]] ByteVolume
boundary_activations(const TrainingJob& job, std::int64_t stage, double micro_batches);

/// Logits of one micro-batch and what the loss keeps of them, on the last stage.
[[nodiscard]] ByteVolume logit_memory(const TrainingJob& job, const MemoryOverheads& overheads);

} // namespace bursar::inline models
