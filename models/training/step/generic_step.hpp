#pragma once

#include <cstdint>
#include <optional>

#include "models/training/job/generic_network.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {

/// Data-parallel training of a network that no transformer formula describes.
struct GenericJob {
    GenericNetwork network;
    std::int64_t batch{1};  ///< samples per GPU and pass, > 0
    std::int64_t passes{1}; ///< per step (gradient accumulation), > 0
    std::int64_t gpus{1};   ///< > 0
    Precision precision{Precision::bf16};
    StateRecipe recipe{StateRecipe::fp32_adam};
    Compilation compilation{Compilation::eager};
    std::optional<InputPipeline> input;
};

/// The time of one step (FORMULAS 4.12): products at the network's share of the achievable rate,
/// its memory traffic (twice in 32-bit formats), the exposed part of the gradient buckets, the
/// update, the host and the input.
///
/// Mixed precision is not a single factor: only the first two terms shrink (FORMULAS 5).
/// Throws ModelError for sizes below one and for a precision the GPU does not have; UnknownFact for
/// a fact it lacks.
StepTime
generic_step_time(const GenericJob& job, const Cluster& cluster, const StackProfile& profile);

}} // namespace bursar::models
