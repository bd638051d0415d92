#pragma once

#include "models/training/step/host_time.hpp"
#include "models/training/step/kernel_time.hpp"

namespace bursar { inline namespace models {

/// One pass over one layer, or over what stands before and after the layers.
struct PassTime {
    KernelTime kernels;
    Seconds host; ///< to launch them
};

/// Forward and backward over one micro-batch. Recomputation is apart, in `recomputed`: it runs in
/// the backward pass.
struct LayerTime {
    PassTime forward;
    PassTime backward;
    PassTime recomputed;

    /// GPU time in which nothing is launched yet; recomputation belongs to the backward pass.
    [[nodiscard]] Seconds forward_wait() const {
        return launch_wait(forward.host, forward.kernels.busy());
    }
    [[nodiscard]] Seconds backward_wait() const {
        return launch_wait(backward.host + recomputed.host,
                           backward.kernels.busy() + recomputed.kernels.busy());
    }
};

}} // namespace bursar::models
