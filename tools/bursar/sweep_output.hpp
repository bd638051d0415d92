#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/sweep/sweep_question.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Names of the formats, as --format takes them.
[[nodiscard]] std::vector<std::string> sweep_format_names();

/// The range of --best.
inline constexpr WholeRange best_range = up_to(1'000'000);

/// What is asked of a sweep, and how the answer is shown: shared by sweep, merge and report.
struct SweepOutput {
    std::string format{"table"};
    std::vector<std::string> metrics;
    std::string goal;
    std::optional<std::int64_t> best;

    /// Adds --format, --metrics, --best and --goal.
    void add_to(Command command);

    /// saved: what was asked before, of which that is kept which is not asked anew. Throws
    /// UsageError where a metric or the goal is none.
    [[nodiscard]] SweepQuestion question(const SweepQuestion& saved = usual_question()) const;

    /// Prints the answer on stdout and, where there is a folder, writes all of them into it.
    /// Throws SweepIncomplete where runs of `num_wanted` have no result.
    void show(const SweepTable& table,
              const SweepQuestion& asked,
              const std::filesystem::path& folder,
              std::uint64_t num_wanted,
              const InputFiles& inputs) const;
};

}} // namespace bursar::tools
