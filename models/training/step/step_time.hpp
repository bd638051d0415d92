#pragma once

#include "models/training/job/cluster.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// The terms of one optimizer step. Each is the exposed time of the slowest rank for one cause, so
/// the terms add up to the step (FORMULAS 4).
struct StepTime {
    Seconds gemm{};          ///< matrix products of the layers and the logits
    Seconds attention{};     ///< attention core
    Seconds memory_bound{};  ///< norms, activations, dropout, residuals
    Seconds recompute{};     ///< computed again in the backward pass
    Seconds host{};          ///< GPU waits for launches
    Seconds tensor_comm{};   ///< tensor and sequence parallel, exposed
    Seconds context_comm{};  ///< context parallel, exposed
    Seconds expert_comm{};   ///< expert parallel, exposed
    Seconds pipeline_comm{}; ///< between stages, exposed
    Seconds data_comm{};     ///< gradients and sharded weights, exposed
    Seconds offload{};       ///< copies of activations to and from the host, exposed
    Seconds bubble{};        ///< pipeline fill and drain, uneven stages
    Seconds optimizer{};     ///< update, offload traffic included
    Seconds input{};         ///< waiting for data
    Seconds straggler{};     ///< waiting for the slowest rank

    [[nodiscard]] BURSAR_HD Seconds compute() const {
        return gemm + attention + memory_bound + recompute + host + optimizer;
    }
    [[nodiscard]] BURSAR_HD Seconds communication() const {
        return tensor_comm + context_comm + expert_comm + pipeline_comm + data_comm;
    }
    [[nodiscard]] BURSAR_HD Seconds total() const {
        return compute() + communication() + offload + bubble + input + straggler;
    }
};

/// The time of one step. Throws ModelError for an impossible layout (check_layout), and UnknownFact
/// for a missing fact of the GPU. Costs microseconds: a search calls it for every layout.
StepTime step_time(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile);

}} // namespace bursar::models
