#pragma once

#include "models/calibration/validation.hpp"

#include "reports/document/document.hpp"

namespace bursar { inline namespace reports {

/// What the models reach of their goals, misses first: errors of step times and memory by file, and
/// how many rows their 80 % ranges hold, by file and by distance from measured jobs. Rows that
/// constants were fitted on stand apart. Adds nothing without such rows.
void add_scoreboard(const Validation& validation, Document& document);

}} // namespace bursar::reports
