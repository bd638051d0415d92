#include "models/training/search/layout_keys.hpp"

namespace bursar { inline namespace models {
namespace {

template <class Enum>
std::int64_t number(Enum value) {
    return static_cast<std::int64_t>(value);
}

} // namespace

std::size_t LayoutKeyHash::operator()(const LayoutKey& key) const {
    // FNV-1a over whole numbers, its high half folded in.
    std::uint64_t hash = 14695981039346656037U;
    for (const std::int64_t part : key)
        hash = (hash ^ static_cast<std::uint64_t>(part)) * 1099511628211U;
    return hash ^ (hash >> 32U);
}

LayoutKey pass_key(const TrainingJob& job) {
    const Layout& layout = job.layout;
    return {layout.tensor,
            layout.context,
            layout.expert,
            layout.micro_batch,
            layout.sequence_parallel ? 1 : 0,
            number(layout.recompute),
            number(job.precision)};
}

LayoutKey replica_key(const TrainingJob& job) {
    const Layout& layout = job.layout;
    return {layout.tensor,
            layout.pipeline,
            layout.context,
            layout.expert,
            layout.data,
            number(layout.sharding),
            0};
}

LayoutKey message_key(const TrainingJob& job) {
    const Layout& layout = job.layout;
    return {layout.tensor,
            layout.context,
            layout.micro_batch,
            layout.sequence_parallel ? 1 : 0,
            // From stage to stage: how far a pipeline reaches decides what it crosses.
            layout.pipeline > 1 ? layout.gpus() : 0,
            number(job.precision),
            0};
}

}} // namespace bursar::models
