#pragma once

#include <optional>
#include <string>

namespace bursar { inline namespace reports {

/// The error of a figure for people: "+- 15 %"; "+- unknown" where nobody knows it.
/// share: of the figure, >= 0.
[[nodiscard]] std::string plus_minus(std::optional<double> share);

}} // namespace bursar::reports
