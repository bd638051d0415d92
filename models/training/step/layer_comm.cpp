#include "models/training/step/layer_comm.hpp"

#include "models/units/physics.hpp"

namespace bursar::inline models {
namespace {

Seconds run(const TrainingRank& rank, Collective kind, double numbers, CommGroup group) {
    const ByteVolume volume{rank.precision.element_bytes * numbers};
    return collective_time(kind, volume, group, rank.cluster.tree, rank.tuning);
}

bool has_expert_traffic(const TrainingRank& rank) {
    return rank.job.model.experts && rank.expert_group.size > 1;
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
    const double numbers = rank.tokens * real(rank.job.model.experts->per_token) *
                           real(rank.job.model.hidden) * rank.job.expert_imbalance;
    return 2.0 * run(rank, Collective::all_to_all, numbers, rank.expert_group);
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

} // namespace bursar::inline models
