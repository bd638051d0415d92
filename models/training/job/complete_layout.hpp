#pragma once

#include <cstdint>
#include <optional>

#include "models/training/job/layout.hpp"

namespace bursar { inline namespace models {

/// What is known of a layout's sizes beside the ranks that share the model; absent: to be found.
/// All >= 1.
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
/// Data ranks are what is left of the GPUs; where nobody says how many those are, of one node, at
/// least 1. Micro-batches are what is left of the global batch; where nobody says that, 1, and 8
/// per stage in a pipeline. Throws ModelError where either does not come out even.
[[nodiscard]] Layout complete_layout(Layout layout, const LayoutSizes& sizes);

}} // namespace bursar::models
