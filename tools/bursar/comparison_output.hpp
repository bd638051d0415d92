#pragma once

#include <string>
#include <vector>

#include "reports/compare/compare_question.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/files/input_files.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// What is asked of a comparison, and how the answer is shown: shared by compare and report.
struct ComparisonOutput {
    std::vector<std::string> metrics;
    std::string goal;
    bool brief{};
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written

    /// Adds --metrics, --brief, --goal, --format and --out.
    void add_to(Command command);

    /// saved: what was asked before, of which that is kept which is not asked anew. Throws
    /// UsageError where a metric or the goal is none.
    [[nodiscard]] CompareQuestion question(const CompareQuestion& saved = {}) const;

    /// Throws where --out cannot take every format: before the work, not after it.
    void check_places(const InputFiles& inputs) const;

    /// Prints the answer on stdout and, with --out, writes all formats.
    void show(const Comparison& comparison,
              const CompareQuestion& asked,
              const InputFiles& inputs) const;
};

}} // namespace bursar::tools
