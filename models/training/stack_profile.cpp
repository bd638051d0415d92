#include "models/training/stack_profile.hpp"

#include <algorithm>
#include <array>

namespace bursar {
namespace {

using P = StackProfile;

// Bounds are physical: a share of what the hardware can do is at most 1; a host needs microseconds
// to milliseconds per layer; kernels move each tensor a countable number of times.
constexpr std::array constants{
    ProfileConstant{"gemm_efficiency",
                    &P::gemm_efficiency,
                    0.3,
                    1,
                    "share",
                    "of the GPU's achievable matrix rate that a large product reaches",
                    false},
    ProfileConstant{"gemm_half_size",
                    &P::gemm_half_size,
                    1,
                    600,
                    "elements",
                    "dimension of a product at which it reaches half of that (x0 of models.md 4.1)",
                    true},
    ProfileConstant{"memory_efficiency",
                    &P::memory_efficiency,
                    0.3,
                    1,
                    "share",
                    "of the device memory bandwidth",
                    false},
    ProfileConstant{
        "residual_traffic",
        &P::residual_traffic,
        2,
        40,
        "passes",
        "over T h numbers per layer and forward pass, divided by sequence parallel only "
        "(k_r)",
        true},
    ProfileConstant{"tensor_traffic",
                    &P::tensor_traffic,
                    2,
                    40,
                    "passes",
                    "over T h numbers per layer and forward pass, divided by tensor parallel (k_t)",
                    true},
    ProfileConstant{"unfused_attention_efficiency",
                    &P::unfused_attention_efficiency,
                    0.05,
                    1,
                    "share",
                    "of the achievable matrix rate in unfused attention products",
                    false},
    ProfileConstant{"softmax_traffic",
                    &P::softmax_traffic,
                    1,
                    16,
                    "passes",
                    "over the unfused score matrix, forward",
                    true},
    ProfileConstant{"flash_efficiency",
                    &P::flash_efficiency,
                    0.2,
                    1,
                    "share",
                    "of the achievable matrix rate in FlashAttention-2 on Ampere",
                    false},
    ProfileConstant{"logits_traffic",
                    &P::logits_traffic,
                    4,
                    160,
                    "B/logit",
                    "moved by the loss, forward and backward",
                    true},
    ProfileConstant{"optimizer_traffic",
                    &P::optimizer_traffic,
                    10,
                    120,
                    "B/parameter",
                    "moved by one update (k_o)",
                    true},
    ProfileConstant{"host_forward",
                    &P::host_forward,
                    1e-5,
                    5e-3,
                    "s",
                    "to launch one layer's forward pass",
                    true},
    ProfileConstant{"host_backward",
                    &P::host_backward,
                    1e-5,
                    5e-3,
                    "s",
                    "to launch one layer's backward pass",
                    true},
    ProfileConstant{
        "host_collective", &P::host_collective, 1e-6, 5e-4, "s", "to launch one collective", true},
    ProfileConstant{"host_micro_batch",
                    &P::host_micro_batch,
                    1e-5,
                    2e-2,
                    "s",
                    "per micro-batch outside the layers: batch, embedding, loss",
                    true},
    ProfileConstant{"host_message",
                    &P::host_message,
                    1e-6,
                    5e-3,
                    "s",
                    "to hand one message to a neighbouring stage",
                    true},
    ProfileConstant{
        "host_step", &P::host_step, 1e-4, 0.2, "s", "per step outside the micro-batches", true},
    ProfileConstant{"host_adam",
                    &P::host_adam,
                    1e-11,
                    5e-9,
                    "s/parameter",
                    "of an offloaded update on one node's processors",
                    true},
    ProfileConstant{"compiled_host",
                    &P::compiled_host,
                    0.05,
                    1,
                    "share",
                    "of the eager host time left by compilation",
                    false},
    ProfileConstant{"graph_host",
                    &P::graph_host,
                    0.01,
                    1,
                    "share",
                    "of the eager host time left by CUDA graphs",
                    false},
    ProfileConstant{"compiled_traffic",
                    &P::compiled_traffic,
                    0.2,
                    1,
                    "share",
                    "of the memory-bound traffic left by compilation",
                    false},
    ProfileConstant{"link_efficiency",
                    &P::link_efficiency,
                    0.2,
                    1,
                    "share",
                    "of a link's rate that collectives reach",
                    false},
    ProfileConstant{"phase_overlap",
                    &P::phase_overlap,
                    0,
                    0.6,
                    "share",
                    "of the shorter phase of a hierarchical collective that is not hidden",
                    false},
    ProfileConstant{"tensor_overlap",
                    &P::tensor_overlap,
                    0,
                    0.9,
                    "share",
                    "of tensor-parallel traffic hidden behind compute",
                    false},
    ProfileConstant{"data_overlap",
                    &P::data_overlap,
                    0,
                    1,
                    "share",
                    "of the backward pass that gradient traffic may hide in",
                    false},
    ProfileConstant{"pipeline_overlap",
                    &P::pipeline_overlap,
                    0,
                    1,
                    "share",
                    "of stage-to-stage traffic hidden behind compute",
                    false},
    ProfileConstant{"straggler_sigma",
                    &P::straggler_sigma,
                    0,
                    0.1,
                    "share",
                    "standard deviation of a rank's speed",
                    false},
};

} // namespace

double ProfileConstant::get(const StackProfile& profile) const {
    if (const auto* plain = std::get_if<double StackProfile::*>(&member))
        return profile.**plain;
    return (profile.*std::get<Seconds StackProfile::*>(member)).count();
}

void ProfileConstant::set(StackProfile& profile, double value) const {
    if (const auto* plain = std::get_if<double StackProfile::*>(&member))
        profile.** plain = value;
    else
        profile.*std::get<Seconds StackProfile::*>(member) = Seconds{value};
}

std::span<const ProfileConstant> profile_constants() {
    return constants;
}

const ProfileConstant* find_profile_constant(std::string_view name) {
    const auto found = std::find_if(constants.begin(),
                                    constants.end(),
                                    [name](const ProfileConstant& c) { return c.name == name; });
    return found == constants.end() ? nullptr : &*found;
}

} // namespace bursar
