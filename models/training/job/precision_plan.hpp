#pragma once

#include <optional>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// The formats of the parts of a step (FORMULAS 5). A mixed recipe changes the rate of matrix
/// products and the bytes of tensors; norms, loss and update do not change.
struct PrecisionPlan {
    Precision linear{Precision::bf16}; ///< products with weights
    Precision core{Precision::bf16};   ///< attention, router and logits: never below 16 bits
    double element_bytes{2};           ///< of an activation in device memory
    double linear_share{1}; ///< of the achievable rate that its kernels for `linear` reach
    double power_share{1};  ///< of that rate where such products take most of a step
    double cast_bytes{0};   ///< moved per element of a linear layer's input to convert it

    /// Share of the achievable rate in a step of `model`. Products of a mixture take too little of
    /// a step for power_share.
    [[nodiscard]] double rate_share(const Transformer& model) const {
        return linear_share * (model.experts ? 1 : power_share);
    }
};

/// The fault that the GPU lacks the format, naming those it has; absent if it has it.
[[nodiscard]] std::optional<ModelError> precision_fault(const Gpu& gpu, Precision precision);

/// The plan for training in `precision` on `gpu`.
///
/// Formats of 8 and 4 bits are used for linear layers only. FORMULAS 5 has the bytes of each to
/// convert an input. fp8 with scales per row leaves 0.55 of the rate, about that of bf16. scaling:
/// of fp8; mxfp8 and nvfp4 have scales per block. Throws the result of precision_fault (bf16 on
/// V100, fp8 on A100).
PrecisionPlan
plan_precision(const Gpu& gpu, Precision precision, Fp8Scaling scaling = Fp8Scaling::delayed);

}} // namespace bursar::models
