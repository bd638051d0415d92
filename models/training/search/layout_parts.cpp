#include "models/training/search/layout_parts.hpp"

#include "models/training/step/step_parts.hpp"
#include "models/training/step/step_time.hpp"

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
            number(layout.recompute.what) + 8 * layout.recompute.every,
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
            number(job.precision)}; // of the gradients
}

LayoutKey message_key(const TrainingJob& job) {
    const Layout& layout = job.layout;
    return {layout.tensor,
            layout.context,
            layout.micro_batch,
            layout.sequence_parallel ? 1 : 0,
            // The span from stage to stage decides which levels a pipeline's messages cross.
            layout.pipeline > 1 ? layout.gpus() : 0,
            number(job.precision),
            0};
}

namespace {

/// The part of that key, computed at its first use.
template <class Rows, class Make>
const auto& part_of(Rows& rows, const LayoutKey& key, Make make) {
    const auto found = rows.find(key);
    return found != rows.end() ? found->second : rows.emplace(key, make()).first->second;
}

} // namespace

ByteVolume LayoutParts::memory(const TrainingJob& job) {
    const ActivationParts& activations =
        part_of(activations_, pass_key(job), [&] { return activation_parts(job, overheads_); });
    const StateParts& states =
        part_of(states_, replica_key(job), [&] { return state_parts(job, overheads_); });
    return peak_memory(activations, states, constants_, job.model.layers, job.layout).total();
}

Seconds LayoutParts::step(const TrainingJob& job) {
    if (job.input) // depends on the number of samples, which no part has
        return step_time(job, cluster_, profile_).total();
    const TrainingRank rank = place_rank(job, cluster_, profile_);
    const PassParts& pass = part_of(passes_, pass_key(job), [&] { return pass_parts(rank); });
    const ReplicaParts& replicas =
        part_of(replicas_, replica_key(job), [&] { return replica_parts(rank); });
    const Seconds message =
        part_of(messages_, message_key(job), [&] { return message_time(rank); });
    return step_of_parts(
               pass, replicas, message, host_step_time(rank), job.model.layers, job.layout)
        .total();
}

}} // namespace bursar::models
