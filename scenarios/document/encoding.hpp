#pragma once

#include <string_view>

#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// Throws ScenarioError with the place of the first byte that is not UTF-8 or is a control
/// character other than tab, newline and carriage return: a parser would stop there silently or
/// replace it.
void check_encoding(std::string_view text, const Source& source);

}} // namespace bursar::scenarios
