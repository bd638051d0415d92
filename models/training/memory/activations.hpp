#pragma once

#include <algorithm>
#include <cstdint>

#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Activations of one layer and one micro-batch on one rank.
struct LayerActivations {
    ByteVolume kept;    ///< from its forward to its backward pass, for every micro-batch in flight
    ByteVolume whole;   ///< the same, of a layer that is not recomputed
    ByteVolume working; ///< only in its backward pass: what is recomputed, and the
                        ///< gradients of activations
};

/// Copies of the hidden state kept per token and layer without recompute: those that every tensor
/// rank keeps whole, and those divided among ranks. Korthikanti 2022 section 4 counted tensor by
/// tensor: 10/2 and 24/2 for GPT.
/// Excludes scores.
struct LayerCopies {
    double replicated{}; ///< divided by tensor only with sequence parallel
    double divided{};    ///< divided by tensor

    [[nodiscard]] double total() const { return replicated + divided; }
};

/// bytes: of one number, 2 or 4; dropout masks take 1. tensor: ranks, which copy KV heads that they
/// do not divide (held_kv_heads).
/// For eager kernels it includes the layer's output, as in measurements before and after a layer.
[[nodiscard]] LayerCopies layer_copies(const Transformer& model,
                                       KernelFusion kernels,
                                       double bytes = 2,
                                       std::int64_t tensor = 1);

/// Activation bytes of one layer (FORMULAS 3.2; Korthikanti 2022 Table 2). Equal to the table for
/// GELU, dropout and as many KV heads as heads; other blocks by counting, or by the model's
/// measured copies.
[[nodiscard]] LayerActivations layer_activations(const TrainingJob& job,
                                                 KernelFusion kernels = KernelFusion::fused);

/// Kept by `layers` layers of a stage for one micro-batch. Every n-th is recomputed; what is left
/// over a multiple of n is not.
[[nodiscard]] BURSAR_HD inline ByteVolume
kept_by_layers(const LayerActivations& layer, const Recomputation& recompute, std::int64_t layers) {
    const std::int64_t again = layers / recompute.every;
    return layer.kept * real(again) + layer.whole * real(layers - again);
}

/// The mean of them.
[[nodiscard]] BURSAR_HD inline ByteVolume kept_by_layer(const LayerActivations& layer,
                                                        const Recomputation& recompute) {
    const double again = 1 / real(recompute.every);
    return layer.kept * again + layer.whole * (1 - again);
}

/// Activations of a stage of `layers` on the GPU, with `passes` micro-batches in flight: those of
/// layers that are not offloaded, and of two that are copied or used (double buffers of
/// Transformer Engine, cpu_offload.py).
[[nodiscard]] BURSAR_HD inline ByteVolume kept_on_gpu(const LayerActivations& layer,
                                                      const Layout& layout,
                                                      std::int64_t layers,
                                                      double passes) {
    const std::int64_t away = std::min(layout.offload_layers, layers);
    const ByteVolume kept = kept_by_layers(layer, layout.recompute, layers - away) * passes;
    const double buffers = std::min(2.0, real(away) * passes);
    return away > 0 ? kept + kept_by_layer(layer, layout.recompute) * buffers : kept;
}

/// Layers times micro-batches whose activations a stage holds at its peak: GPipe all micro-batches;
/// 1F1B min(m, p - i); interleaved on the first stage L/p (1 + (p-1)/(p v)) p (Korthikanti 2022
/// 4.2.3, Narayanan 2021). Layers of a stage: L / p, rounded up.
[[nodiscard]] double
layers_in_flight(std::int64_t layers, const Layout& layout, std::int64_t stage);

/// Micro-batches in flight on a stage, in whole-stage units.
[[nodiscard]] BURSAR_HD inline double micro_batches_in_flight(const Layout& layout,
                                                              std::int64_t stage) {
    const double passes = real(layout.micro_batches);
    const double stages = real(layout.pipeline);
    switch (layout.schedule()) {
    case PipelineSchedule::gpipe:
        return passes;
    case PipelineSchedule::one_f_one_b:
        return std::min(passes, stages - real(stage));
    case PipelineSchedule::interleaved: {
        // Warm-up runs 2 (p - i - 1) + (v - 1) p chunks ahead, plus the current one.
        const double chunks = real(layout.chunks);
        const double ahead = 2 * (stages - real(stage) - 1) + (chunks - 1) * stages + 1;
        return std::min(passes * chunks, ahead) / chunks;
    }
    }
    return passes;
}

/// Memory at the ends of a pipeline in addition to layers.
struct BoundaryActivations {
    ByteVolume entry; ///< of the first stage, for each micro-batch in flight: embedding dropout
                      ///< masks (1 byte a number), token ids (8 bytes a token)
    ByteVolume exit;  ///< of the last stage: inputs of the final norm and of the output matrix
};

[[nodiscard]] BoundaryActivations boundary_activations(const TrainingJob& job);

/// Whether products of this format have numbers of 8 or 4 bits.
[[nodiscard]] bool is_small(Precision precision);

/// Logits of one micro-batch and the loss's tensors of that size, on the last stage.
[[nodiscard]] ByteVolume logit_memory(const TrainingJob& job, const MemoryOverheads& overheads);

}} // namespace bursar::models
