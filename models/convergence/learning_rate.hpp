#pragma once

#include <cstdint>

namespace bursar {

/// How the learning rate follows the batch size.
enum class LearningRateRule : std::uint8_t {
    linear,     ///< SGD with warm-up; held to batch 8192 on ResNet-50 (Goyal et al. 2017)
    square_root ///< adaptive optimizers such as Adam [unverified]
};

/// Largest batch, in images, up to which the linear rule kept ResNet-50's accuracy. Goyal et al.
/// 2017, arXiv 1706.02677.
inline constexpr double largest_linear_batch = 8192;

/// The rate for `batch` that corresponds to `rate` at `base_batch`; all > 0, else ModelError.
[[nodiscard]] double
scaled_learning_rate(double rate, double base_batch, double batch, LearningRateRule rule);

} // namespace bursar
