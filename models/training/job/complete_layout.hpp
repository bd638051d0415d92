#pragma once

#include <cstdint>
#include <optional>

#include "models/training/job/layout.hpp"

namespace bursar { inline namespace models {

/// Known sizes of a layout besides the ranks that share the model; absent: to be derived. All >= 1.
struct LayoutSizes {
    std::optional<std::int64_t> gpus{};
    std::int64_t gpus_per_node{8};
    std::optional<std::int64_t> data{};
    std::optional<std::int64_t> micro_batch{};  ///< 1 where absent
    std::optional<std::int64_t> global_batch{}; ///< sequences per step
};

/// Micro-batches per stage that keep a pipeline's bubble below 15 %.
inline constexpr std::int64_t usual_micro_batches_per_stage = 8;

/// `layout` with its data ranks, micro-batch and micro-batches.
///
/// Data ranks: the GPUs divided by the other ranks (default: the GPUs of one node), at least 1.
/// Micro-batches: the global batch divided likewise (default: 1, in a pipeline 8 per stage). Throws
/// ModelError where a division leaves a remainder.
[[nodiscard]] Layout complete_layout(Layout layout, const LayoutSizes& sizes);

}} // namespace bursar::models
