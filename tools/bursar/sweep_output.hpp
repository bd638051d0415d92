#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/sweep/sweep_question.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/bursar/options.hpp"

namespace bursar::inline tools {

/// What is asked of a sweep, and how the answer is shown: shared by sweep and merge.
struct SweepOutput {
    std::string format{"table"};
    std::vector<std::string> metrics;
    std::string goal;
    std::int64_t best{5};

    /// Adds --format, --metrics, --best and --goal.
    void add_to(Command command);

    /// Throws UsageError where the goal is none.
    [[nodiscard]] SweepQuestion question() const;

    /// Prints the answer on stdout and, where there is a folder, writes all of them into it.
    /// Throws SweepIncomplete where runs of `num_wanted` have no result.
    void show(const SweepTable& table,
              const std::filesystem::path& folder,
              std::uint64_t num_wanted,
              const InputFiles& inputs) const;
};

} // namespace bursar::inline tools
