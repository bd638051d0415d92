#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/precision_gains.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/measurement_file.hpp"

#include "tests/shared_data.hpp"

namespace bursar::precision_gains_test {
namespace {

/// Mixed over "fp32" on one GPU, by workload, for GPUs of that name with any memory.
std::vector<double> measured_gains(const MeasurementFile& file, std::string_view gpu) {
    std::map<std::pair<std::string, std::string>, std::pair<double, double>> both;
    for (const MeasurementRow& row : file.rows) {
        const std::string name{file.text(row, "gpu")};
        if (file.count(row, "num_gpu") != 1 || !(name + ' ').starts_with(std::string{gpu} + ' '))
            continue;
        auto& [mixed, single] = both[{name, std::string{file.text(row, "model")}}];
        (file.text(row, "precision") == "amp-fp16" ? mixed : single) =
            *file.positive(row, "throughput");
    }
    std::vector<double> gains;
    for (const auto& [key, throughputs] : both)
        gains.push_back(throughputs.first / throughputs.second);
    return gains;
}

} // namespace

TEST_CASE("the gain of a format is found by GPU and formats, in both directions") {
    const PrecisionGains& gains = builtin_precision_gains();
    const auto there = gains.find("V100-SXM2-32GB", Precision::fp32, Precision::fp16);
    const auto back = gains.find("V100-SXM2-32GB", Precision::fp16, Precision::fp32);
    REQUIRE(there);
    REQUIRE(back);
    CHECK(there->gain.likely == 2.409);
    CHECK(back->gain.likely == doctest::Approx(1 / 2.409));
    CHECK(back->gain.low == doctest::Approx(1 / 4.75));
    CHECK(back->gain.high == doctest::Approx(1 / 0.997));
    CHECK(gains.find("A100-PCIe-40GB", Precision::tf32, Precision::bf16)->name == "A100 16 bits");
    CHECK(gains.find("A10", Precision::tf32, Precision::bf16)->name == "A10 16 bits");
    CHECK_FALSE(gains.find("H200-SXM", Precision::bf16, Precision::fp8));
    CHECK_FALSE(gains.find("H100-SXM5-80GB", Precision::fp32, Precision::fp8));
}

TEST_CASE("gains of 16 bits equal those of the published throughputs") {
    const auto path = test::shared_data("validation/lambda_throughput.csv");
    if (!path)
        return;
    const MeasurementFile file = read_measurement_file(path->string());
    for (const auto& [published, gpu, from] :
         {std::tuple{"V100 16GB", "V100-SXM2-16GB", Precision::fp32},
          std::tuple{"Quadro RTX 8000", "Quadro-RTX-8000", Precision::fp32},
          std::tuple{"A100", "A100-SXM4-80GB", Precision::tf32},
          std::tuple{"A10", "A10", Precision::tf32},
          std::tuple{"RTX A6000", "RTX-A6000", Precision::tf32},
          std::tuple{"RTX 3090", "RTX-3090", Precision::tf32}}) {
        CAPTURE(gpu);
        const std::vector<double> measured = measured_gains(file, published);
        const auto known = builtin_precision_gains().find(gpu, from, Precision::fp16);
        REQUIRE(known);
        CHECK(static_cast<std::int64_t>(measured.size()) == known->measured);
        const auto [low, high] = std::ranges::minmax(measured);
        double sum = 0;
        for (const double gain : measured)
            sum += std::log(gain) / static_cast<double>(measured.size());
        CHECK(known->gain.low == doctest::Approx(low).epsilon(0.001));
        CHECK(known->gain.likely == doctest::Approx(std::exp(sum)).epsilon(0.001));
        CHECK(known->gain.high == doctest::Approx(high).epsilon(0.001));
    }
}

TEST_CASE("a gain whose likely value is outside of its range is refused") {
    const std::string entry = "gains:\n  - {name: a, gpus: [X], from: [fp32], to: [fp16], low: 2, "
                              "likely: 1, high: 3, measured: 1, source: s}\n";
    CHECK_THROWS_WITH_AS(static_cast<void>(read_precision_gains_text(entry, "p.yaml")),
                         doctest::Contains("likely: is not between low and high"),
                         ScenarioError);
}

} // namespace bursar::precision_gains_test
