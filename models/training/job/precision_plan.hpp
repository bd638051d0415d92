#pragma once

#include <optional>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// Which parts of a step run in which format (FORMULAS 5). A mixed recipe changes the rate of the
/// matrix products and the bytes of the tensors; norms, loss and update stay as they are.
struct PrecisionPlan {
    Precision linear{Precision::bf16}; ///< products with weights
    Precision core{Precision::bf16};   ///< attention, router and logits: never fp8
    double element_bytes{2};           ///< of an activation in device memory
    double linear_share{1}; ///< of the achievable rate that its kernels for `linear` reach
    double cast_bytes{0};   ///< moved per element of a linear layer's input to convert it
};

/// That the GPU does not have the format, naming those it has; nothing if it does.
[[nodiscard]] std::optional<ModelError> precision_fault(const Gpu& gpu, Precision precision);

/// The plan for training in `precision` on `gpu`.
///
/// fp8 serves the linear layers alone; its inputs are read at 2 bytes and written at 1, and where
/// their own scale is to be found, read once more and written a second time, transposed. Scales
/// per row leave 0.55 of the rate, about that of bf16.
/// Throws what precision_fault finds (bf16 on V100, fp8 on A100).
PrecisionPlan
plan_precision(const Gpu& gpu, Precision precision, Fp8Scaling scaling = Fp8Scaling::delayed);

}} // namespace bursar::models
