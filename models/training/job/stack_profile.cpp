#include "models/training/job/stack_profile.hpp"

#include <algorithm>
#include <array>

namespace bursar { inline namespace models {
namespace {

using P = StackProfile;

// A share of the hardware's rate; fitted linearly.
constexpr ProfileConstant
share(std::string_view name, double P::*member, double min, double max, std::string_view meaning) {
    return {name, member, min, max, "share", meaning, false};
}

// A positive figure of unknown magnitude; fitted as its logarithm.
constexpr ProfileConstant size(std::string_view name,
                               double P::*member,
                               double min,
                               double max,
                               std::string_view unit,
                               std::string_view meaning) {
    return {name, member, min, max, unit, meaning, true};
}

constexpr ProfileConstant
time(std::string_view name, Seconds P::*member, double min, double max, std::string_view meaning) {
    return {name, member, min, max, "s", meaning, true};
}

// Bounds are physical: a share of the hardware's peak is at most 1, a host needs microseconds to
// milliseconds per layer, kernels move each tensor a few times.
// One row per constant reads better than the formatter's one line per argument.
// clang-format off
constexpr std::array constant_rows{
    share("gemm_efficiency", &P::gemm_efficiency, 0.3, 1,
          "of the GPU's achievable matrix rate that a large product reaches"),
    size("gemm_half_size", &P::gemm_half_size, 1, 600, "elements",
         "dimension of a product at which it reaches half of that (x0 of models/FORMULAS.md section 4.1)"),
    share("memory_efficiency", &P::memory_efficiency, 0.3, 1, "of the device memory bandwidth"),
    time("kernel_overhead", &P::kernel_overhead, 1e-6, 5e-4,
         "of a layer's forward pass in which its kernels start and run out"),
    size("residual_traffic", &P::residual_traffic, 2, 40, "passes",
         "over T h numbers per layer and forward pass, divided by sequence parallel only (k_r)"),
    size("tensor_traffic", &P::tensor_traffic, 2, 40, "passes",
         "over T h numbers per layer and forward pass, divided by tensor parallel (k_t)"),
    size("expert_traffic", &P::expert_traffic, 1, 40, "passes",
         "over the T k h numbers that go to experts, forward: copied to them and back"),
    size("expert_inner_traffic", &P::expert_inner_traffic, 1, 200, "passes",
         "over the T k f numbers between the two products of the experts, forward"),
    share("unfused_attention_efficiency", &P::unfused_attention_efficiency, 0.05, 1,
          "of the achievable matrix rate in unfused attention products"),
    size("softmax_traffic", &P::softmax_traffic, 1, 16, "passes",
         "over the unfused score matrix, forward"),
    share("flash_efficiency", &P::flash_efficiency, 0.2, 1,
          "of the achievable matrix rate in FlashAttention-2 on Ampere"),
    share("logits_efficiency", &P::logits_efficiency, 0.1, 1,
          "of the layers' product rate in products with the vocabulary"),
    size("logits_traffic", &P::logits_traffic, 4, 160, "B/logit",
         "moved by the loss, forward and backward"),
    size("optimizer_traffic", &P::optimizer_traffic, 10, 120, "B/parameter",
         "moved by one update (k_o)"),
    time("host_forward", &P::host_forward, 1e-5, 5e-3, "to launch one layer's forward pass"),
    time("host_backward", &P::host_backward, 1e-5, 5e-3, "to launch one layer's backward pass"),
    time("host_collective", &P::host_collective, 1e-6, 5e-4, "to launch one collective"),
    time("host_softmax", &P::host_softmax, 1e-6, 1e-3,
         "to launch a softmax whose shape the fused kernel does not take"),
    time("host_experts", &P::host_experts, 1e-6, 1e-2,
         "to launch routing, copies and grouped products of one layer's experts"),
    time("host_micro_batch", &P::host_micro_batch, 1e-5, 2e-2,
         "per micro-batch outside the layers: batch, embedding, loss"),
    time("host_message", &P::host_message, 1e-6, 5e-3,
         "to hand one message to a neighbouring stage"),
    time("host_step", &P::host_step, 1e-4, 0.2, "per step outside the micro-batches"),
    ProfileConstant{"host_adam", &P::host_adam, 1e-11, 5e-9, "s/parameter",
                    "of an offloaded update on one node's processors", true},
    share("compiled_host", &P::compiled_host, 0.05, 1,
          "of the eager host time left by compilation"),
    share("graph_host", &P::graph_host, 0.01, 1, "of the eager host time left by CUDA graphs"),
    share("compiled_traffic", &P::compiled_traffic, 0.2, 1,
          "of the memory-bound traffic left by compilation"),
    share("link_efficiency", &P::link_efficiency, 0.3, 1.3,
          "of what each link reaches by itself that collectives reach"),
    share("phase_overlap", &P::phase_overlap, 0, 0.6,
          "of the shorter phase of a hierarchical collective that is not hidden"),
    share("tensor_overlap", &P::tensor_overlap, 0, 0.9,
          "of tensor-parallel traffic hidden behind compute"),
    share("expert_overlap", &P::expert_overlap, 0, 1,
          "of tokens' way to experts and back hidden behind compute"),
    share("data_overlap", &P::data_overlap, 0, 1,
          "of the backward pass that gradient traffic may hide in"),
    size("gathers_per_layer", &P::gathers_per_layer, 1, 40, "collectives",
         "in which the sharded weights of one layer are gathered; 1: as one unit"),
    size("bucket_bytes", &P::bucket_bytes, 1e6, 1e10, "B",
         "of gradients reduced at a time while they overlap; 25 MiB in PyTorch"),
    share("pipeline_overlap", &P::pipeline_overlap, 0, 1,
          "of stage-to-stage traffic hidden behind compute"),
    share("straggler_sigma", &P::straggler_sigma, 0, 0.1,
          "standard deviation of a rank's speed over its mean"),
};
// clang-format on

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
    return constant_rows;
}

const ProfileConstant* find_profile_constant(std::string_view name) {
    const auto found = std::find_if(constant_rows.begin(),
                                    constant_rows.end(),
                                    [name](const auto& known) { return known.name == name; });
    return found == constant_rows.end() ? nullptr : &*found;
}

}} // namespace bursar::models
