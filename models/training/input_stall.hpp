#pragma once

#include "models/training/training_job.hpp"

namespace bursar {

/// Time to have the samples of one step ready on one node: the slower of bringing their bytes from
/// storage and cache and of decoding them on the workers.
///
/// No worker: the training process decodes. samples: of the node, per step, >= 0.
/// Source: models.md 4.11.
Seconds loading_time(const InputPipeline& input, double samples);

/// How much of that a step shows. Kept two batches ahead by workers, only what is longer than the
/// step; otherwise all of it. Without pinned memory the copy to the GPU over `host_link` is added.
Seconds input_stall(const InputPipeline& input, double samples, Seconds step, ByteRate host_link);

} // namespace bursar
