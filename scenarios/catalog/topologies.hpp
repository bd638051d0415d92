#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog/topology_spec.hpp"

namespace bursar { inline namespace scenarios {

/// A fabric by name: its short form, and the size it is drawn at.
struct NamedTopology {
    std::string name; ///< unique
    std::string summary;
    std::int64_t nodes{};         ///< of the drawing; a pool that takes it has its own
    std::int64_t gpus_per_node{}; ///< it was made for
    std::string gpu;              ///< it was made for, a name of the catalogue of GPUs
    TopologySpec spec;
    std::string source;
    std::string date; ///< the day the source was read
};

struct Topologies {
    std::vector<NamedTopology> all; ///< in the order of the file

    [[nodiscard]] const NamedTopology* find(std::string_view name) const; ///< null: none
    [[nodiscard]] std::vector<std::string> names() const;
};

/// The fabrics built into the program: scenarios/catalog/topologies.yaml.
const Topologies& builtin_topologies();

/// A file of the same layout; `file` is what messages call it. Throws ScenarioError.
Topologies read_topologies_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
