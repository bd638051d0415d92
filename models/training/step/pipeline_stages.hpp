#pragma once

#include <algorithm>

#include "models/training/step/kernel_time.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {

/// Forward and backward time of one micro-batch for one layer or the loss, by cause.
struct LayerCost {
    KernelTime kernels;    ///< forward and backward
    KernelTime recomputed; ///< in the backward pass
    Seconds forward_wait;  ///< for launches
    Seconds backward_wait;
};

[[nodiscard]] inline LayerCost layer_cost(const LayerTime& layer) {
    return {layer.forward.kernels + layer.backward.kernels,
            layer.recomputed.kernels,
            layer.forward_wait(),
            layer.backward_wait()};
}

/// Copies of a layer's activations to the host's memory after its forward pass and back for its
/// backward pass, for one micro-batch. They run beside the compute of all layers of a stage, and
/// what is longer than that is exposed (FORMULAS 4.11).
struct OffloadCopies {
    Seconds copy;    ///< of one layer, one direction
    Seconds forward; ///< compute of one layer
    Seconds backward;

    /// away: layers that are offloaded, of the `layers` of the stage.
    [[nodiscard]] BURSAR_HD Seconds exposed(std::int64_t away, std::int64_t layers) const {
        const Seconds copies = real(std::min(away, layers)) * copy;
        return std::max(Seconds{}, copies - real(layers) * forward) +
               std::max(Seconds{}, copies - real(layers) * backward);
    }
};

/// Time of one micro-batch on one pipeline stage, by cause.
struct StageCost {
    LayerCost layers;
    Seconds messages; ///< from and to its neighbours, not hidden
    Seconds offload;  ///< copies of activations to and from the host, not hidden

    [[nodiscard]] BURSAR_HD Seconds both() const {
        return layers.kernels.busy() + layers.recomputed.busy() + layers.forward_wait +
               layers.backward_wait + messages + offload;
    }

    /// Adds `count` layers, or the loss.
    BURSAR_HD void add(const LayerCost& layer, double count) {
        layers.kernels += count * layer.kernels;
        layers.recomputed += count * layer.recomputed;
        layers.forward_wait += count * layer.forward_wait;
        layers.backward_wait += count * layer.backward_wait;
    }
};

/// The stages of a pipeline. They differ in two ways: the last has the loss, and if layers do not
/// divide evenly, some have one more, but not the last.
struct PipelineStages {
    StageCost full;  ///< most layers, no loss
    StageCost spare; ///< one layer less if they do not divide evenly, no loss
    StageCost last;
    double fulls{};
    double spares{};

    [[nodiscard]] BURSAR_HD Seconds sum() const {
        return fulls * full.both() + spares * spare.both() + last.both();
    }
    [[nodiscard]] BURSAR_HD const StageCost& slowest() const {
        return fulls > 0 && full.both() > last.both() ? full : last;
    }
};

/// Time from the first forward to the last backward in closed form: the slowest stage runs every
/// micro-batch, plus one micro-batch's time on all other stages, divided by the chunks. m max(f +
/// b) + (sum(f + b) - max(f + b)) / v; exact for equal stages and if the last stage is the slowest
/// (tests simulate schedules).
///
/// slowest: the largest f + b. sum: of f + b over all stages.
BURSAR_HD constexpr Seconds
pipeline_makespan(Seconds slowest, Seconds sum, std::int64_t chunks, std::int64_t micro_batches) {
    return slowest * static_cast<double>(micro_batches) +
           (sum - slowest) / static_cast<double>(chunks);
}

/// message: one between neighbouring stages. copies: of offloaded activations. layers: of the
/// model.
[[nodiscard]] BURSAR_HD inline PipelineStages cut_stages(const LayerCost& layer,
                                                         const LayerCost& logits,
                                                         Seconds message,
                                                         const OffloadCopies& copies,
                                                         std::int64_t layers,
                                                         const Layout& layout) {
    const std::int64_t count = layout.pipeline;
    const std::int64_t fewest = layers / count;
    const std::int64_t left = layers % count;
    PipelineStages stages;
    stages.spare.messages = 2.0 * real(layout.chunks) * message;
    stages.spare.add(layer, real(fewest));
    stages.spare.offload = copies.exposed(layout.offload_layers, fewest);
    stages.full = stages.spare;
    if (left > 0) {
        stages.full.add(layer, 1);
        stages.full.offload = copies.exposed(layout.offload_layers, fewest + 1);
    }
    stages.last = stages.spare;
    stages.last.add(logits, 1);
    stages.fulls = left > 0 ? real(left) : real(count - 1);
    stages.spares = real(count - 1) - stages.fulls;
    return stages;
}

/// The terms of `times` micro-batches on a stage.
[[nodiscard]] BURSAR_HD inline StepTime pass_terms(const StageCost& stage, double times) {
    const KernelTime kernels = times * stage.layers.kernels;
    const KernelTime again = times * stage.layers.recomputed;
    return {.gemm = kernels.gemm,
            .attention = kernels.attention,
            .memory_bound = kernels.memory_bound,
            .recompute = again.compute(),
            .host = times * (stage.layers.forward_wait + stage.layers.backward_wait),
            .tensor_comm = kernels.tensor_comm + again.tensor_comm,
            .context_comm = kernels.context_comm + again.context_comm,
            .expert_comm = kernels.expert_comm + again.expert_comm,
            .pipeline_comm = times * stage.messages,
            .offload = times * stage.offload};
}

}} // namespace bursar::models
