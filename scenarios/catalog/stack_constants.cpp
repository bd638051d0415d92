#include "scenarios/catalog/stack_constants.hpp"

#include <array>

namespace bursar {
namespace {

template <double StackProfile::*Member>
constexpr StackConstant
number(std::string_view name, std::string_view meaning, double least, double most) {
    return {name,
            meaning,
            least,
            most,
            [](const StackProfile& profile) { return profile.*Member; },
            [](StackProfile& profile, double value) { profile.*Member = value; }};
}

template <Seconds StackProfile::*Member>
constexpr StackConstant time(std::string_view name, std::string_view meaning, double most) {
    return {name,
            meaning,
            0,
            most,
            [](const StackProfile& profile) { return (profile.*Member).count(); },
            [](StackProfile& profile, double value) { profile.*Member = Seconds{value}; }};
}

using P = StackProfile;

constexpr std::array constants{
    number<&P::gemm_efficiency>("gemm_efficiency", "of the achievable matrix rate", 0.05, 1),
    number<&P::gemm_half_size>("gemm_half_size", "dimension at half of it", 0, 2000),
    number<&P::memory_efficiency>("memory_efficiency", "of the memory bandwidth", 0.05, 1),
    number<&P::residual_traffic>("residual_traffic", "k_r, passes over T h", 0, 60),
    number<&P::tensor_traffic>("tensor_traffic", "k_t, passes over T h / t", 0, 60),
    number<&P::unfused_attention_efficiency>(
        "unfused_attention_efficiency", "of the achievable matrix rate", 0.02, 1),
    number<&P::softmax_traffic>("softmax_traffic", "passes over the scores", 0, 20),
    number<&P::flash_efficiency>("flash_efficiency", "of the achievable matrix rate", 0.02, 1),
    time<&P::host_forward>("host_forward", "s per layer", 0.1),
    time<&P::host_backward>("host_backward", "s per layer", 0.1),
    time<&P::host_collective>("host_collective", "s per collective", 0.1),
    number<&P::tensor_overlap>("tensor_overlap", "share hidden", 0, 1),
    number<&P::data_overlap>("data_overlap", "share hidden", 0, 1),
    number<&P::pipeline_overlap>("pipeline_overlap", "share hidden", 0, 1),
    number<&P::link_efficiency>("link_efficiency", "of a link's rate", 0.05, 1),
    number<&P::optimizer_traffic>("optimizer_traffic", "k_o, bytes per parameter", 0, 200),
    number<&P::straggler_sigma>("straggler_sigma", "relative spread of ranks", 0, 1)};

} // namespace

std::span<const StackConstant> stack_constants() {
    return constants;
}

} // namespace bursar
