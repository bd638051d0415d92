#pragma once

#include <string>
#include <string_view>

#include "scenarios/topology/pool_fabric.hpp"

namespace bursar { inline namespace scenarios {

/// A fabric from its file: a graph of devices and links (scenarios/topology/README.md).
/// Throws ScenarioError with every mistake that could be found and its place.
PoolFabric read_fabric(const std::string& path);

/// The same for a text; messages name `file`.
PoolFabric read_fabric_text(std::string_view text, const std::string& file);

/// Whether a file is a fabric (it has the key `bursar-fabric`). Throws
/// ScenarioError if it is no document, or an empty one.
bool is_fabric_file(const std::string& path);

}} // namespace bursar::scenarios
