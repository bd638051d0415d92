#pragma once

#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of the short form alone: what an entry of the catalogue of topologies says.
Table<TopologySpec> short_form_keys();

/// A pool's `topology`: a name of the catalogue, a mapping in short form (which may start from such
/// a name with `like`), or `{file: ...}`.
struct TopologyRule {
    using value_type = TopologySpec;
    [[nodiscard]] std::optional<TopologySpec> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

}} // namespace bursar::scenarios
