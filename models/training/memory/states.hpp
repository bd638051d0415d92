#pragma once

#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"
#include "models/training/memory/rank_parameters.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Bytes per parameter of a recipe (FORMULAS 3.1).
struct StateBytes {
    double weights{};
    double gradients{};
    double optimizer{};
};

[[nodiscard]] StateBytes state_bytes(StateRecipe recipe);

/// Weights, gradients and optimizer states on one GPU.
struct ModelStates {
    ByteVolume weights;
    ByteVolume gradients;
    ByteVolume optimizer;
    ByteVolume gathered; ///< unsharded layers alive under ZeRO-3

    [[nodiscard]] ByteVolume total() const { return weights + gradients + optimizer + gathered; }
};

/// States of one rank that holds `held` (FORMULAS 3.1, Rajbhandari 2020): stage 1 shards the
/// optimizer, 2 the gradients too, 3 the weights too. Dense parameters shard over data x context
/// ranks, routed experts over the data x context / expert ranks that hold the same experts.
/// Megatron's distributed optimizer is stage 1 with megatron_adam: 6 + 12/d bytes.
///
/// An offloaded optimizer takes no GPU memory, and takes sharded gradients with it as they are
/// reduced; offloaded parameters are on the GPU only while gathered (DeepSpeed memory.rst).
[[nodiscard]] ModelStates
model_states(const TrainingJob& job, const RankParameters& held, const MemoryOverheads& overheads);

/// What DeepSpeed's estimators print for mixed precision with Adam (DeepSpeed memory.rst):
/// stage 2: 4 P + 16 P / n, offloaded 2 P; stage 3: 4 U + 18 P / n, optimizer offloaded
/// 4 U + 2 P / n, parameters too 4 U. P: parameters > 0, U: those of the largest layer, n: GPUs
/// >= 1.
struct DeepSpeedEstimate {
    double parameters{};
    double largest_layer{};
    double gpus{1};
    bool offload_optimizer{};
    bool offload_parameters{};
};

[[nodiscard]] ByteVolume deepspeed_zero2_estimate(const DeepSpeedEstimate& estimate);
[[nodiscard]] ByteVolume deepspeed_zero3_estimate(const DeepSpeedEstimate& estimate);

}} // namespace bursar::models
