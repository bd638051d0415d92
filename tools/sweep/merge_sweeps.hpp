#pragma once

#include <filesystem>
#include <span>

#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace tools {

/// Puts the rows of the sweeps in `from` together in `to`, which may have some already: those of
/// one sweep, whatever the order of the folders. Throws ReportError where they are of different
/// sweeps (or versions), or two of them have different results of one run.
[[nodiscard]] SweepTable merge_sweeps(std::span<const std::filesystem::path> from,
                                      const std::filesystem::path& to,
                                      const SweepQuestion& asked = usual_question());

/// Removes the sweep of a folder, and the folder where nothing else is in it. Precondition: nobody
/// writes into it. Throws std::filesystem::filesystem_error.
void remove_sweep(const std::filesystem::path& folder);

}} // namespace bursar::tools
