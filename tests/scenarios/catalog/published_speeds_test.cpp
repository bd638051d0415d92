#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/gpu/speed_ratio.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/pair_speeds.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/measurement_file.hpp"

#include "tests/shared_data.hpp"

namespace bursar::published_speeds_test {
namespace {

/// Throughput of one GPU, by workload and GPU, in a format with the file's name.
using Throughputs = std::map<std::string, std::map<std::string, double>>;

Throughputs of_one_gpu(const MeasurementFile& file, std::string_view precision) {
    Throughputs out;
    for (const MeasurementRow& row : file.rows)
        if (file.count(row, "num_gpu") == 1 && file.text(row, "precision") == precision)
            out[std::string{file.text(row, "model")}][std::string{file.text(row, "gpu")}] =
                *file.positive(row, "throughput");
    return out;
}

struct Agreement {
    double pairs{};
    double inside{};    ///< of the range
    double log_error{}; ///< sum of |ln(likely / measured)|
};

/// Every pair of GPUs on every workload, measured against the catalogue's ratio.
Agreement agreement(const Throughputs& measured, Precision precision) {
    const Catalogue catalogue = builtin_catalogue();
    Agreement out;
    for (const auto& [workload, gpus] : measured)
        for (auto from = gpus.begin(); from != gpus.end(); ++from)
            for (auto to = std::next(from); to != gpus.end(); ++to) {
                CAPTURE(workload);
                CAPTURE(to->first);
                REQUIRE(catalogue.find(from->first) != nullptr);
                REQUIRE(catalogue.find(to->first) != nullptr);
                const SpeedRange range =
                    speed_ratio(*catalogue.find(from->first), *catalogue.find(to->first), precision)
                        .range;
                const double ratio = to->second / from->second;
                out.pairs += 1;
                out.inside += range.low <= ratio && ratio <= range.high ? 1 : 0;
                out.log_error += std::abs(std::log(range.likely / ratio));
            }
    return out;
}

} // namespace

TEST_CASE("nine of ten measured ratios of two GPUs lie in the catalogue's range") {
    const auto path = test::shared_data("validation/lambda_throughput.csv");
    if (!path)
        return;
    const MeasurementFile file = read_measurement_file(path->string());
    // Rows published as fp32 ran in TF32 if the GPU has it (models/FORMULAS.md, 5).
    for (const auto& [published, precision] :
         {std::pair{"amp-fp16", Precision::fp16}, std::pair{"fp32", Precision::tf32}}) {
        CAPTURE(published);
        const Agreement found = agreement(of_one_gpu(file, published), precision);
        REQUIRE(found.pairs == 252);
        CHECK(found.inside / found.pairs >= 0.9);
        CHECK(std::exp(found.log_error / found.pairs) < 1.22); // the mean factor between the two
    }
}

TEST_CASE("measured pairs are those of the published throughputs") {
    const auto path = test::shared_data("validation/lambda_throughput.csv");
    if (!path)
        return;
    const MeasurementFile file = read_measurement_file(path->string());
    const Catalogue catalogue = builtin_catalogue();
    for (const auto& [published, precision] :
         {std::pair{"amp-fp16", Precision::fp16}, std::pair{"fp32", Precision::tf32}}) {
        std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
        for (const auto& [workload, gpus] : of_one_gpu(file, published))
            for (const auto& [from, there] : gpus)
                for (const auto& [to, here] : gpus)
                    if (from != to)
                        ratios[{catalogue.find(from)->name, catalogue.find(to)->name}].push_back(
                            here / there);
        REQUIRE(ratios.size() == 56);
        for (const auto& [pair, measured] : ratios) {
            CAPTURE(pair.first);
            CAPTURE(pair.second);
            const auto known = builtin_pair_speeds().find(pair.first, pair.second, precision);
            REQUIRE(known);
            CHECK(known->workloads == static_cast<std::int64_t>(measured.size()));
            double sum = 0;
            for (const double ratio : measured)
                sum += std::log(ratio) / static_cast<double>(measured.size());
            CHECK(known->speed.low ==
                  doctest::Approx(*std::ranges::min_element(measured)).epsilon(0.005));
            CHECK(known->speed.likely == doctest::Approx(std::exp(sum)).epsilon(0.005));
            CHECK(known->speed.high ==
                  doctest::Approx(*std::ranges::max_element(measured)).epsilon(0.005));
        }
    }
}

TEST_CASE("a measured pair is found by the words of its names, in both directions") {
    const PairSpeeds& speeds = builtin_pair_speeds();
    const auto there = speeds.find("A10", "A100-SXM4-80GB", Precision::bf16);
    const auto back = speeds.find("A100-SXM4-80GB", "A10", Precision::bf16);
    REQUIRE(there);
    REQUIRE(back);
    CHECK(there->speed.likely * back->speed.likely == doctest::Approx(1));
    CHECK(there->speed.low * back->speed.high == doctest::Approx(1));
    CHECK_FALSE(speeds.find("A100-SXM4-40GB", "A100-SXM4-80GB", Precision::bf16));
    CHECK_FALSE(speeds.find("H100-PCIe-80GB", "B200-SXM", Precision::bf16));
    CHECK_FALSE(speeds.find("A10", "A100-SXM4-80GB", Precision::fp32)); // ran in TF32
}

TEST_CASE("one workload widens the range of the catalogue, many replace it") {
    const Catalogue gpus = builtin_catalogue();
    const PairSpeeds speeds = read_pair_speeds_text(
        "speeds:\n"
        "  - {name: a, from: H100-SXM5, to: B200, formats: [bf16], low: 1.2, likely: 1.5, high: 9, "
        "workloads: 4, source: s}\n"
        "  - {name: b, from: H100-SXM5, to: H200, formats: [bf16], low: 1.1, likely: 1.2, high: "
        "1.3, "
        "workloads: 5, source: s}\n",
        "s.yaml");
    const Gpu& h100 = *gpus.find("H100");
    const SpeedEstimate few = speeds.estimate(h100, *gpus.find("B200"), Precision::bf16);
    REQUIRE(few.ratio);
    CHECK(few.range.likely == few.ratio->range.likely);
    CHECK(few.range.low == 1.2);
    CHECK(few.range.high == 9);
    const SpeedEstimate many = speeds.estimate(h100, *gpus.find("H200"), Precision::bf16);
    CHECK_FALSE(many.ratio);
    CHECK(many.range.likely == 1.2);
    CHECK(speeds.estimate(h100, *gpus.find("MI300X"), Precision::bf16).ratio);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(read_pair_speeds_text(
            "speeds:\n  - {name: a, from: X, to: Y, formats: [bf16], low: 2, likely: 1, high: 3, "
            "workloads: 4, source: s}\n",
            "s.yaml")),
        doctest::Contains("likely: is not between low and high"),
        ScenarioError);
}

} // namespace bursar::published_speeds_test
