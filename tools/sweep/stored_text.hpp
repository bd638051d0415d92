#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"

/// Values that a sweep's database holds as text.
namespace bursar { inline namespace tools {

/// 16 digits.
[[nodiscard]] std::string hex_of(std::uint64_t hash);
/// 0 if the text is no hash.
[[nodiscard]] std::uint64_t hash_from(std::string_view text);

/// "0 16 1000000000 1; ...": purchase, GPUs, rate and step of each; rate -1: it changes with time.
[[nodiscard]] std::string kept_text(std::span<const KeptCapacity> kept);
/// Parses the text of kept_text(); absent if a purchase or a step is out of range.
[[nodiscard]] std::optional<std::vector<KeptCapacity>> kept_of(std::string_view text);

/// Number of the axis of each path: "0 1 1".
[[nodiscard]] std::string axes_text(const SweepTable& table);
/// Parses it; empty if an axis has no path.
[[nodiscard]] std::vector<std::vector<std::size_t>> axes_of(std::string_view text);

/// "5 cost.total,metrics.wait_s.p90 metrics.wait_s.p99 < 1 h": the number of best scenarios, the
/// metrics, and the goal, if any, as written.
[[nodiscard]] std::string question_text(const SweepQuestion& question);
/// Parses it; absent for an unknown metric, or another text.
[[nodiscard]] std::optional<SweepQuestion> question_of(std::string_view text);

}} // namespace bursar::tools
