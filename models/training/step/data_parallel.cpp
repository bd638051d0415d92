#include "models/training/step/data_parallel.hpp"

#include <algorithm>

#include "models/training/memory/states.hpp"

namespace bursar::inline models {
namespace {

DataParallelTime gradient_time(const TrainingRank& rank,
                               const ReplicaLinks& links,
                               const RankParameters& held,
                               Seconds backward) {
    double bytes = state_bytes(rank.job.recipe).gradients;
    Seconds encode{};
    if (const auto& compression = rank.job.compression) {
        bytes *= compression->ratio;
        encode = ByteVolume{4 * compression->passes * held.total()} / rank.memory;
    }
    const double dense = bytes * (held.dense + held.embedding);
    const Seconds experts = collective_time(Collective::all_reduce,
                                            ByteVolume{bytes * held.experts},
                                            rank.expert_data_group,
                                            links.tree,
                                            links.tuning);
    return reduce_in_buckets(links, dense, backward) +
           DataParallelTime{encode + experts, encode + experts};
}

// Traffic of one unit that is sharded: a layer, or embedding and output matrix.
struct UnitTraffic {
    Seconds gather;
    Seconds reduce;
};

// One micro-batch: a layer's gathering hides behind the layer before it; what is longer shows, and
// so do the first gathering and the last reduction. The ends are gathered once, before everything,
// and reduced after it.
DataParallelTime sharded_pass(const ReplicaLinks& links,
                              const OverlapWindow& window,
                              UnitTraffic layer,
                              UnitTraffic ends) {
    const auto [gather, reduce] = layer;
    const auto longer = [&](Seconds traffic, Seconds compute) {
        return std::max(Seconds{}, traffic - compute * links.overlap);
    };
    const Seconds shown =
        (longer(gather, window.layer_forward) + longer(gather + reduce, window.layer_backward)) *
            window.layers +
        gather + reduce + ends.gather + ends.reduce;
    const Seconds total = (2.0 * gather + reduce) * window.layers + ends.gather + ends.reduce;
    return links.hide(total, shown);
}

// Shards are gathered and reduced every micro-batch, groups of shards add up after the last.
DataParallelTime fully_sharded_time(const TrainingRank& rank,
                                    const ReplicaLinks& links,
                                    const OverlapWindow& window,
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
    const auto earlier = static_cast<double>(rank.job.layout.micro_batches - 1);
    const DataParallelTime pass =
        sharded_pass(links, window, scattered(layer), scattered(embedding));
    return sharded_pass(links, window, reduced(layer), reduced(embedding)) +
           DataParallelTime{pass.total * earlier, pass.exposed * earlier};
}

} // namespace

DataParallelTime data_parallel_time(const TrainingRank& rank,
                                    const RankParameters& held,
                                    const OverlapWindow& window) {
    if (rank.data_group.size == 1)
        return {};
    const ReplicaLinks links = replica_links(rank);
    if (rank.job.layout.sharding == Sharding::zero3)
        return fully_sharded_time(rank, links, window, held.embedding);
    const Seconds backward = window.layer_backward * window.layers;
    DataParallelTime time = gradient_time(rank, links, held, backward);
    if (links.shard.size > 1) {
        const double weights = state_bytes(rank.job.recipe).weights;
        const Seconds gather = links.gather(weights * (held.dense + held.embedding));
        time = time + links.hide(gather, gather * (1 - links.overlap));
    }
    return time;
}

} // namespace bursar::inline models
