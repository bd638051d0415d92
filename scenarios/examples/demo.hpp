#pragma once

#include <string_view>

namespace bursar { inline namespace scenarios {

/// The text of scenarios/examples/demo.yaml, built into the program for `bursar demo`.
std::string_view demo_scenario();

}} // namespace bursar::scenarios
