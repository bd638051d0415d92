#pragma once

#include "models/network/collective.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/precision_plan.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/step/gemm.hpp"

namespace bursar { inline namespace models {

/// One rank of a job: its hardware and its share of the work. Computed once per step and read by
/// every term.
struct TrainingRank {
    const TrainingJob& job;
    const Cluster& cluster;
    const StackProfile& profile;
    PrecisionPlan precision;
    MatrixUnit linear;       ///< products with weights
    MatrixUnit core;         ///< attention, router, logits
    ByteRate memory{};       ///< bandwidth reached by its kernels
    CollectiveTuning tuning; ///< how well the stack uses its links
    double tokens{};         ///< per micro-batch: T = b s / c
    double tensor{};         ///< t
    double host_share{};     ///< of the eager host time
    double traffic_share{};  ///< of the eager memory-bound traffic

    // Ranks of one communicator, innermost first: tensor, context, data, pipeline (FORMULAS 0).
    CommGroup tensor_group;
    CommGroup context_group;
    CommGroup expert_group;
    CommGroup data_group;        ///< ranks with the same weights: context and data
    CommGroup expert_data_group; ///< ranks with the same experts
    CommGroup pipeline_group;
};

/// Throws ModelError for a precision that the GPU does not have, UnknownFact for an absent fact.
TrainingRank
place_rank(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile);

}} // namespace bursar::models
