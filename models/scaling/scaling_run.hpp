#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/scaling/loss_surface.hpp"

namespace bursar { inline namespace models {

/// The end of one training run; sizes and loss > 0.
struct ScalingRun {
    Allocation size;
    double loss{}; ///< nats per token
};

/// `runs` without the `count` of highest loss, in their order: Besiroglu et al. 2024 leave out the
/// 5 worst of their 245, which lie far above any surface. Throws ModelError when none would be
/// left.
[[nodiscard]] std::vector<ScalingRun> without_highest(std::span<const ScalingRun> runs,
                                                      std::size_t count);

/// How far a surface is from runs: means over them of |L^/L - 1| and of L^/L - 1.
struct SurfaceError {
    double mean_absolute{};
    double bias{};
};

/// runs: not empty (asserted).
[[nodiscard]] SurfaceError surface_error(const LossSurface& surface,
                                         std::span<const ScalingRun> runs);

}} // namespace bursar::models
