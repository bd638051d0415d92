#pragma once

#include <span>
#include <string>
#include <vector>

namespace bursar { inline namespace reports {

/// The name of each variant's folder in the one of a comparison: its label in letters, digits, '.',
/// '_' and '-' ("queue-fifo-head-skip" of "queue: fifo, head: skip"), at most 100 of them, with the
/// number of the variant behind it where it would be empty, or that of another one or of a file,
/// whatever their capitals.
[[nodiscard]] std::vector<std::string> folder_names(std::span<const std::string> labels);

}} // namespace bursar::reports
