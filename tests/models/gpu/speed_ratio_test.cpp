#include <cmath>

#include <doctest/doctest.h>

#include "models/gpu/speed_ratio.hpp"

namespace bursar::speed_ratio_test {
namespace {

void set_peak(Gpu& gpu, Precision precision, double tflops) {
    gpu.dense_peak_tflops[static_cast<std::size_t>(precision)] = tflops;
}

/// NVIDIA's figures of V100 SXM2 and H100 SXM5.
Gpu v100() {
    Gpu gpu;
    gpu.name = "V100";
    gpu.memory_bandwidth_gb_s = 900;
    set_peak(gpu, Precision::fp32, 15.7);
    set_peak(gpu, Precision::fp16, 125);
    return gpu;
}

Gpu h100() {
    Gpu gpu;
    gpu.name = "H100";
    gpu.memory_bandwidth_gb_s = 3350;
    set_peak(gpu, Precision::fp32, 67);
    set_peak(gpu, Precision::tf32, 494.5);
    set_peak(gpu, Precision::fp16, 989);
    set_peak(gpu, Precision::bf16, 989);
    set_peak(gpu, Precision::fp8, 1979);
    return gpu;
}

} // namespace

TEST_CASE("a job runs in its format, or in the nearest that the GPU has") {
    CHECK(nearest_precision(h100(), Precision::fp8) == Precision::fp8);
    CHECK(nearest_precision(h100(), Precision::nvfp4) == Precision::fp8);
    CHECK(nearest_precision(v100(), Precision::fp8) == Precision::fp16);
    CHECK(nearest_precision(v100(), Precision::bf16) == Precision::fp16);
    CHECK(nearest_precision(h100(), Precision::fp16) == Precision::fp16);
    CHECK(nearest_precision(v100(), Precision::tf32) == Precision::fp32);
    CHECK(nearest_precision(h100(), Precision::fp32) == Precision::fp32);
    CHECK(nearest_precision(Gpu{}, Precision::fp16) == Precision::fp32);
}

TEST_CASE("memory bandwidth and dense peak bound the gain of a faster GPU") {
    const SpeedRatio ratio = speed_ratio(v100(), h100(), Precision::fp16);
    CHECK(ratio.by_memory == doctest::Approx(3350.0 / 900));
    CHECK(ratio.by_peak == doctest::Approx(989.0 / 125));
    // (3.7222^2 x 7.912)^(1/3)
    CHECK(ratio.range.likely == doctest::Approx(4.786).epsilon(0.0005));
    CHECK(ratio.range.low == doctest::Approx(3350.0 / 900 / 1.4));
    CHECK(ratio.range.high == doctest::Approx(989.0 / 125 * 1.4));

    // Strictly in fp32 its tensor cores do not help.
    CHECK(speed_ratio(v100(), h100(), Precision::fp32).by_peak == doctest::Approx(67 / 15.7));
    CHECK(speed_ratio(v100(), h100(), Precision::tf32).by_peak == doctest::Approx(494.5 / 15.7));
}

TEST_CASE("a ratio times its reverse is 1, and equal figures give equal speed") {
    const SpeedRange there = speed_ratio(v100(), h100(), Precision::fp16).range;
    const SpeedRange back = speed_ratio(h100(), v100(), Precision::fp16).range;
    CHECK(there.likely * back.likely == doctest::Approx(1));
    CHECK(there.low * back.high == doctest::Approx(1));
    CHECK(there.high * back.low == doctest::Approx(1));

    Gpu larger = v100();
    larger.memory_gb = 32;
    const SpeedRange same = speed_ratio(v100(), larger, Precision::fp16).range;
    CHECK(same.low == 1);
    CHECK(same.likely == 1);
    CHECK(same.high == 1);
}

TEST_CASE("products that were measured on both GPUs count, not their peaks") {
    Gpu from = h100();
    Gpu to = h100();
    to.vendor = "AMD";
    to.memory_bandwidth_gb_s = 5300;
    set_peak(to, Precision::bf16, 1307);
    const auto bf16 = static_cast<std::size_t>(Precision::bf16);
    from.achievable_fraction[bf16] = 794.5 / 989;
    CHECK(speed_ratio(from, to, Precision::bf16).by_peak == doctest::Approx(1307.0 / 989));
    to.achievable_fraction[bf16] = 668.4 / 1307;
    const SpeedRatio ratio = speed_ratio(from, to, Precision::bf16);
    CHECK(ratio.is_peak_measured);
    CHECK(ratio.by_peak == doctest::Approx(668.4 / 794.5));
    // Another vendor: the margin counts twice.
    CHECK(ratio.range.low == doctest::Approx(668.4 / 794.5 / (1.4 * 1.4)));
    CHECK(ratio.range.high == doctest::Approx(5300.0 / 3350 * 1.4 * 1.4));
}

TEST_CASE("one chip with a faster memory has a narrow range") {
    Gpu from = h100();
    from.multiprocessors = 132;
    Gpu to = from;
    to.memory_bandwidth_gb_s = 4800;
    const SpeedRange range = speed_ratio(from, to, Precision::bf16).range;
    CHECK(range.low == doctest::Approx(1 / 1.15));
    CHECK(range.high == doctest::Approx(4800.0 / 3350 * 1.15));
    to.multiprocessors = 114;
    CHECK(speed_ratio(from, to, Precision::bf16).range.low == doctest::Approx(1 / 1.4));
}

TEST_CASE("an unpublished figure is an error with its name") {
    Gpu unknown = h100();
    unknown.memory_bandwidth_gb_s.reset();
    CHECK_THROWS_AS((void)speed_ratio(v100(), unknown, Precision::fp16), UnknownFact);
    CHECK_THROWS_AS((void)speed_ratio(Gpu{}, h100(), Precision::fp16), UnknownFact);
}

} // namespace bursar::speed_ratio_test
