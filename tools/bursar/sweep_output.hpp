#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// Names of the formats, as --format takes them.
[[nodiscard]] std::vector<std::string> sweep_format_names();

/// The range of --best.
inline constexpr WholeRange best_range = up_to(1'000'000);

/// Options for the metrics and the output of a sweep, shared by sweep, merge and report.
struct SweepOutput {
    std::string format{"table"};
    std::vector<std::string> metrics;
    std::string goal;
    std::optional<std::size_t> best;
    bool common_end{};

    /// The options that were given; for the others, `saved`. Throws UsageError for an unknown
    /// metric or a bad goal.
    [[nodiscard]] SweepQuestion question(const SweepQuestion& saved = usual_question()) const;

    /// Prints the answer on stdout and, with a folder, writes all formats there. Throws
    /// SweepIncomplete if fewer than `num_wanted` runs have a result, AssertionFailed if no
    /// scenario meets the goal.
    void show(const SweepTable& table,
              const SweepQuestion& request,
              const std::filesystem::path& folder,
              std::uint64_t num_wanted,
              const InputFiles& inputs) const;
};

[[nodiscard]] OptionTable<SweepOutput> sweep_output_options();

}} // namespace bursar::tools
