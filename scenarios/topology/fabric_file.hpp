#pragma once

#include <string>
#include <string_view>

#include "scenarios/topology/pool_fabric.hpp"

namespace bursar { inline namespace scenarios {

/// A fabric from its file: a graph of devices and links (scenarios/topology/README.md).
/// Throws ScenarioError with every mistake that could be found and its place.
PoolFabric read_fabric(const std::string& path);

/// The same of a text that messages call `file`.
PoolFabric read_fabric_text(std::string_view text, const std::string& file);

/// Whether a file says of itself that it is a fabric (the key `bursar-fabric`). Throws
/// ScenarioError where it is not a document at all, or an empty one.
bool is_fabric_file(const std::string& path);

}} // namespace bursar::scenarios
