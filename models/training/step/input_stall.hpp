#pragma once

#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// Samples of one step, both >= 0.
struct StepSamples {
    double node{}; ///< loaded on one node
    double gpu{};  ///< copied to one of its GPUs
};

/// Time to prepare the samples of one step on one node: the slower of reading their bytes from
/// storage and cache, and of the workers, which open each uncached file and decode. A packed format
/// has many samples per file and fewer waits.
///
/// No worker: the training process loads. samples: of the node, per step, >= 0.
/// Source: FORMULAS 4.11; waiting for files derived here.
Seconds loading_time(const InputPipeline& input, double samples);

/// The part of that time that lengthens a step: the excess over the step if workers are two batches
/// ahead, otherwise all of it. Without pinned memory each GPU's copy over its own `host_link` is
/// added.
Seconds
input_stall(const InputPipeline& input, StepSamples samples, Seconds step, ByteRate host_link);

}} // namespace bursar::models
