#pragma once

#include <string>
#include <vector>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/files/input_files.hpp"

#include "tools/bursar/output_options.hpp"

namespace bursar { inline namespace tools {

/// Options for the metrics and the output of a comparison, shared by compare and report.
struct ComparisonOutput {
    std::vector<std::string> metrics;
    std::string goal;
    bool brief{};
    bool common_end{};
    FormatOptions output;

    /// The options that were given; for the others, `saved`. Throws UsageError for an unknown
    /// metric or a bad goal.
    [[nodiscard]] CompareQuestion question(const CompareQuestion& saved = {}) const;

    /// Prints the answer on stdout and, with --out, writes all formats. Throws AssertionFailed if
    /// no variant meets the goal.
    void show(const Comparison& comparison,
              const CompareQuestion& request,
              const InputFiles& inputs) const;
};

[[nodiscard]] OptionTable<ComparisonOutput> comparison_options();

}} // namespace bursar::tools
