#pragma once

#include <cstdint>

#include "scenarios/scenario/workload_spec.hpp"

namespace bursar { inline namespace scenarios {

/// Samples of one optimizer step over all GPUs. sequence: tokens per sample, > 0. Throws ModelError
/// if a batch in tokens is no whole number of samples, and past 1e9 samples.
[[nodiscard]] std::int64_t batch_samples(const TrainingSpec& spec, std::int64_t sequence);

/// Optimizer steps until the goal is reached, rounded up; >= 1.
///
/// tokens and epochs are divided by the batch. For a target loss the default loss surface gives the
/// tokens, moved from its batch to this one (run_to_loss of models/convergence). sequence: tokens
/// per sample of a transformer, else 1. Throws ModelError for a loss that the model never reaches
/// and for more than 1e12 steps.
[[nodiscard]] std::int64_t training_steps(const TrainingSpec& spec, std::int64_t sequence);

}} // namespace bursar::scenarios
