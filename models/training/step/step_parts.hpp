#pragma once

#include "models/training/memory/states.hpp"
#include "models/training/step/pipeline_stages.hpp"
#include "models/training/step/rank.hpp"
#include "models/training/step/replica_traffic.hpp"
#include "models/units/physics.hpp"

/// A step time in two steps: parts that take microseconds to compute and that many layouts share,
/// and plain arithmetic that combines them, on the host or a device.
namespace bursar { inline namespace models {

/// Time of one update of the weights this rank owns (FORMULAS 4.11, 4.9).
///
/// On the GPU: parameters k_o / memory bandwidth. Offloaded: gradients down and weights up over the
/// host link, and Adam on the node's CPUs, shared by its GPUs.
Seconds optimizer_time(const TrainingRank& rank, const RankParameters& held);

/// Time the others wait for the slowest of `ranks` whose speeds spread by `sigma` of the mean:
/// step sigma sqrt(2 ln ranks), the expected maximum of normal draws (FORMULAS 4.11).
/// sigma: >= 0; ranks: >= 1.
Seconds straggler_wait(Seconds step, double sigma, double ranks);

/// That time as a share of the step.
double straggler_share(double sigma, double ranks);

/// One message between neighbouring stages: its exposed part and the host's part; zero without a
/// pipeline. The slowest boundary counts: between nodes if any is.
///
/// Each tensor rank sends its share; without sequence parallel the receivers then gather the whole
/// inside their node (scatter/gather, Narayanan et al. 2021 section 4.1).
Seconds message_time(const TrainingRank& rank);

/// The time of a micro-batch on one rank. Equal for layouts with equal tensor, context, expert,
/// micro-batch, sequence parallel and recompute.
struct PassParts {
    LayerCost layer;
    LayerCost logits;
    Seconds layer_forward; ///< compute that traffic between replicas may overlap
    Seconds layer_backward;
    Seconds layer_copy; ///< of its activations to the host or back; zero if none are offloaded
};

/// The time of the ranks with the same weights together. Equal for layouts with equal degrees,
/// sharding and offload.
struct ReplicaParts {
    ReplicaTraffic traffic;
    Seconds optimizer;
    double straggler{}; ///< wait for the slowest rank, as a share of the step
};

[[nodiscard]] PassParts pass_parts(const TrainingRank& rank);
[[nodiscard]] ReplicaParts replica_parts(const TrainingRank& rank);

/// Host time of a step, outside its micro-batches.
[[nodiscard]] Seconds host_step_time(const TrainingRank& rank);

/// One step of a layout: all terms of StepTime except `input`.
///
/// message: message_time. host: host_step_time. layers: of the model.
[[nodiscard]] BURSAR_HD inline StepTime step_of_parts(const PassParts& pass,
                                                      const ReplicaParts& replicas,
                                                      Seconds message,
                                                      Seconds host,
                                                      std::int64_t layers,
                                                      const Layout& layout) {
    const OffloadCopies copies{pass.layer_copy, pass.layer_forward, pass.layer_backward};
    const PipelineStages stages =
        cut_stages(pass.layer, pass.logits, message, copies, layers, layout);
    const StageCost& slowest = stages.slowest();
    StepTime step = pass_terms(slowest, real(layout.micro_batches));
    step.bubble =
        pipeline_makespan(slowest.both(), stages.sum(), layout.chunks, layout.micro_batches) -
        real(layout.micro_batches) * slowest.both();
    const Recomputation& again = layout.recompute;
    const OverlapWindow window{pass.layer_forward,
                               pass.layer_backward,
                               real(layers_per_stage(layers, layout.pipeline)),
                               again.what == Recompute::full ? 1 / real(again.every) : 0};
    step.data_comm = replicas.traffic.beside(window, layout.micro_batches).exposed;
    step.optimizer = replicas.optimizer;
    step.host += host;
    step.straggler = step.total() * replicas.straggler;
    return step;
}

}} // namespace bursar::models
