#pragma once

#include <string>
#include <vector>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/files/input_files.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Options for the metrics and the output of a comparison, shared by compare and report.
struct ComparisonOutput {
    std::vector<std::string> metrics;
    std::string goal;
    bool brief{};
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written

    /// Adds --metrics, --brief, --goal, --format and --out.
    void add_to(Command command);

    /// The options that were given; for the others, `saved`. Throws UsageError for an unknown
    /// metric or a bad goal.
    [[nodiscard]] CompareQuestion question(const CompareQuestion& saved = {}) const;

    /// Throws if --out cannot be written. Called before the runs.
    void check_places(const InputFiles& inputs) const;

    /// Prints the answer on stdout and, with --out, writes all formats.
    void show(const Comparison& comparison,
              const CompareQuestion& request,
              const InputFiles& inputs) const;
};

}} // namespace bursar::tools
