#include "models/training/step/message_time.hpp"

#include <algorithm>

namespace bursar { inline namespace models {

Seconds message_time(const TrainingRank& rank) {
    const CommGroup& group = rank.pipeline_group;
    if (group.size == 1)
        return {};
    const auto& levels = rank.cluster.tree.levels;
    const auto inside = std::find_if(levels.begin(), levels.end() - 1, [&](const LinkLevel& level) {
        return level.gpus >= group.size * group.stride;
    });
    const double bytes =
        rank.precision.element_bytes * rank.tokens * static_cast<double>(rank.job.model.hidden);
    Seconds sent = point_to_point_time(ByteVolume{bytes / rank.tensor}, *inside, rank.tuning);
    if (!rank.job.layout.sequence_parallel)
        sent += collective_time(Collective::all_gather,
                                ByteVolume{bytes},
                                rank.tensor_group,
                                rank.cluster.tree,
                                rank.tuning);
    return sent * (1 - rank.profile.pipeline_overlap) + rank.profile.host_message * rank.host_share;
}

}} // namespace bursar::models
