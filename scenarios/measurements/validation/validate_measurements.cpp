#include "scenarios/measurements/validation/validate_measurements.hpp"

#include <fmt/format.h>

#include "scenarios/measurements/validation/file_validators.hpp"

namespace bursar {
namespace {

void validate_into(const MeasurementFile& file, const KnownWorld& world, Validation& validation) {
    if (!file.kind) {
        validation.notes.push_back(file.name + ": no header of measurements that is known");
        for (const MeasurementRow& row : file.rows)
            add_row(validation, blank_row(file, row), [](ValidatedRow& result) {
                result.quantity = "unknown";
                result.why = "the file's header is none that is known";
            });
        return;
    }
    switch (*file.kind) {
    case MeasurementKind::training:
        return validate_training(file, world, validation);
    case MeasurementKind::collective:
        return validate_collectives(file, world, validation);
    case MeasurementKind::memory:
        return validate_memory(file, world, validation);
    case MeasurementKind::throughput:
        return validate_throughput(file, world, validation);
    case MeasurementKind::gemm:
        return validate_matrix_rates(file, world, validation);
    case MeasurementKind::peaks:
        return validate_peaks(file, world, validation);
    case MeasurementKind::facts:
        return validate_facts(file, world, validation);
    case MeasurementKind::allocation_table:
        return validate_allocations(file, world, validation);
    case MeasurementKind::loss_runs:
        return validate_losses(file, world, validation);
    }
}

} // namespace

ValidatedRow blank_row(const MeasurementFile& file, const MeasurementRow& row) {
    ValidatedRow result;
    result.id = file.id(row);
    result.file = file.name;
    result.framework = file.text(row, "framework");
    result.gpu = file.text(row, "gpu");
    return result;
}

Validation validate_file(const MeasurementFile& file, const KnownWorld& world) {
    Validation validation;
    validate_into(file, world, validation);
    validation.groups = grouped(validation.rows);
    return validation;
}

Validation validate_measurements(const std::string& path, const KnownWorld& world) {
    Validation validation;
    for (const std::string& file : measurement_paths(path))
        validate_into(read_measurement_file(file), world, validation);
    validation.groups = grouped(validation.rows);
    return validation;
}

} // namespace bursar
