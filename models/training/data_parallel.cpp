#include "models/training/data_parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/training/gradient_buckets.hpp"

namespace bursar {
namespace {

// PyTorch DistributedDataParallel's defaults: the first bucket is small so that traffic starts
// early.
constexpr double bucket_bytes = 25.0 * 1024 * 1024;
constexpr double first_bucket_bytes = 1.0 * 1024 * 1024;

// Share of the compute that a running collective takes away: its kernels hold multiprocessors on
// NVLink, hardly any for a NIC. Source: Calculon's processor_usage (models.md 4.8).
constexpr double nvlink_interference = 0.15;
constexpr double nic_interference = 0.02;

double weight_bytes(StateRecipe recipe) {
    return recipe == StateRecipe::fp32_adam ? 4 : 2;
}

struct Replicas {
    CommGroup shard;   ///< ranks that divide the states
    CommGroup between; ///< equal shards of other groups (HSDP)
};

Replicas replicas_of(const Rank& rank) {
    const Layout& layout = rank.job.layout;
    const std::int64_t shard = layout.shard_ranks();
    return {{shard, layout.tensor}, {layout.replicas() / shard, layout.tensor * shard}};
}

double interference(const Rank& rank) {
    const CommGroup& group = rank.data_group;
    const bool one_node = group.size * group.stride <= rank.cluster.gpus_per_node;
    return one_node ? nvlink_interference : nic_interference;
}

Seconds run(const Rank& rank, Collective kind, double bytes, CommGroup group) {
    return collective_time(kind, ByteVolume{bytes}, group, rank.cluster.tree, rank.tuning);
}

// One reduction of `bytes` of gradients over everyone who holds the weights.
Seconds reduce(const Rank& rank, double bytes, CommGroup all) {
    if (rank.job.layout.sharding == Sharding::none)
        return run(rank, Collective::all_reduce, bytes, all);
    const Replicas replicas = replicas_of(rank);
    const Seconds inside = run(rank, Collective::reduce_scatter, bytes, replicas.shard);
    const double own = bytes / static_cast<double>(replicas.shard.size);
    return inside + run(rank, Collective::all_reduce, own, replicas.between);
}

// Buckets spread over the end of the backward pass that the stack lets traffic overlap with;
// without overlap everything leaves at once when the pass is over.
DataParallelTime
reduce_in_buckets(const Rank& rank, double bytes, CommGroup all, Seconds last_backward) {
    const double overlap = rank.profile.data_overlap;
    if (overlap <= 0 || bytes <= first_bucket_bytes) {
        const Seconds time = reduce(rank, bytes, all);
        return {time, time};
    }
    const double rest = bytes - first_bucket_bytes;
    const double count = std::ceil(rest / bucket_bytes);
    const Seconds window = last_backward * overlap;
    const Seconds begin = last_backward - window;
    const Seconds per_byte = window / bytes;
    const double each = rest / count;
    const std::array runs{
        BucketRun{
            1, begin + per_byte * first_bucket_bytes, {}, reduce(rank, first_bucket_bytes, all)},
        BucketRun{count,
                  begin + per_byte * (first_bucket_bytes + each),
                  per_byte * each,
                  reduce(rank, each, all)}};
    const Seconds total = runs[0].each + runs[1].each * count;
    const Seconds exposed = std::min(total, finish_buckets(runs) - last_backward);
    return {total, exposed + (total - exposed) * interference(rank)};
}

DataParallelTime operator+(DataParallelTime a, DataParallelTime b) {
    return {a.total + b.total, a.exposed + b.exposed};
}

DataParallelTime
gradient_time(const Rank& rank, const LocalParameters& local, Seconds last_backward) {
    double bytes = gradient_bytes(rank.job.recipe);
    Seconds encode{};
    if (const auto& compression = rank.job.compression) {
        bytes *= compression->ratio;
        encode = ByteVolume{4 * compression->passes * local.all()} / rank.memory;
    }
    DataParallelTime time{encode, encode};
    if (rank.data_group.size > 1)
        time = time + reduce_in_buckets(rank, bytes * local.dense, rank.data_group, last_backward);
    if (local.experts > 0 && rank.expert_data_group.size > 1) {
        const Seconds experts =
            run(rank, Collective::all_reduce, bytes * local.experts, rank.expert_data_group);
        time = time + DataParallelTime{experts, experts};
    }
    return time;
}

// A layer's gathering hides behind the layer before it; what is longer shows, and so does the
// first.
DataParallelTime
fully_sharded_time(const Rank& rank, const LocalParameters& local, const OverlapWindow& window) {
    const Replicas replicas = replicas_of(rank);
    const double weights = weight_bytes(rank.job.recipe) * local.per_layer;
    const double gradients = gradient_bytes(rank.job.recipe) * local.per_layer;
    const Seconds gather = run(rank, Collective::all_gather, weights, replicas.shard);
    const Seconds scatter = reduce(rank, gradients, rank.data_group);
    const double overlap = rank.profile.data_overlap;
    const auto shown = [&](Seconds traffic, Seconds compute) {
        return std::max(Seconds{}, traffic - compute * overlap);
    };
    const double layers = local.layers;
    const Seconds total = (gather * 2.0 + scatter) * layers;
    const Seconds ends = std::min(gather + scatter, total);
    const Seconds exposed = std::min(
        total,
        (shown(gather, window.layer_forward) + shown(gather + scatter, window.layer_backward)) *
                layers +
            ends);
    const double passes = static_cast<double>(rank.job.layout.micro_batches);
    return {total * passes, (exposed + (total - exposed) * interference(rank)) * passes};
}

} // namespace

double gradient_bytes(StateRecipe recipe) {
    switch (recipe) {
    case StateRecipe::mixed_adam:
    case StateRecipe::pure_bf16:
        return 2;
    case StateRecipe::fp32_adam:
    case StateRecipe::megatron_adam:
    case StateRecipe::mixed_sgd:
    case StateRecipe::mixed_adam8:
        break;
    }
    return 4;
}

DataParallelTime
data_parallel_time(const Rank& rank, const LocalParameters& local, const OverlapWindow& window) {
    if (rank.data_group.size == 1)
        return {};
    const Sharding sharding = rank.job.layout.sharding;
    if (sharding == Sharding::zero3)
        return fully_sharded_time(rank, local, window);
    DataParallelTime time = gradient_time(rank, local, window.last_backward);
    if (sharding != Sharding::none) {
        const Seconds gather = run(rank,
                                   Collective::all_gather,
                                   weight_bytes(rank.job.recipe) * local.dense,
                                   replicas_of(rank).shard);
        const Seconds hidden = gather * rank.profile.data_overlap;
        time = time + DataParallelTime{gather, gather - hidden * (1 - interference(rank))};
    }
    return time;
}

} // namespace bursar
