#pragma once

#include "models/training/step/stage_cost.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {

/// The stages of a pipeline. They differ in two ways: the last has the loss, and where layers do
/// not divide some have one more. The last is spared that one.
struct PipelineStages {
    StageCost full;  ///< most layers, no loss
    StageCost spare; ///< one layer less where they do not divide, no loss
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

/// message: one between neighbouring stages. layers: of the model.
[[nodiscard]] BURSAR_HD inline PipelineStages cut_stages(const LayerCost& layer,
                                                         const LayerCost& logits,
                                                         Seconds message,
                                                         std::int64_t layers,
                                                         const Layout& layout) {
    const std::int64_t count = layout.pipeline;
    const std::int64_t fewest = layers / count;
    const std::int64_t left = layers % count;
    PipelineStages stages;
    stages.spare.messages = 2.0 * real(layout.chunks) * message;
    stages.spare.add(layer, real(fewest));
    stages.full = stages.spare;
    if (left > 0)
        stages.full.add(layer, 1);
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
            .pipeline_comm = times * stage.messages};
}

}} // namespace bursar::models
