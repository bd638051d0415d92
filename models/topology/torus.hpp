#pragma once

#include "models/topology/regular_fabric.hpp"

namespace bursar { inline namespace models {

/// Throws ModelError for a torus or tiles that do not go with the other members of `spec`.
void check_torus(const RegularFabric& spec);

/// The graph of a torus: every node's router is joined to the next one of each side, round the end
/// (a side of 2 has one link, not two). Precondition: check_torus passed.
Fabric make_torus(const RegularFabric& spec);

}} // namespace bursar::models
