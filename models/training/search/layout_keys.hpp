#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/training/training_job.hpp"

/// Which layouts of one job have parts of step and memory in common: those of equal keys. What a
/// layout space does not vary (attention, recipe, offload, GPipe, shard) is not in them.
namespace bursar { inline namespace models {

using LayoutKey = std::array<std::int64_t, 7>;

struct LayoutKeyHash {
    [[nodiscard]] std::size_t operator()(const LayoutKey& key) const;
};

/// Of PassParts and ActivationParts.
[[nodiscard]] LayoutKey pass_key(const TrainingJob& job);
/// Of ReplicaParts and StateParts.
[[nodiscard]] LayoutKey replica_key(const TrainingJob& job);
/// Of message_time.
[[nodiscard]] LayoutKey message_key(const TrainingJob& job);

}} // namespace bursar::models
