#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/errors/model_error.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// Most layers that options and scenarios may state.
inline constexpr std::int64_t max_layers = 10'000;

/// The first thing that makes the layout impossible on any GPUs: a size below one, heads or experts
/// that do not divide, more stages than layers, a sequence its ranks cannot share. Absent if it is
/// possible. Parameters are named as users write them.
[[nodiscard]] std::optional<ModelError> layout_fault(const TrainingJob& job);

/// The same, and faults on this cluster: a precision its GPUs lack, tensor parallel across nodes
/// that was not requested.
[[nodiscard]] std::optional<ModelError> layout_fault(const TrainingJob& job,
                                                     const Cluster& cluster);

/// Throw the result of layout_fault.
void check_layout(const TrainingJob& job);
void check_layout(const TrainingJob& job, const Cluster& cluster);

/// "kv_heads: copied to 16 for the tensor ranks" (held_kv_heads); empty: none is copied.
[[nodiscard]] std::string kv_head_copies(const TrainingJob& job);

/// Warnings about a possible but inefficient layout, each a sentence with its reason; empty if
/// there are none. The layout has passed check_layout.
[[nodiscard]] std::vector<std::string> layout_warnings(const TrainingJob& job,
                                                       const Cluster& cluster);

}} // namespace bursar::models
