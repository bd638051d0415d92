#include "models/training/step/step_parts.hpp"

#include <algorithm>
#include <cmath>

#include "models/training/memory/activations.hpp"
#include "models/training/memory/states.hpp"
#include "models/training/step/data_parallel.hpp"
#include "models/training/step/layer_time.hpp"

namespace bursar { inline namespace models {

Seconds optimizer_time(const TrainingRank& rank, const RankParameters& held) {
    const Layout& layout = rank.job.layout;
    const bool sharded = layout.sharding != Sharding::none;
    const double own = sharded ? sharded_parameters(held, layout) : held.total();
    if (!layout.offload_optimizer)
        return ByteVolume{own * rank.profile.optimizer_traffic} / rank.memory;
    const StateBytes bytes = state_bytes(rank.job.recipe);
    const ByteVolume moved{own * (bytes.gradients + bytes.weights)};
    const auto sharing = static_cast<double>(std::min(layout.gpus(), rank.cluster.gpus_per_host));
    return moved / rank.cluster.host_link + rank.profile.host_adam * (own * sharing);
}

Seconds straggler_wait(Seconds step, double sigma, double ranks) {
    return step * straggler_share(sigma, ranks);
}

double straggler_share(double sigma, double ranks) {
    return sigma * std::sqrt(2 * std::log(ranks));
}

Seconds message_time(const TrainingRank& rank) {
    const CommGroup& group = rank.pipeline_group;
    if (group.size == 1)
        return {};
    const auto& levels = rank.cluster.tree.levels;
    const auto inside = std::find_if(levels.begin(), levels.end() - 1, [&](const LinkLevel& level) {
        return level.gpus >= group.size * group.stride;
    });
    const double bytes =
        rank.precision.element_bytes * rank.tokens * static_cast<double>(rank.job.model.hidden);
    Seconds sent = point_to_point_time(ByteVolume{bytes / rank.tensor}, *inside, rank.tuning);
    if (!rank.job.layout.sequence_parallel)
        sent += collective_time(Collective::all_gather,
                                ByteVolume{bytes},
                                rank.tensor_group,
                                rank.cluster.tree,
                                rank.tuning);
    return sent * (1 - rank.profile.pipeline_overlap) + rank.profile.host_message * rank.host_share;
}

namespace {

Seconds layer_copy_time(const TrainingRank& rank) {
    return kept_by_layer(layer_activations(rank.job), rank.job.layout.recompute) /
           rank.cluster.host_link;
}

} // namespace

PassParts pass_parts(const TrainingRank& rank) {
    const LayerTime layer = layer_time(rank);
    const Seconds backward = layer.backward.kernels.busy() + layer.recomputed.kernels.busy();
    return {layer_cost(layer),
            layer_cost(logits_time(rank)),
            layer.forward.kernels.busy() + layer.forward_wait(),
            backward + layer.backward_wait(),
            layer_copy_time(rank)};
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
