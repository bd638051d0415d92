#pragma once

#include "models/calibration/validation.hpp"

#include "scenarios/measurements/measurement_file.hpp"
#include "scenarios/measurements/training_case.hpp"

/// One function per kind of file: adds its rows to `validation`, answered or not.
namespace bursar { inline namespace scenarios {

void validate_training(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_collectives(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_memory(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_throughput(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_matrix_rates(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_peaks(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_allocations(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_losses(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_repeated_data(const MeasurementFile&, const KnownWorld&, Validation& validation);
void validate_facts(const MeasurementFile&, const KnownWorld&, Validation& validation);

/// Fills id, file, framework and gpu of a row of `file`.
ValidatedRow blank_row(const MeasurementFile& file, const MeasurementRow& row);

/// Whether the origin of a constant, a free text, names `source` by its first or its longest word
/// ("vTrain", "DeepLearningExamples").
bool names_source(std::string_view origin, std::string_view source);

/// Calls `answer(result)`, then adds the row. An exception, or a prediction that is no positive
/// number, becomes the row's reason for having no answer.
template <class Answer>
void add_row(Validation& validation, ValidatedRow row, const Answer& answer);

}} // namespace bursar::scenarios

#include <cmath>
#include <stdexcept>

namespace bursar { inline namespace scenarios {

template <class Answer>
void add_row(Validation& validation, ValidatedRow row, const Answer& answer) {
    try {
        answer(row);
        if (row.predicted && !(std::isfinite(*row.predicted) && *row.predicted > 0)) {
            row.predicted.reset();
            row.why = "the model gives no time for it";
        }
    } catch (const std::runtime_error& error) { // ModelError, UnknownFact: a mistake of the row
        row.predicted.reset();
        row.why = error.what();
    }
    validation.rows.push_back(std::move(row));
}

}} // namespace bursar::scenarios
