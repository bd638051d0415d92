#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace models {

/// Whether `ids` names the row `id`: the id itself ("bench-007"), or a range of ids that differ in
/// the number at their end, first and last included: "bench-001..109", "bench-0001..1437 by 4".
[[nodiscard]] bool names_row(std::string_view ids, std::string_view id);

/// Ids as few ranges: names_row of one of them holds for these ids alone. Order does not matter.
[[nodiscard]] std::vector<std::string> id_ranges(std::vector<std::string> ids);

}} // namespace bursar::models
