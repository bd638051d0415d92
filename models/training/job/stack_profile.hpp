#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Rows of published measurements a profile was fitted on.
struct FittedOn {
    std::string source;            ///< their `source` column
    std::vector<std::string> rows; ///< their ids, or ranges of them (measured_rows.hpp); empty: all
                                   ///< rows of the source
    std::string only{}; ///< what was fitted on them where it is not the time of a step: "the share
                        ///< of the rate of fp8 products"; empty: the step
};

/// The constants of one software stack (FORMULAS 4.13): those that do not follow from GPU facts.
/// Meaning, unit and bounds of each are in `profile_constants()`, which the catalogue, the
/// calibrator and the documentation read.
struct StackProfile {
    std::string name;
    std::vector<std::string> frameworks; ///< `framework` names of measurements it applies to
    std::string source;                  ///< how its constants were found
    std::vector<FittedOn> fitted_on;     ///< empty: not fitted
    /// Mean absolute error of its step times, as a share, on measurements its constants were not
    /// fitted on: other sources if there are any, otherwise rows left out. Absent: never tested on
    /// any.
    std::optional<double> held_out_error;

    // Kernels on the GPU.
    double gemm_efficiency{0.95};
    double gemm_half_size{128};
    double memory_efficiency{0.85};
    Seconds kernel_overhead{0.1e-3};
    double residual_traffic{12};
    double tensor_traffic{10};
    double expert_traffic{6};
    double expert_inner_traffic{4};
    double unfused_attention_efficiency{0.4};
    double softmax_traffic{4.5};
    double flash_efficiency{0.7};
    double logits_efficiency{0.9};
    double logits_traffic{16};
    double optimizer_traffic{24};

    // The host process that launches kernels.
    Seconds host_forward{0.9e-3};
    Seconds host_backward{0.9e-3};
    Seconds host_collective{0.06e-3};
    Seconds host_softmax{0.1e-3};
    Seconds host_experts{0.2e-3};
    Seconds host_micro_batch{2e-3};
    Seconds host_message{0.1e-3};
    Seconds host_step{5e-3};
    Seconds host_adam{2.5e-10};
    double compiled_host{0.3};
    double graph_host{0.15};
    double compiled_traffic{0.7};

    // Communication.
    double link_efficiency{1};
    double phase_overlap{0.3};
    double tensor_overlap{0};
    double expert_overlap{0};
    double data_overlap{0};
    double gathers_per_layer{1};
    double bucket_bytes{25.0 * 1024 * 1024};
    double pipeline_overlap{0};

    double straggler_sigma{0};
};

/// One constant of a profile.
struct ProfileConstant {
    std::string_view name; ///< as files write it; a Seconds constant is written in seconds
    std::variant<double StackProfile::*, Seconds StackProfile::*> member;
    double min{}; ///< physical bounds, both allowed; a fit stays inside
    double max{};
    std::string_view unit; ///< "s", "share", ...
    std::string_view meaning;
    bool log_scale{}; ///< fitted as its logarithm: positive, of unknown magnitude

    [[nodiscard]] double get(const StackProfile& profile) const;
    void set(StackProfile& profile, double value) const;
};

/// Every constant, in the order files list them.
std::span<const ProfileConstant> profile_constants();

/// The constant of that name; null if there is none.
const ProfileConstant* find_profile_constant(std::string_view name);

}} // namespace bursar::models
