#pragma once

#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// Samples that one step takes, both >= 0.
struct StepSamples {
    double node{}; ///< loaded on one node
    double gpu{};  ///< copied to one of its GPUs
};

/// Time to have the samples of one step ready on one node: the slower of bringing their bytes from
/// storage and cache and of what the workers do, which is to wait for each file that the cache has
/// not, and to decode. A packed format has many samples in a file and waits as much less.
///
/// No worker: the training process loads. samples: of the node, per step, >= 0.
/// Source: FORMULAS 4.11; waiting for files derived here.
Seconds loading_time(const InputPipeline& input, double samples);

/// How much of that a step shows. Kept two batches ahead by workers, only what is longer than the
/// step; otherwise all of it. Without pinned memory each GPU's copy over its own `host_link` is
/// added.
Seconds
input_stall(const InputPipeline& input, StepSamples samples, Seconds step, ByteRate host_link);

}} // namespace bursar::models
