#pragma once

#include <filesystem>
#include <span>

#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace tools {

/// Merges the rows of the sweeps in `from` into `to`, which may have rows already. The order of the
/// folders does not matter. Throws ReportError if they are different sweeps (or versions), or if
/// two of them have different results for one run.
[[nodiscard]] SweepTable merge_sweeps(std::span<const std::filesystem::path> from,
                                      const std::filesystem::path& to,
                                      const SweepQuestion& question = usual_question());

/// Removes the sweep of a folder, and the folder if it is then empty. Precondition: no process
/// writes into it. Throws std::filesystem::filesystem_error.
void remove_sweep(const std::filesystem::path& folder);

}} // namespace bursar::tools
