#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The names nearest to `name`, case ignored: an equal one; else those that contain it as a word
/// ("V100" of "V100-PCIe"); else by edit distance (Levenshtein 1966). At most three, in the order
/// given; none further away than a third of the name plus one.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known);

/// The known name that `written` means: an equal one, or the only one that differs in capitals,
/// blanks, '-' and '_' alone ("On-Demand" of "on_demand"). Null if there is none. This rule defines
/// the spellings of a name.
const std::string* meant_name(std::string_view written, std::span<const std::string> known);

/// The same as a regular expression without anchors, for the schema: every spelling of `name`.
std::string spellings_of(std::string_view name);

/// "fifo, sjf"; a long list ends with the number of further names.
std::string listed_names(std::span<const std::string> names);

/// `did you mean "fifo"?`, or, without a near name, `one of: fifo, sjf` as listed_names().
/// Empty if `known` is.
std::string suggestion(std::string_view name, std::span<const std::string> known);

/// `no GPU is named "V10"; did you mean "V100"?`. what: "no GPU is".
Finding
none_named(std::string_view what, std::string_view name, std::span<const std::string> known);

}} // namespace bursar::scenarios
