#pragma once

#include <string>

namespace bursar { inline namespace tools {

/// Prints the `fleet:` of a scenario for an openb node list: a pool per GPU model and GPUs per
/// node, with prices left to fill in. Nodes without GPUs are left out. Throws ScenarioError.
void print_fleet_of_nodes(const std::string& file);

}} // namespace bursar::tools
