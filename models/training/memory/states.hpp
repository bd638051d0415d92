#pragma once

#include <cstdint>

#include "models/training/job/layout.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/job/transformer.hpp"
#include "models/training/memory/memory_overheads.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Parameters on one rank of a pipeline stage, before any sharding over data-parallel ranks. Only
/// matrices are counted (FORMULAS 2.1): biases, norms and learned positions are below 0.1 %.
struct RankParameters {
    double dense{};     ///< layers without routed experts
    double experts{};   ///< routed experts, shared over their own ranks
    double embedding{}; ///< embedding and output matrix

    [[nodiscard]] double total() const { return dense + experts + embedding; }
};

/// stage: 0..layout.pipeline - 1. The first stage holds the embedding, the last one the output
/// matrix (a copy of a tied embedding); every stage counts the layers of the fullest.
[[nodiscard]] RankParameters
rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage);

/// This rank's share of parameters that `sharding` divides: dense parameters over the shard ranks,
/// routed experts over those of them that hold the same experts.
[[nodiscard]] double sharded_parameters(const RankParameters& held, const Layout& layout);

/// The unit that sharded training gathers: the larger of a layer and the embedding, on one tensor
/// rank.
[[nodiscard]] double gathered_layer(const Transformer& model, const Layout& layout);
[[nodiscard]] double largest_gathered_unit(const Transformer& model, const Layout& layout);

/// Bytes per parameter of a recipe (FORMULAS 3.1).
struct StateBytes {
    double weights{};
    double gradients{};
    double optimizer{};
};

[[nodiscard]] StateBytes state_bytes(StateRecipe recipe);

/// Bytes per gradient that ranks add up: those of the recipe, but 2 where Megatron trains in fp16.
/// Its fp32 gradients are then a copy for the update (Megatron-LM README, distributed optimizer:
/// "fp16 param, fp16 grads" against "bf16 param, fp32 grads").
[[nodiscard]] double reduced_gradient_bytes(const TrainingJob& job);

/// Weights, gradients and optimizer states on one GPU.
struct ModelStates {
    ByteVolume weights;
    ByteVolume gradients;
    ByteVolume optimizer;
    ByteVolume gathered; ///< unsharded layers alive under ZeRO-3
    ByteVolume step;     ///< what the optimizer's step takes in addition

    [[nodiscard]] ByteVolume total() const {
        return weights + gradients + optimizer + gathered + step;
    }
};

/// States of one rank that holds `held` (FORMULAS 3.1, Rajbhandari 2020): stage 1 shards the
/// optimizer, 2 the gradients too, 3 the weights too. Dense parameters shard over data x context
/// ranks, routed experts over the data x context / expert ranks that hold the same experts.
/// Megatron's distributed optimizer is stage 1 with megatron_adam: 6 + 12/d bytes.
///
/// An offloaded optimizer takes no GPU memory, nor do sharded gradients, which go to the host as
/// they are reduced; offloaded parameters are on the GPU only while gathered (DeepSpeed
/// memory.rst).
[[nodiscard]] ModelStates
model_states(const TrainingJob& job, const RankParameters& held, const MemoryOverheads& overheads);

/// DeepSpeed's estimates for mixed precision with Adam (DeepSpeed memory.rst): stage 2: 4 P + 16 P
/// / n, offloaded 2 P; stage 3: 4 U + 18 P / n, optimizer offloaded
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
