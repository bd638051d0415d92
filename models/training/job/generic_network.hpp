#pragma once

#include <string>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// A network that no transformer formula describes (CNN, recommender, speech): costs per sample
/// (FORMULAS 2.3, 4.12).
struct GenericNetwork {
    std::string name;
    Flops flops_per_sample{};            ///< forward and backward, > 0
    double parameters{};                 ///< > 0
    ByteVolume activations_per_sample{}; ///< kept for the backward pass at 2 bytes a number; >= 0
    ByteVolume traffic_per_sample{};     ///< device memory traffic of its memory-bound kernels at
                                         ///< 2 bytes a number, >= 0
    double matrix_efficiency{0.5};       ///< share of the achievable rate its products reach on
                                         ///< matrix units, (0, 1]; vector units reach all of it
    Seconds host_per_pass{};             ///< to launch one forward and backward pass, >= 0
};

}} // namespace bursar::models
