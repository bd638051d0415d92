#include "models/training/step/replica_links.hpp"

#include <cmath>

namespace bursar { inline namespace models {
namespace {

// PyTorch's DistributedDataParallel starts with a small one.
constexpr double first_bucket_bytes = 1.0 * 1024 * 1024;

// Share of the compute that a running collective takes away: its kernels hold multiprocessors on
// NVLink, hardly any for a NIC. Source: Calculon's processor_usage (FORMULAS 4.8).
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

}} // namespace bursar::models
