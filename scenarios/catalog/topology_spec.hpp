#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "scenarios/reader/read_values.hpp"

namespace bursar { inline namespace scenarios {

/// Size of a group of nodes: a number of nodes, or of racks.
struct GroupSize {
    std::int64_t count{}; ///< >= 1
    bool in_racks{};
};

/// Bandwidth from a group of nodes upward: a rate, or the bandwidth inside over this ratio.
struct Uplink {
    std::optional<ByteRate> rate;
    double oversubscription{1}; ///< > 0; meaningful without a rate
};

/// A pool's topology as written. Missing parts follow from the pool: its GPUs' own
/// links, the usual adapters, one switch above all nodes.
struct TopologySpec {
    std::string file;                    ///< an explicit graph; empty: the short form below
    std::optional<std::int64_t> nvlink;  ///< GPUs of a domain; 0: none
    std::optional<ByteRate> nvlink_link; ///< of one GPU
    std::optional<ByteRate> pcie_link;   ///< of one GPU
    std::optional<std::int64_t> rails;
    std::optional<ByteRate> node_link; ///< of one node; torus: to one neighbour
    std::optional<GroupSize> rack;
    std::optional<Uplink> rack_link;
    std::optional<GroupSize> pod;
    std::optional<Uplink> pod_link;
    std::vector<std::int64_t> torus;
    std::vector<std::int64_t> tile;
    /// By key; "" is the whole topology.
    std::map<std::string, Written, std::less<>> written;
};

}} // namespace bursar::scenarios
