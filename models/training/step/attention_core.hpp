#pragma once

#include <cstdint>

#include "models/training/job/training_job.hpp"
#include "models/training/step/gemm.hpp"

namespace bursar { inline namespace models {

/// The score and context products of one layer on one rank, forward.
struct AttentionShape {
    double sequences{}; ///< b
    double queries{};   ///< tokens per sequence this rank attends from: s / c
    double keys{};      ///< tokens per sequence attended to: s
    double heads{};     ///< a / t
    double head_dim{};
    bool causal{};
};

/// Constants of the attention core, forward. Unfused scores go through device memory, those of a
/// fused kernel do not.
struct AttentionConstants {
    double unfused_efficiency{}; ///< of the unit's rate, (0, 1]
    double softmax_traffic{};    ///< passes over the scores
    double flash_efficiency{};   ///< of the unit's rate by generation 2 on Ampere, (0, 1]
};

/// Backward over forward: a fused kernel computes the scores again (5 products against 2), an
/// unfused one reads them (FORMULAS 4.2).
constexpr double attention_backward_factor(Attention attention) {
    return attention == Attention::unfused ? 2.0 : 2.5;
}

/// Forward time: of a fused kernel as measured, if `unit` has measurements near its shape. Unfused:
/// full square at the unfused rate plus the traffic of scale, mask, softmax and dropout. Flash:
/// half the square when causal, generation 2 at most at its rate on H100. Source: FORMULAS 4.2; Dao
/// 2022, 2023; Shah 2024.
///
/// hopper: whether the GPU has fp8, as generation 3 is written for Hopper.
Seconds attention_core_time(const AttentionShape& shape,
                            Attention attention,
                            const MatrixUnit& unit,
                            const AttentionConstants& constants,
                            bool hopper);

}} // namespace bursar::models
