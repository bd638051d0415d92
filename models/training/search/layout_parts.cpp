#include "models/training/search/layout_parts.hpp"

#include "models/training/step/message_time.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {
namespace {

/// The part of that key, made where it is the first.
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
    if (job.input) // waits by the number of samples, which no part knows
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
