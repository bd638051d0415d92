#include "models/training/memory/states.hpp"

#include <algorithm>

namespace bursar { inline namespace models {
namespace {

// Gradients leave the backward pass in 16 bits where the weights are.
double working_gradient_bytes(const StateBytes& bytes) {
    return bytes.weights;
}

/// Weights gathered at a time: the largest unit and one prefetched layer, or what the stack keeps
/// alive; and the unsharded gradient of the unit.
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
    if (!layout.offload_optimizer)
        states.optimizer = ByteVolume{bytes.optimizer * from(Sharding::zero1)};
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
