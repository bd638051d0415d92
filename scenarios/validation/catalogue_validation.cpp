#include <array>
#include <optional>

#include "models/errors/model_error.hpp"

#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/validation/file_validators.hpp"

/// Compares published figures of GPUs, by vendors and benchmarks, with the catalogue.
namespace bursar { inline namespace scenarios {

void validate_matrix_rates(const MeasurementFile& file,
                           const KnownWorld& world,
                           Validation& validation) {
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "software");
        blank.quantity = "mamf_tflops";
        blank.profile = "achievable matrix rate";
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            const std::optional<double> measured = file.positive(row, "mamf_tflops");
            if (!measured)
                throw ModelError{"mamf_tflops", "is not published", ""};
            result.measured = *measured;
            const std::optional<double> peak = file.positive(row, "peak_tflops");
            const bool fp8 = lower_case(file.text(row, "precision")).starts_with("fp8");
            const Gpu gpu = measured_gpu(file.text(row, "gpu"),
                                         fp8 && peak ? *peak / 2 : peak,
                                         world.gpus,
                                         result.assumptions);
            const Precision precision =
                stated_precision(file.text(row, "precision"), gpu, result.assumptions);
            result.predicted = achievable_peak(gpu, precision).count() / 1e12;
            if (gpu.achievable_fraction[static_cast<std::size_t>(precision)])
                result.tuning = Tuning::tuned; // the catalogue's share comes from such a
                                               // measurement
        });
    }
}

void validate_peaks(const MeasurementFile& file, const KnownWorld& world, Validation& validation) {
    constexpr std::array<std::string_view, 5> columns{
        "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops", "fp8_tflops"};
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.id = file.text(row, "gpu");
        blank.quantity = "bf16_tflops";
        blank.profile = "GPU catalogue";
        blank.tuning = Tuning::exact;
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            const Gpu gpu =
                measured_gpu(file.text(row, "gpu"), std::nullopt, world.gpus, result.assumptions);
            constexpr auto bf16 = static_cast<std::size_t>(Precision::bf16);
            const std::optional<double> published = file.positive(row, columns[bf16]);
            if (!published)
                throw ModelError{"bf16_tflops", "is not published", ""};
            result.measured = *published;
            result.predicted = dense_peak(gpu, Precision::bf16).count() / 1e12;
        });
    }
}

}} // namespace bursar::scenarios
