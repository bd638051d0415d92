#pragma once

#include "models/calibration/validation.hpp"

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// For people, at most 100 columns wide. First a summary per file and method, over all frameworks
/// and GPUs, and the constant guess; then every group; last the rows that were not answered, under
/// their reasons. One table per kind of tuning, so that fitted and unseen rows are never mixed.
void write_validation_table(const Validation& validation, TextSink& sink);

/// {"groups": [{"file", "framework", "gpu", "quantity", "profile", "tuned", "n", "answered",
/// "mape", "median", "p90", "max", "bias"}], "unanswered": [{"id", "why"}]}; errors are fractions,
/// null for a group of which no row was answered.
void write_validation_json(const Validation& validation, TextSink& sink);

/// The groups, a line each; columns as in the JSON.
void write_validation_csv(const Validation& validation, TextSink& sink);

/// Every row: what was measured, what the model says, with which assumptions.
void write_validated_rows(const Validation& validation, TextSink& sink);

}} // namespace bursar::reports
