#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/training/job/training_job.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// What a checkpoint is for.
enum class CheckpointContents : std::uint8_t {
    full,   ///< weights and optimizer: to continue training
    weights ///< weights alone: to use the model
};

inline constexpr std::array<std::string_view, 2> checkpoint_contents_names{"full", "weights"};

/// Bytes of a checkpoint per parameter: what the recipe keeps (FORMULAS 3.1), without gradients.
/// Mixed precision with Adam: 14 full, 2 weights (FORMULAS 6.1).
[[nodiscard]] double checkpoint_bytes_per_parameter(StateRecipe recipe,
                                                    CheckpointContents contents);

/// Bytes of one full checkpoint; data-parallel copies are written once.
///
/// parameters: all of the model, every expert included, > 0. bytes_per_parameter: > 0. Throws
/// ModelError otherwise.
[[nodiscard]] ByteVolume checkpoint_size(double parameters, double bytes_per_parameter);

/// Checkpoints that save changes only, with regular full ones.
struct IncrementalPlan {
    double changed_share{1}; ///< of the bytes, between one checkpoint and the next; 0..1
    double full_every{1};    ///< every n-th checkpoint is full; >= 1
};

/// Mean bytes of one checkpoint: full · (1 + (n-1) · changed) / n with n = full_every. Throws
/// ModelError for a plan out of range.
[[nodiscard]] ByteVolume mean_saved(ByteVolume full, const IncrementalPlan& plan);

/// Mean bytes a restart reads: the last full checkpoint and the increments since, on average
/// full · (1 + changed · (n-1) / 2). Throws ModelError for a plan out of range.
[[nodiscard]] ByteVolume mean_loaded(ByteVolume full, const IncrementalPlan& plan);

}} // namespace bursar::models
