#include <doctest/doctest.h>

#include "models/gpu/gpu.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::gpu_test {

namespace {

Gpu a10g() {
    Gpu gpu;
    gpu.name = "A10G";
    gpu.memory_gb = 24;
    gpu.tdp_w = 150;
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::fp32)] = 31.52;
    return gpu;
}

} // namespace

TEST_CASE("known facts come back in bursar's units") {
    const Gpu gpu = a10g();
    CHECK(memory(gpu) == Bytes{24'000'000'000});
    CHECK(tdp(gpu) == Power{150});
    CHECK(dense_peak(gpu, Precision::fp32).count() == doctest::Approx(31.52e12));
    CHECK(supports(gpu, Precision::fp32));
    CHECK_FALSE(supports(gpu, Precision::fp8));
}

TEST_CASE("training runs in bf16 where the GPU has it, else in fp16, else in fp32") {
    Gpu gpu;
    CHECK(usual_precision(gpu) == Precision::fp32);
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::fp16)] = 125;
    CHECK(usual_precision(gpu) == Precision::fp16);
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::bf16)] = 312;
    CHECK(usual_precision(gpu) == Precision::bf16);
}

TEST_CASE("an unpublished fact is an error with its name and the GPU's") {
    const Gpu gpu = a10g();
    CHECK_THROWS_WITH_AS((void)memory_bandwidth(gpu),
                         "A10G: memory bandwidth is not known (catalogue gpus.yaml); give it in a "
                         "catalogue of your own",
                         UnknownFact);
    CHECK_THROWS_WITH_AS((void)dense_peak(gpu, Precision::bf16),
                         "A10G: dense bf16 peak is not known (catalogue gpus.yaml); give it in a "
                         "catalogue of your own",
                         UnknownFact);
    CHECK_THROWS_AS((void)scaleup_bandwidth(gpu), UnknownFact);
    CHECK_THROWS_AS((void)memory(Gpu{}), UnknownFact);
    CHECK_THROWS_AS((void)tdp(Gpu{}), UnknownFact);
}

TEST_CASE("every precision is found by its own name and no other") {
    for (const std::string_view text : precision_names) {
        CAPTURE(text);
        REQUIRE(find_precision(text));
        CHECK(name(*find_precision(text)) == text);
    }
    CHECK_FALSE(find_precision("fp64"));
    CHECK_FALSE(find_precision("FP16"));
    CHECK_FALSE(find_precision(""));
}

TEST_CASE("a power limit slows products, and leaves peaks and memory as they are") {
    Gpu gpu = h100();
    gpu.tdp_w = 700;
    const Gpu limited = power_limited(gpu, Power{500});
    // (500 / 700)^0.4
    CHECK(achievable_peak(limited, Precision::bf16) / achievable_peak(gpu, Precision::bf16) ==
          doctest::Approx(0.874).epsilon(0.001));
    CHECK(dense_peak(limited, Precision::bf16) == dense_peak(gpu, Precision::bf16));
    CHECK(memory_bandwidth(limited) == memory_bandwidth(gpu));
}

TEST_CASE("a limit of the design power or more changes nothing, and one needs it known") {
    Gpu gpu = h100();
    CHECK_THROWS_AS((void)power_limited(gpu, Power{500}), UnknownFact);
    gpu.tdp_w = 700;
    CHECK(achievable_peak(power_limited(gpu, Power{700}), Precision::fp8) ==
          achievable_peak(gpu, Precision::fp8));
}

} // namespace bursar::gpu_test
