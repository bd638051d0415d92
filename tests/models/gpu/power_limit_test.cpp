#include <doctest/doctest.h>

#include "models/gpu/power_limit.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::power_limit_test {

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

} // namespace bursar::power_limit_test
