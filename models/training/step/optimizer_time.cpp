#include "models/training/step/optimizer_time.hpp"

#include <algorithm>

#include "models/training/memory/states.hpp"

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

}} // namespace bursar::models
