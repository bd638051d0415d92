#include "models/training/step/layer_comm.hpp"

#include <cmath>

#include "models/training/flops.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

Seconds run(const TrainingRank& rank, Collective kind, double numbers, CommGroup group) {
    const ByteVolume volume{rank.precision.element_bytes * numbers};
    return collective_time(kind, volume, group, rank.cluster.tree, rank.tuning);
}

bool has_expert_traffic(const TrainingRank& rank) {
    return rank.job.model.experts && rank.expert_group.size > 1;
}

// A token goes once to every node that has an expert of it, and is copied on there: k experts lie
// on n (1 - (1 - 1/n)^k) of n nodes on average.
double copies_sent(const TrainingRank& rank) {
    const double experts = real(rank.job.model.experts->per_token);
    const double nodes =
        real(rank.expert_group.size * rank.expert_group.stride) / real(rank.cluster.gpus_per_node);
    return nodes > 1 ? nodes * (1 - std::pow(1 - 1 / nodes, experts)) : experts;
}

} // namespace

Seconds tensor_comm_time(const TrainingRank& rank) {
    const double numbers = rank.tokens * real(rank.job.model.hidden);
    const auto one = [&](Collective kind) { return run(rank, kind, numbers, rank.tensor_group); };
    const Seconds once = rank.job.layout.sequence_parallel
                             ? one(Collective::reduce_scatter) + one(Collective::all_gather)
                             : one(Collective::all_reduce);
    return 2.0 * once * (1 - rank.profile.tensor_overlap);
}

Seconds context_comm_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double width = 2 * real(model.kv_heads * model.head_dim) / rank.tensor;
    const double tokens = real(rank.job.layout.micro_batch) * real(rank.job.sequence);
    return run(rank, Collective::all_gather, tokens * width, rank.context_group);
}

Seconds expert_comm_time(const TrainingRank& rank) {
    if (!has_expert_traffic(rank))
        return {};
    const double tokens = rank.tokens / (rank.job.layout.sequence_parallel ? rank.tensor : 1);
    const double numbers =
        tokens * copies_sent(rank) * real(rank.job.model.hidden) * rank.job.expert_imbalance;
    return 2.0 * expert_layer_share(rank.job.model) * (1 - rank.profile.expert_overlap) *
           run(rank, Collective::all_to_all, numbers, rank.expert_group);
}

double collectives_per_pass(const TrainingRank& rank) {
    double count = 0;
    if (rank.tensor_group.size > 1)
        count += rank.job.layout.sequence_parallel ? 4 : 2;
    if (rank.context_group.size > 1)
        count += 1;
    if (has_expert_traffic(rank))
        count += 2;
    return count;
}

}} // namespace bursar::models
