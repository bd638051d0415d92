#include "models/training/optimizer_time.hpp"

#include <algorithm>

namespace bursar {

Seconds optimizer_time(const Rank& rank, const LocalParameters& local) {
    const Layout& layout = rank.job.layout;
    const bool sharded = layout.sharding != Sharding::none;
    const double owners = sharded ? static_cast<double>(layout.shard_ranks()) : 1.0;
    const double expert_owners =
        sharded ? std::max(1.0, owners / static_cast<double>(layout.expert)) : 1.0;
    const double own = local.dense / owners + local.experts / expert_owners;
    if (!layout.offload_optimizer)
        return ByteVolume{own * rank.profile.optimizer_traffic} / rank.memory;
    constexpr double weight_bytes = 2;
    const ByteVolume moved{own * (gradient_bytes(rank.job.recipe) + weight_bytes)};
    const auto sharing = static_cast<double>(std::min(layout.gpus(), rank.cluster.gpus_per_node));
    return moved / rank.cluster.host_link + rank.profile.host_adam * (own * sharing);
}

} // namespace bursar
