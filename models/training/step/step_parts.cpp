#include "models/training/step/step_parts.hpp"

#include "models/training/step/data_parallel.hpp"
#include "models/training/step/layer_time.hpp"
#include "models/training/step/logits_time.hpp"
#include "models/training/step/optimizer_time.hpp"
#include "models/training/step/straggler.hpp"

namespace bursar { inline namespace models {

PassParts pass_parts(const TrainingRank& rank) {
    const LayerTime layer = layer_time(rank);
    const Seconds backward = layer.backward.kernels.busy() + layer.recomputed.kernels.busy();
    return {layer_cost(layer),
            layer_cost(logits_time(rank)),
            layer.forward.kernels.busy() + layer.forward_wait(),
            backward + layer.backward_wait()};
}

ReplicaParts replica_parts(const TrainingRank& rank) {
    const RankParameters held = rank_parameters(rank.job.model, rank.job.layout, 0);
    return {replica_traffic(rank, held),
            optimizer_time(rank, held),
            straggler_share(rank.profile.straggler_sigma, real(rank.job.layout.gpus()))};
}

Seconds host_step_time(const TrainingRank& rank) {
    return rank.profile.host_step * rank.host_share;
}

}} // namespace bursar::models
