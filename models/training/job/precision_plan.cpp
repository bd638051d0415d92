#include "models/training/job/precision_plan.hpp"

#include <string>

namespace bursar { inline namespace models {
namespace {

// Fitted here: a 70B of torchtitan on 256 H100 reaches 600 tokens/s per GPU with a scale per row,
// 597 in bf16 and 810 with one per tensor (2025-06).
constexpr double row_scaled_share = 0.55;

// Share of the rate of products in 8 and 4 bits that take most of a step, on Blackwell. Fitted
// here: three dense runs of Megatron-Bridge 25.11 on 8 to 256 GB200 (an 8B, a 70B and a 405B), fp8
// with a scale per tensor. Mixtures of the same release, which multiply in a third of the step, do
// not show it, nor does Hopper; the GPU's power would explain both.
constexpr double blackwell_share = 0.73;

// Bytes moved per number to convert it. mxfp8: 2 read, 1 written for each of the two products that
// use it, as blocks run along the sum. nvfp4: read for its largest value, and once for each of
// the two, the second after a Hadamard transform (Transformer Engine 2.10); half a byte written
// each, and a scale per 16 numbers.
constexpr double mxfp8_cast_bytes = 2 + 2 * (1 + 1 / 32.0);
constexpr double nvfp4_cast_bytes = 2 + 2 * (2 + 0.5 + 1 / 16.0);

std::string precisions_of(const Gpu& gpu) {
    std::string known;
    for (std::size_t i = 0; i < precision_names.size(); ++i) {
        if (gpu.dense_peak_tflops[i])
            known += (known.empty() ? "" : ", ") + std::string{precision_names[i]};
    }
    return known.empty() ? "none is known of it" : "it has " + known;
}

double cast_bytes(Precision precision, Fp8Scaling scaling) {
    if (precision == Precision::mxfp8)
        return mxfp8_cast_bytes;
    if (precision == Precision::nvfp4)
        return nvfp4_cast_bytes;
    return scaling == Fp8Scaling::delayed ? 3.0 : 6.0;
}

} // namespace

std::optional<ModelError> precision_fault(const Gpu& gpu, Precision precision) {
    if (supports(gpu, precision))
        return std::nullopt;
    return ModelError{
        "precision", gpu.name + " has no " + std::string{name(precision)}, precisions_of(gpu)};
}

PrecisionPlan plan_precision(const Gpu& gpu, Precision precision, Fp8Scaling scaling) {
    if (const auto fault = precision_fault(gpu, precision))
        throw *fault;
    switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
        return {.linear = precision, .core = precision, .element_bytes = 4};
    case Precision::fp16:
    case Precision::bf16:
        return {.linear = precision, .core = precision};
    case Precision::fp8:
    case Precision::mxfp8:
    case Precision::nvfp4:
        break;
    }
    const bool row_scaled = precision == Precision::fp8 && scaling == Fp8Scaling::per_row;
    return {precision,
            supports(gpu, Precision::bf16) ? Precision::bf16 : Precision::fp16,
            2,
            row_scaled ? row_scaled_share : 1,
            supports(gpu, Precision::mxfp8) ? blackwell_share : 1,
            cast_bytes(precision, scaling)};
}

}} // namespace bursar::models
