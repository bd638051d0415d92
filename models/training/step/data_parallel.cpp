#include "models/training/step/data_parallel.hpp"

#include <cmath>

#include "models/training/memory/states.hpp"

namespace bursar { inline namespace models {

namespace {

// PyTorch's DistributedDataParallel starts with a small one.
constexpr double first_bucket_bytes = 1.0 * 1024 * 1024;

// Share of the compute lost to a running collective: its kernels hold multiprocessors on NVLink,
// hardly any for a NIC. Source: Calculon's processor_usage (FORMULAS 4.8).
constexpr double nvlink_slowdown = 0.15;
constexpr double nic_slowdown = 0.02;

} // namespace

Seconds ReplicaLinks::reduce(double bytes) const {
    if (shard.size == 1)
        return collective_time(Collective::all_reduce, ByteVolume{bytes}, all, tree, tuning);
    const double own = bytes / static_cast<double>(shard.size);
    return scatter(bytes) +
           collective_time(Collective::all_reduce, ByteVolume{own}, between, tree, tuning);
}

Seconds ReplicaLinks::scatter(double bytes) const {
    return collective_time(Collective::reduce_scatter, ByteVolume{bytes}, shard, tree, tuning);
}

Seconds ReplicaLinks::gather(double bytes) const {
    return collective_time(Collective::all_gather, ByteVolume{bytes}, shard, tree, tuning);
}

ReplicaLinks replica_links(const TrainingRank& rank) {
    const Layout& layout = rank.job.layout;
    const CommGroup all = rank.data_group;
    const std::int64_t shard = layout.sharding == Sharding::none ? 1 : layout.shard_ranks();
    const bool one_node = all.size * all.stride <= rank.cluster.gpus_per_node;
    return {.tree = rank.cluster.tree,
            .tuning = rank.tuning,
            .all = all,
            .shard = {shard, all.stride},
            .between = {all.size / shard, all.stride * shard},
            .bucket = rank.profile.bucket_bytes,
            .hiding = {rank.profile.data_overlap, one_node ? nvlink_slowdown : nic_slowdown}};
}

BucketTraffic bucket_traffic(const ReplicaLinks& links, double bytes) {
    if (links.hiding.overlap <= 0 || bytes <= first_bucket_bytes)
        return {bytes, 0, bytes, 0, Seconds{}, links.reduce(bytes)};
    const double rest = bytes - first_bucket_bytes;
    const double count = std::ceil(rest / links.bucket);
    const double each = rest / count;
    return {bytes,
            first_bucket_bytes,
            each,
            count,
            links.reduce(first_bucket_bytes),
            links.reduce(each)};
}

namespace {

void add_gradients(ReplicaTraffic& traffic,
                   const TrainingRank& rank,
                   const ReplicaLinks& links,
                   const RankParameters& held) {
    double bytes = reduced_gradient_bytes(rank.job);
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

// Shards are gathered and reduced every micro-batch; groups of shards add up after the last one.
void add_shards(ReplicaTraffic& traffic,
                const TrainingRank& rank,
                const ReplicaLinks& links,
                double embedding) {
    const double weights = state_bytes(rank.job.recipe).weights;
    const double gradients = reduced_gradient_bytes(rank.job);
    const double layer = gathered_layer(rank.job.model, rank.job.layout);
    // `parts` collectives, each of an equal part of the bytes.
    const double parts = rank.profile.gathers_per_layer;
    const auto scattered = [&](double held) {
        return UnitTraffic{parts * links.gather(weights * held / parts),
                           parts * links.scatter(gradients * held / parts)};
    };
    const auto reduced = [&](double held) {
        return UnitTraffic{parts * links.gather(weights * held / parts),
                           parts * links.reduce(gradients * held / parts)};
    };
    traffic.sharded = true;
    // A layer gathered whole (FSDP) stays until its backward pass is over. One in pieces stays if
    // no more is used between a piece's recomputation and its backward pass: twice the layer.
    constexpr double kept_parameters = 1e9; // stage3_max_reuse_distance of DeepSpeed
    const bool is_freed = parts > 1 && 2 * layer > kept_parameters;
    traffic.scattered = {scattered(layer), scattered(embedding), is_freed};
    traffic.reduced = {reduced(layer), reduced(embedding), is_freed};
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
