#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar {

/// Rows of published measurements a profile was fitted on.
struct FittedOn {
    std::string source;      ///< their `source` column
    std::string rows{"all"}; ///< all, odd, even: by position in the file
    std::string file;        ///< name of the file the rows stood in
};

/// The constants of one software stack (models.md 4.13): what no GPU fact decides. Fitted constants
/// stay inside the physical bounds of `profile_constants()`.
struct StackProfile {
    std::string name;
    std::vector<std::string> frameworks; ///< `framework` names of measurements it speaks for
    std::string source;                  ///< how its constants were found
    std::vector<FittedOn> fitted_on;     ///< empty: on nothing

    double gemm_efficiency{0.85};   ///< largest share of the GPU's achievable matrix rate, (0, 1]
    double gemm_half_size{128};     ///< dimension at which a product reaches half of it
    double memory_efficiency{0.85}; ///< share of the device memory bandwidth, (0, 1]
    double residual_traffic{10};    ///< k_r: passes over T h numbers forward, per layer (4.3)
    double tensor_traffic{8};       ///< k_t: the part divided by tensor parallel
    double unfused_attention_efficiency{0.4};
    double softmax_traffic{4.5};      ///< passes over the score matrix forward
    double flash_efficiency{0.45};    ///< of the achievable rate, generation 2
    Seconds host_forward{0.8e-3};     ///< per layer, eager
    Seconds host_backward{0.8e-3};    ///< per layer, eager
    Seconds host_collective{0.07e-3}; ///< per collective
    double tensor_overlap{0};     ///< share of tensor-parallel traffic hidden behind compute, 0..1
    double data_overlap{0};       ///< share of the backward pass that gradient traffic may hide in
    double pipeline_overlap{0};   ///< share of stage-to-stage traffic hidden
    double link_efficiency{1};    ///< times what each link reaches by itself (LinkLevel), > 0
    double optimizer_traffic{24}; ///< k_o: bytes per local parameter (4.11)
    double straggler_sigma{0};    ///< relative spread of ranks
};

} // namespace bursar
