#pragma once

#include <string>
#include <vector>

#include "reports/compare/comparison.hpp"

/// What is said of a comparison beside its figures, a line each.
namespace bursar { inline namespace reports {

/// How the runs were made, and what every figure rests on.
[[nodiscard]] std::vector<std::string> run_notes(const Comparison& comparison);

/// When the runs end, and until when capacity is paid for.
[[nodiscard]] std::string end_note(const Comparison& comparison);

/// Of which variants verdicts are withheld, and why.
[[nodiscard]] std::vector<std::string> withheld_notes(const Comparison& comparison);

/// How many jobs gained and lost in a variant; empty where that is not kept, or no job finished in
/// both it and the base.
[[nodiscard]] std::string jobs_sentence(const Comparison& comparison,
                                        const ComparedVariant& variant);

[[nodiscard]] std::vector<std::string> warning_lines(const Comparison& comparison);

/// Warnings, what is uncertain, what is assumed and what is not modelled.
[[nodiscard]] std::vector<std::string> caveat_lines(const Comparison& comparison);

}} // namespace bursar::reports
