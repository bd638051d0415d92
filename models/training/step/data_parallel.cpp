#include "models/training/step/data_parallel.hpp"

#include "models/training/memory/states.hpp"

namespace bursar { inline namespace models {
namespace {

void add_gradients(ReplicaTraffic& traffic,
                   const TrainingRank& rank,
                   const ReplicaLinks& links,
                   const RankParameters& held) {
    double bytes = state_bytes(rank.job.recipe).gradients;
    Seconds encode{};
    if (const auto& compression = rank.job.compression) {
        bytes *= compression->ratio;
        encode = ByteVolume{4 * compression->passes * held.total()} / rank.memory;
    }
    const Seconds experts = collective_time(Collective::all_reduce,
                                            ByteVolume{bytes * held.experts},
                                            rank.expert_data_group,
                                            links.tree,
                                            links.tuning);
    traffic.buckets = bucket_traffic(links, bytes * (held.dense + held.embedding));
    traffic.apart = {encode + experts, encode + experts};
}

// Shards are gathered and reduced every micro-batch, groups of shards add up after the last.
void add_shards(ReplicaTraffic& traffic,
                const TrainingRank& rank,
                const ReplicaLinks& links,
                double embedding) {
    const StateBytes bytes = state_bytes(rank.job.recipe);
    const double layer = gathered_layer(rank.job.model, rank.job.layout);
    // Each parameter by itself, or a layer as one: as many collectives of a part of the bytes.
    const double parts = rank.profile.gathers_per_layer;
    const auto scattered = [&](double held) {
        return UnitTraffic{parts * links.gather(bytes.weights * held / parts),
                           parts * links.scatter(bytes.gradients * held / parts)};
    };
    const auto reduced = [&](double held) {
        return UnitTraffic{parts * links.gather(bytes.weights * held / parts),
                           parts * links.reduce(bytes.gradients * held / parts)};
    };
    traffic.sharded = true;
    traffic.scattered = {scattered(layer), scattered(embedding)};
    traffic.reduced = {reduced(layer), reduced(embedding)};
}

} // namespace

ReplicaTraffic replica_traffic(const TrainingRank& rank, const RankParameters& held) {
    ReplicaTraffic traffic;
    if (rank.data_group.size == 1)
        return traffic;
    const ReplicaLinks links = replica_links(rank);
    traffic.hiding = links.hiding;
    if (rank.job.layout.sharding == Sharding::zero3) {
        add_shards(traffic, rank, links, held.embedding);
        return traffic;
    }
    add_gradients(traffic, rank, links, held);
    if (links.shard.size > 1) {
        const double weights = state_bytes(rank.job.recipe).weights;
        const Seconds gather = links.gather(weights * (held.dense + held.embedding));
        traffic.gathered = links.hiding.hide(gather, gather * (1 - links.hiding.overlap));
    }
    return traffic;
}

}} // namespace bursar::models
