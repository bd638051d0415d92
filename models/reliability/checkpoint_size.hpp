#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar {

/// What a checkpoint holds of every parameter. Gradients are never saved.
struct CheckpointRecipe {
    std::string_view name;
    double bytes_per_parameter{};
    std::string_view contents;
};

/// models.md 6.1 (14 and 2 B) and the weights and optimizer columns of 3.1; the first is the
/// default.
inline constexpr std::array<CheckpointRecipe, 6> checkpoint_recipes{{
    {"mixed-adam", 14, "bf16 or fp16 weights, fp32 main weights and two fp32 moments"},
    {"weights", 2, "bf16 or fp16 weights only: for use, not for going on with training"},
    {"fp32-adam", 12, "fp32 weights and two fp32 moments"},
    {"bf16-adam", 6, "bf16 weights and two bf16 moments"},
    {"mixed-momentum", 10, "bf16 weights, fp32 main weights and one fp32 moment (SGD, Muon)"},
    {"mixed-adam8", 8, "bf16 weights, fp32 main weights and two 8-bit moments"},
}};

/// The recipe of that name; null if there is none.
[[nodiscard]] const CheckpointRecipe* find_checkpoint_recipe(std::string_view name);
[[nodiscard]] std::vector<std::string> checkpoint_recipe_names();

/// Bytes of one full checkpoint; data-parallel copies are written once.
///
/// parameters: all of the model, every expert included, > 0. bytes_per_parameter: > 0. Throws
/// ModelError otherwise.
[[nodiscard]] ByteVolume checkpoint_size(double parameters, double bytes_per_parameter);

/// Checkpoints that save only what changed, with a full one every so often.
struct IncrementalPlan {
    double changed_share{1}; ///< of the bytes, between one checkpoint and the next; 0..1
    double full_every{1};    ///< one of so many checkpoints is full; >= 1
};

/// Mean bytes of one checkpoint: full · (1 + (n-1) · changed) / n with n = full_every. Throws
/// ModelError for a plan out of range.
[[nodiscard]] ByteVolume mean_saved(ByteVolume full, const IncrementalPlan& plan);

/// Mean bytes a restart reads: the last full checkpoint and the increments since, on average
/// full · (1 + changed · (n-1) / 2). Throws ModelError for a plan out of range.
[[nodiscard]] ByteVolume mean_loaded(ByteVolume full, const IncrementalPlan& plan);

} // namespace bursar
