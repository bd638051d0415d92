#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/gpu/speed_ratio.hpp"

#include "scenarios/catalog/catalogue.hpp"
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

} // namespace bursar::published_speeds_test
