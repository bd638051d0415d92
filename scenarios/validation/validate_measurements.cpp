#include "scenarios/validation/validate_measurements.hpp"

#include <algorithm>
#include <filesystem>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/validation/error_ranges.hpp"
#include "scenarios/validation/file_validators.hpp"

namespace bursar { inline namespace scenarios {
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
    case MeasurementKind::repeated_data:
        return validate_repeated_data(file, world, validation);
    }
}

/// Adds a file that cannot be read as one unanswered row; the others are still read.
void note_unreadable(const std::string& path, const ScenarioError& error, Validation& validation) {
    ValidatedRow row;
    row.file = std::filesystem::path{path}.filename().string();
    row.id = row.file;
    row.quantity = "unreadable";
    row.why = error.what();
    validation.notes.push_back(row.file + ": cannot be read; nothing in it is answered");
    validation.rows.push_back(std::move(row));
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

bool names_source(std::string_view origin, std::string_view source) {
    std::string_view first;
    std::string_view longest;
    while (!source.empty()) {
        const std::string_view word = source.substr(0, source.find(' '));
        if (first.empty())
            first = word;
        if (word.size() > longest.size())
            longest = word;
        source.remove_prefix(std::min(source.size(), word.size() + 1));
    }
    const auto named = [origin](std::string_view word) {
        constexpr std::size_t telling = 4; // shorter words occur in any text
        return word.size() >= telling && origin.find(word) != std::string_view::npos;
    };
    return named(first) || named(longest);
}

Validation validate_file(const MeasurementFile& file, const KnownWorld& world) {
    Validation validation;
    validate_into(file, world, validation);
    validation.groups = grouped(validation.rows);
    add_ranges(validation, builtin_step_errors());
    return validation;
}

Validation validate_measurements(const std::string& path, const KnownWorld& world) {
    Validation validation;
    for (const std::string& file : measurement_paths(path)) {
        try {
            validate_into(read_measurement_file(file), world, validation);
        } catch (const ScenarioError& error) {
            if (file == path) // the only file
                throw;
            note_unreadable(file, error, validation);
        }
    }
    validation.groups = grouped(validation.rows);
    add_ranges(validation, builtin_step_errors());
    return validation;
}

}} // namespace bursar::scenarios
