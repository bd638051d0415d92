#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/metrics/scalar_kind.hpp"

namespace bursar { inline namespace reports {

/// A scalar, or a mean of some, for people.
[[nodiscard]] std::string scalar_text(double value, ScalarKind kind);

/// A difference of two, with its sign where it is not nothing: "+2.1 h", "-1,204.00", "0 s"; of
/// ratios in percentage points: "+1.5 pp".
[[nodiscard]] std::string difference_text(double value, ScalarKind kind);

/// The interval of a difference: "-1,204.00 .. +12.00"; "-": it has none.
[[nodiscard]] std::string
interval_text(std::optional<double> low, std::optional<double> high, ScalarKind kind);

/// "p99 of 267 jobs: the longest 3 decide it"; empty for 1,000 jobs and more, and for none.
[[nodiscard]] std::string p99_note(std::uint64_t jobs);

/// The unit of a scalar as Fact::unit has it.
[[nodiscard]] std::string answer_unit(ScalarKind kind);

}} // namespace bursar::reports
