#include "models/training/step/step_time.hpp"

#include <algorithm>

#include "models/training/job/check_layout.hpp"
#include "models/training/step/input_stall.hpp"
#include "models/training/step/step_parts.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

// Samples that the data loaders of one node prepare; a GPU gets those of its replica, or its
// context rank's part of them.
StepSamples step_samples(const TrainingRank& rank) {
    const Layout& layout = rank.job.layout;
    const double nodes = real(layout.gpus()) / real(rank.cluster.gpus_per_host);
    return {real(layout.global_batch()) / std::max(1.0, nodes),
            real(layout.global_batch()) / real(layout.replicas())};
}

} // namespace

StepTime step_time(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile) {
    check_layout(job, cluster);
    const TrainingRank rank = place_rank(job, cluster, profile);
    StepTime step = step_of_parts(pass_parts(rank),
                                  replica_parts(rank),
                                  message_time(rank),
                                  host_step_time(rank),
                                  job.model.layers,
                                  job.layout);
    if (job.input)
        step.input = input_stall(*job.input, step_samples(rank), step.total(), cluster.host_link);
    return step;
}

}} // namespace bursar::models
