#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// A named fabric: its short form, and the size of its drawing.
struct NamedTopology {
    std::string name; ///< unique
    std::string summary;
    std::int64_t nodes{};         ///< of the drawing; a pool has its own number
    std::int64_t gpus_per_node{}; ///< of its original
    std::string gpu;              ///< of its original, a name of the catalogue of GPUs
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

/// A text of the same layout; messages name `file`. Throws ScenarioError.
Topologies read_topologies_text(std::string_view text, const std::string& file);

/// The keys of the short form: those of an entry of the catalogue of topologies.
Table<TopologySpec> short_form_keys();

/// A pool's `topology`: a name of the catalogue, a mapping in short form (`like` starts from such a
/// name), or `{file: ...}`.
struct TopologyRule {
    using value_type = TopologySpec;
    [[nodiscard]] std::optional<TopologySpec> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
