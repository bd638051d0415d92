#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/topology/regular_fabric.hpp"

namespace bursar { inline namespace models {

/// Adds the devices of one node that `enclosure` is, and the links among them; the ports through
/// which it reaches the network: its adapters, in a torus its router.
///
/// domain: the switch of an NVLink domain that spans nodes, where there is one.
std::vector<std::uint32_t> add_node(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain);

}} // namespace bursar::models
