#include "models/training/optimizer_time.hpp"

#include <algorithm>

#include "models/training/states.hpp"

namespace bursar {
namespace {

double owned(const Layout& layout, const RankParameters& held) {
    if (layout.sharding == Sharding::none)
        return held.total();
    const auto owners = static_cast<double>(layout.shard_ranks());
    const double expert_owners = std::max(1.0, owners / static_cast<double>(layout.expert));
    return (held.dense + held.embedding) / owners + held.experts / expert_owners;
}

} // namespace

Seconds optimizer_time(const Rank& rank, const RankParameters& held) {
    const Layout& layout = rank.job.layout;
    const double own = owned(layout, held);
    if (!layout.offload_optimizer)
        return ByteVolume{own * rank.profile.optimizer_traffic} / rank.memory;
    const StateBytes bytes = state_bytes(rank.job.recipe);
    const ByteVolume moved{own * (bytes.gradients + bytes.weights)};
    const auto sharing = static_cast<double>(std::min(layout.gpus(), rank.cluster.gpus_per_node));
    return moved / rank.cluster.host_link + rank.profile.host_adam * (own * sharing);
}

} // namespace bursar
