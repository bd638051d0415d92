#include "models/training/memory/states.hpp"

#include <algorithm>
#include <cassert>

#include "models/training/job/flops.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

namespace {

/// The token embedding, and so the output matrix.
double vocabulary_matrix(const Transformer& model) {
    return real(model.vocab) * real(model.hidden);
}

/// Of one layer on all tensor ranks together, with the copies of its KV heads.
double dense_parameters(const Transformer& model, std::int64_t tensor) {
    const double copied = real(held_kv_heads(model, tensor) - model.kv_heads);
    return layer_parameters(model) - expert_parameters(model) +
           2 * real(model.hidden) * copied * real(model.head_dim);
}

} // namespace

RankParameters rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage) {
    assert(stage >= 0 && stage < layout.pipeline);
    const double layers = real(layers_per_stage(model.layers, layout.pipeline));
    const double tensor = real(layout.tensor);
    RankParameters held;
    held.dense = layers * dense_parameters(model, layout.tensor) / tensor;
    held.experts = layers * expert_parameters(model) / (tensor * real(layout.expert));
    const bool first = stage == 0;
    const bool last = stage == layout.pipeline - 1;
    const int copies = first && last ? (model.tied_embedding ? 1 : 2) : first || last ? 1 : 0;
    held.embedding = copies * vocabulary_matrix(model) / tensor;
    return held;
}

double sharded_parameters(const RankParameters& held, const Layout& layout) {
    const double ranks = real(layout.shard_ranks());
    const double expert_ranks = std::max(1.0, ranks / real(layout.expert));
    return (held.dense + held.embedding) / ranks + held.experts / expert_ranks;
}

double gathered_layer(const Transformer& model, const Layout& layout) {
    return (dense_parameters(model, layout.tensor) +
            expert_parameters(model) / real(layout.expert)) /
           real(layout.tensor);
}

double largest_gathered_unit(const Transformer& model, const Layout& layout) {
    return std::max(gathered_layer(model, layout), vocabulary_matrix(model) / real(layout.tensor));
}

namespace {

// Gradients have 16 bits after the backward pass if the weights have.
double working_gradient_bytes(const StateBytes& bytes) {
    return bytes.weights;
}

/// Weights gathered at a time: the largest unit and one prefetched layer, or the stack's limit; and
/// the unsharded gradient of the unit.
ByteVolume gathered_states(const TrainingJob& job,
                           const RankParameters& held,
                           const MemoryOverheads& overheads) {
    const StateBytes bytes = state_bytes(job.recipe);
    if (job.layout.pipeline > 1 && overheads.keeps_stage_gathered) {
        constexpr double fp32 = 4;
        return ByteVolume{held.total() * (bytes.weights + fp32)};
    }
    const double unit = largest_gathered_unit(job.model, job.layout);
    const double layers = unit + gathered_layer(job.model, job.layout);
    const double live = std::min(held.total(), std::max(layers, overheads.live_parameters));
    return ByteVolume{live * bytes.weights + unit * working_gradient_bytes(bytes)};
}

} // namespace

double reduced_gradient_bytes(const TrainingJob& job) {
    const bool is_half =
        job.recipe == StateRecipe::megatron_adam && job.precision == Precision::fp16;
    return is_half ? 2 : state_bytes(job.recipe).gradients;
}

StateBytes state_bytes(StateRecipe recipe) {
    switch (recipe) {
    case StateRecipe::fp32_adam:
        return {4, 4, 8};
    case StateRecipe::mixed_adam:
        return {2, 2, 12};
    case StateRecipe::megatron_adam:
        return {2, 4, 12};
    case StateRecipe::pure_bf16:
        return {2, 2, 4};
    case StateRecipe::mixed_sgd:
        return {2, 4, 8};
    case StateRecipe::mixed_adam8:
        return {2, 4, 6};
    }
    return {};
}

ModelStates
model_states(const TrainingJob& job, const RankParameters& held, const MemoryOverheads& overheads) {
    const Layout& layout = job.layout;
    const StateBytes bytes = state_bytes(job.recipe);
    const double whole = held.total();
    const double share = sharded_parameters(held, layout);
    const auto from = [&](Sharding stage) { return layout.sharding >= stage ? share : whole; };
    ModelStates states;
    if (!layout.offload_parameters)
        states.weights = ByteVolume{bytes.weights * from(Sharding::zero3)};
    if (!(layout.offload_optimizer && layout.sharding >= Sharding::zero2))
        states.gradients = ByteVolume{bytes.gradients * from(Sharding::zero2)};
    if (!layout.offload_optimizer) {
        states.optimizer = ByteVolume{bytes.optimizer * from(Sharding::zero1)};
        states.step = ByteVolume{overheads.step_bytes * from(Sharding::zero1)};
    }
    if (layout.sharding == Sharding::zero3)
        states.gathered = gathered_states(job, held, overheads);
    return states;
}

ByteVolume deepspeed_zero2_estimate(const DeepSpeedEstimate& estimate) {
    if (estimate.offload_optimizer)
        return ByteVolume{2 * estimate.parameters};
    return ByteVolume{4 * estimate.parameters + 16 * estimate.parameters / estimate.gpus};
}

ByteVolume deepspeed_zero3_estimate(const DeepSpeedEstimate& estimate) {
    const double largest = 4 * estimate.largest_layer;
    if (estimate.offload_parameters)
        return ByteVolume{largest};
    const double per_parameter = estimate.offload_optimizer ? 2 : 18;
    return ByteVolume{largest + per_parameter * estimate.parameters / estimate.gpus};
}

}} // namespace bursar::models
