#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/precision_plan.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::precision_plan_test {

TEST_CASE("an unsupported format is an error that names the supported ones") {
    CHECK_THROWS_WITH_AS((void)plan_precision(v100(), Precision::bf16),
                         "precision: V100-SXM2-16GB has no bf16; it has fp32, fp16",
                         ModelError);
    CHECK_THROWS_WITH_AS((void)plan_precision(a100(), Precision::fp8),
                         "precision: A100-SXM4-80GB has no fp8; it has fp32, tf32, fp16, bf16",
                         ModelError);
}

TEST_CASE("fp8 serves linear layers alone and pays for casts") {
    const PrecisionPlan plan = plan_precision(h100(), Precision::fp8);
    CHECK(plan.linear == Precision::fp8);
    CHECK(plan.core == Precision::bf16);
    CHECK(plan.element_bytes == 2);
    CHECK(plan.cast_bytes == 3);
    CHECK(plan.linear_share == 1);
}

TEST_CASE("scales from the tensor itself cost a pass, scales per row slower kernels too") {
    const PrecisionPlan current = plan_precision(h100(), Precision::fp8, Fp8Scaling::current);
    CHECK(current.cast_bytes == 6);
    CHECK(current.linear_share == 1);
    const PrecisionPlan rows = plan_precision(h100(), Precision::fp8, Fp8Scaling::per_row);
    CHECK(rows.cast_bytes == 6);
    CHECK(rows.linear_share == 0.55);
    CHECK(plan_precision(h100(), Precision::bf16, Fp8Scaling::per_row).linear_share == 1);
}

TEST_CASE("formats with a scale per block have rates of their own, and attention stays in bf16") {
    Gpu blackwell = h100();
    blackwell.dense_peak_tflops = {80, 1125, 2250, 2250, 4500, 4500, 9000};
    for (const Precision format : {Precision::mxfp8, Precision::nvfp4}) {
        const PrecisionPlan plan = plan_precision(blackwell, format, Fp8Scaling::per_row);
        CHECK(plan.linear == format);
        CHECK(plan.core == Precision::bf16);
        CHECK(plan.element_bytes == 2);
        CHECK(plan.linear_share == 1);
        CHECK(plan.power_share == plan_precision(blackwell, Precision::fp8).power_share);
    }
    CHECK(plan_precision(blackwell, Precision::fp8).power_share < 1);
    CHECK(plan_precision(blackwell, Precision::bf16).power_share == 1);
    CHECK(plan_precision(h100(), Precision::fp8).power_share == 1);
    CHECK(plan_precision(blackwell, Precision::mxfp8).cast_bytes == 4.0625);
    CHECK(plan_precision(blackwell, Precision::nvfp4).cast_bytes == 7.125);
    CHECK_THROWS_WITH_AS(
        (void)plan_precision(h100(), Precision::nvfp4),
        "precision: H100-SXM5-80GB has no nvfp4; it has fp32, tf32, fp16, bf16, fp8",
        ModelError);
}

TEST_CASE("32-bit formats move 4 bytes, 16-bit ones 2") {
    CHECK(plan_precision(a100(), Precision::tf32).element_bytes == 4);
    CHECK(plan_precision(a100(), Precision::fp32).element_bytes == 4);
    CHECK(plan_precision(v100(), Precision::fp16).element_bytes == 2);
    CHECK(plan_precision(a100(), Precision::bf16).cast_bytes == 0);
}

} // namespace bursar::precision_plan_test
