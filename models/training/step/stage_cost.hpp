#pragma once

#include "models/training/step/layer_time.hpp"
#include "models/training/step/pipeline.hpp"

namespace bursar::inline models {

/// One micro-batch on one pipeline stage, by what takes the time.
struct StageCost {
    KernelTime kernels;    ///< forward and backward
    KernelTime recomputed; ///< in the backward pass
    Seconds forward_wait;  ///< for launches
    Seconds backward_wait;
    Seconds messages; ///< from and to its neighbours, not hidden

    [[nodiscard]] Seconds both() const {
        return kernels.busy() + recomputed.busy() + forward_wait + backward_wait + messages;
    }

    /// `count` layers, or the loss, more.
    void add(const LayerTime& layer, double count);
};

/// One message between neighbouring stages: what of it is not hidden, and the host's part. Nothing
/// without a pipeline. The slowest boundary counts: between nodes as soon as one is.
///
/// Each tensor rank sends its share; without sequence parallel the receivers then gather the whole
/// inside their node (scatter/gather, Narayanan et al. 2021 section 4.1).
Seconds message_time(const TrainingRank& rank);

} // namespace bursar::inline models
