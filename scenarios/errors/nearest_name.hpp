#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bursar::inline scenarios {

/// The names nearest to `name`, case ignored: an equal one, else those of which it is a word
/// ("V100" of "V100-PCIe"), else by edit distance (Levenshtein 1966). The best ones, at most three,
/// in the order given; none further away than a third of the name plus one.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known);

/// `did you mean "fifo"?`, or, where nothing is near, `one of: fifo, sjf` (at most 20 names).
/// Empty if `known` is.
std::string suggestion(std::string_view name, std::span<const std::string> known);

} // namespace bursar::inline scenarios
