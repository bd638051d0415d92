#include <vector>

#include <doctest/doctest.h>

#include "models/calibration/workload_rates.hpp"

namespace bursar::workload_rates_test {
namespace {

WorkloadSetting setting(double matrix, double vector, double memory, double batch, int gpus) {
    return {FlopRate{matrix * 1e12}, FlopRate{vector * 1e12}, ByteRate{memory * 1e9}, batch, gpus};
}

} // namespace

TEST_CASE("a workload that only moves bytes scales with memory bandwidth") {
    std::vector<WorkloadRates::Observation> seen;
    for (const double memory : {500.0, 900.0, 1500.0, 2000.0})
        seen.push_back({setting(100 + memory / 7, 10 + memory / 90, memory, 32, 1), memory / 10});
    const auto rates = WorkloadRates::fit(seen);
    REQUIRE(rates);
    CHECK(rates->samples_per_s(setting(312, 19.5, 3000, 64, 1)) ==
          doctest::Approx(300).epsilon(0.02));
}

TEST_CASE("more GPUs never speed up a workload more than in proportion") {
    std::vector<WorkloadRates::Observation> seen;
    for (const int gpus : {1, 2, 4, 8})
        seen.push_back({setting(125, 15.7, 900, 64, gpus), 100.0 * gpus * (gpus > 1 ? 0.9 : 1.0)});
    const auto rates = WorkloadRates::fit(seen);
    REQUIRE(rates);
    const double one = rates->samples_per_s(setting(125, 15.7, 900, 64, 1));
    CHECK(one == doctest::Approx(100).epsilon(0.01));
    CHECK(rates->samples_per_s(setting(125, 15.7, 900, 64, 8)) <= 8 * one);
    CHECK(rates->samples_per_s(setting(125, 15.7, 900, 128, 8)) >
          rates->samples_per_s(setting(125, 15.7, 900, 64, 8)));
}

TEST_CASE("nothing measured, nothing learned") {
    CHECK_FALSE(WorkloadRates::fit({}));
}

} // namespace bursar::workload_rates_test
