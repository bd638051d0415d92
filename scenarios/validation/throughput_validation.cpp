#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "models/calibration/workload_rates.hpp"
#include "models/errors/model_error.hpp"

#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/validation/file_validators.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A throughput of a named workload on one GPU model.
struct Measured {
    ValidatedRow row;
    std::string workload; ///< model, precision and unit: rates are shared within it
    std::string gpu;      ///< catalogue name: rows of one chip are left out together
    WorkloadRates::Observation seen;
};

/// Matrix products of 32-bit scripts run in TF32 where the GPU has it (FORMULAS 5: most likely so
/// in published fp32 rows).
FlopRate matrix_peak(const Gpu& gpu, std::string_view precision, Assumptions& assumptions) {
    const Precision asked = stated_precision(precision, gpu, assumptions);
    if (asked == Precision::fp32 && supports(gpu, Precision::tf32)) {
        assumptions.emplace_back("precision: matrix products of fp32 in TF32");
        return dense_peak(gpu, Precision::tf32);
    }
    return dense_peak(gpu, asked);
}

Measured measured_of(const MeasurementFile& file,
                     const MeasurementRow& row,
                     const KnownWorld& world,
                     ValidatedRow result) {
    Measured measured;
    Assumptions& assumed = result.assumptions;
    const std::string_view precision = file.text(row, "precision");
    const Gpu gpu =
        measured_gpu(file.text(row, "gpu"), file.positive(row, "peak_tflops"), world.gpus, assumed);
    const std::optional<double> throughput = file.positive(row, "throughput");
    if (!throughput)
        throw ModelError{"throughput", "is not published", ""};
    WorkloadSetting& setting = measured.seen.setting;
    setting.gpus = static_cast<int>(file.count(row, "num_gpu").value_or(1));
    setting.matrix_peak = matrix_peak(gpu, precision, assumed);
    setting.vector_peak = dense_peak(gpu, Precision::fp32);
    setting.memory = memory_bandwidth(gpu);
    const std::optional<double> batch = file.positive(row, "global_batch");
    if (!batch)
        assumed.emplace_back("global_batch: 32 per GPU");
    setting.batch_per_gpu = batch ? *batch / setting.gpus : 32.0;
    measured.seen.samples_per_s = *throughput;
    measured.workload =
        fmt::format("{}\n{}\n{}", file.text(row, "model"), precision, file.text(row, "unit"));
    measured.gpu = gpu.name;
    result.measured = *throughput;
    measured.row = std::move(result);
    return measured;
}

/// Rates of the same workload on all other GPUs.
void predict(const Measured& measured, const std::vector<Measured>& all, ValidatedRow& result) {
    std::vector<WorkloadRates::Observation> others;
    for (const Measured& other : all)
        if (other.workload == measured.workload && other.gpu != measured.gpu)
            others.push_back(other.seen);
    const std::optional<WorkloadRates> rates = WorkloadRates::fit(others);
    if (!rates)
        throw ModelError{"model", "this workload was measured on no other GPU", ""};
    result.predicted = rates->samples_per_s(measured.seen.setting);
}

} // namespace

void validate_throughput(const MeasurementFile& file,
                         const KnownWorld& world,
                         Validation& validation) {
    std::vector<Measured> all;
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source");
        blank.quantity = "throughput";
        blank.profile = "workload rates fitted on other GPUs";
        blank.tuning = Tuning::held_out;
        Validation one;
        add_row(one, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            all.push_back(measured_of(file, row, world, result));
        });
        if (!one.rows.front().why.empty())
            validation.rows.push_back(one.rows.front());
    }
    for (const Measured& measured : all)
        add_row(validation, measured.row, [&](ValidatedRow& result) {
            predict(measured, all, result);
        });
}

}} // namespace bursar::scenarios
