#pragma once

#include "models/training/step/pass_time.hpp"

namespace bursar { inline namespace models {

/// Forward and backward over one micro-batch of one layer, or of the loss, by what takes the time.
struct LayerCost {
    KernelTime kernels;    ///< forward and backward
    KernelTime recomputed; ///< in the backward pass
    Seconds forward_wait;  ///< for launches
    Seconds backward_wait;
};

[[nodiscard]] inline LayerCost layer_cost(const LayerTime& layer) {
    return {layer.forward.kernels + layer.backward.kernels,
            layer.recomputed.kernels,
            layer.forward_wait(),
            layer.backward_wait()};
}

/// One micro-batch on one pipeline stage, by what takes the time.
struct StageCost {
    LayerCost layers;
    Seconds messages; ///< from and to its neighbours, not hidden

    [[nodiscard]] BURSAR_HD Seconds both() const {
        return layers.kernels.busy() + layers.recomputed.busy() + layers.forward_wait +
               layers.backward_wait + messages;
    }

    /// `count` layers, or the loss, more.
    BURSAR_HD void add(const LayerCost& layer, double count) {
        layers.kernels += count * layer.kernels;
        layers.recomputed += count * layer.recomputed;
        layers.forward_wait += count * layer.forward_wait;
        layers.backward_wait += count * layer.backward_wait;
    }
};

}} // namespace bursar::models
