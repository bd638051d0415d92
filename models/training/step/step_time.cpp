#include "models/training/step/step_time.hpp"

#include <algorithm>

#include "models/training/check_layout.hpp"
#include "models/training/step/data_parallel.hpp"
#include "models/training/step/input_stall.hpp"
#include "models/training/step/logits_time.hpp"
#include "models/training/step/optimizer_time.hpp"
#include "models/training/step/stage_cost.hpp"
#include "models/training/step/straggler.hpp"
#include "models/units/physics.hpp"

namespace bursar::inline models {
namespace {

// Stages differ in two ways: the last has the loss, and where layers do not divide some have one
// more. The last is spared that one.
struct Stages {
    StageCost full;  // most layers, no loss
    StageCost spare; // one layer less where they do not divide, no loss
    StageCost last;
    double fulls{};
    double spares{};

    [[nodiscard]] Seconds sum() const {
        return fulls * full.both() + spares * spare.both() + last.both();
    }
    [[nodiscard]] const StageCost& slowest() const {
        return fulls > 0 && full.both() > last.both() ? full : last;
    }
};

Stages cut_stages(const TrainingRank& rank, const LayerTime& layer) {
    const std::int64_t count = rank.job.layout.pipeline;
    const std::int64_t fewest = rank.job.model.layers / count;
    const std::int64_t left = rank.job.model.layers % count;
    Stages stages;
    stages.spare.messages = 2.0 * real(rank.job.layout.chunks) * message_time(rank);
    stages.spare.add(layer, real(fewest));
    stages.full = stages.spare;
    if (left > 0)
        stages.full.add(layer, 1);
    stages.last = stages.spare;
    stages.last.add(logits_time(rank), 1);
    stages.fulls = left > 0 ? real(left) : real(count - 1);
    stages.spares = real(count - 1) - stages.fulls;
    return stages;
}

StepTime pass_terms(const StageCost& stage, double times) {
    const KernelTime kernels = times * stage.kernels;
    const KernelTime again = times * stage.recomputed;
    return {.gemm = kernels.gemm,
            .attention = kernels.attention,
            .memory_bound = kernels.memory_bound,
            .recompute = again.compute(),
            .host = times * (stage.forward_wait + stage.backward_wait),
            .tensor_comm = kernels.tensor_comm + again.tensor_comm,
            .context_comm = kernels.context_comm + again.context_comm,
            .expert_comm = kernels.expert_comm + again.expert_comm,
            .pipeline_comm = times * stage.messages};
}

OverlapWindow overlap_window(const LayerTime& layer, std::int64_t layers) {
    const Seconds backward = layer.backward.kernels.busy() + layer.recomputed.kernels.busy();
    return {layer.forward.kernels.busy() + layer.forward_wait(),
            backward + layer.backward_wait(),
            real(layers)};
}

// What the data loaders of one node prepare; a GPU gets its replica's samples, or the part of them
// that its context rank has.
StepSamples step_samples(const TrainingRank& rank) {
    const Layout& layout = rank.job.layout;
    const double nodes = real(layout.gpus()) / real(rank.cluster.gpus_per_host);
    return {real(layout.global_batch()) / std::max(1.0, nodes),
            real(layout.global_batch()) / real(layout.replicas())};
}

} // namespace

StepTime step_time(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile) {
    check_layout(job, cluster);
    const TrainingRank rank = place_rank(job, cluster, profile);
    const LayerTime layer = layer_time(rank);
    const Stages stages = cut_stages(rank, layer);
    const StageCost& slowest = stages.slowest();
    const std::int64_t micro_batches = job.layout.micro_batches;

    StepTime step = pass_terms(slowest, real(micro_batches));
    step.bubble =
        pipeline_makespan(slowest.both(), stages.sum(), job.layout.chunks, micro_batches) -
        real(micro_batches) * slowest.both();
    const RankParameters held = rank_parameters(job.model, job.layout, 0);
    const std::int64_t layers = layers_per_stage(job.model.layers, job.layout.pipeline);
    step.data_comm = data_parallel_time(rank, held, overlap_window(layer, layers)).exposed;
    step.optimizer = optimizer_time(rank, held);
    step.host += profile.host_step * rank.host_share;
    step.straggler = straggler_wait(step.total(), profile.straggler_sigma, real(job.layout.gpus()));
    if (job.input)
        step.input = input_stall(*job.input, step_samples(rank), step.total(), cluster.host_link);
    return step;
}

} // namespace bursar::inline models
