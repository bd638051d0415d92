#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/topology/level_rates.hpp"
#include "models/topology/locality.hpp"
#include "models/training/job/cluster.hpp"

namespace bursar { inline namespace models {

/// The cluster of a gang of `gang` GPUs placed at locality level `level`: its narrowest enclosing
/// group is of that level.
///
/// Its traffic crosses every level too narrow for it, each filled completely, and level `level`.
/// Levels in between that could have held it are skipped, as their groups were occupied. The
/// innermost level is the NVLink domain (else the node); a gang that would fit into one but is
/// spread is assumed to lie in two halves.
///
/// level: not narrower than locality.narrowest_for(gang). rates: level_rates of `locality`; the
/// bisection is a GPU's share of a level. gang: >= 1. Throws UnknownFact where the GPU states no
/// scale-up link and its domains have several.
Cluster fabric_cluster(const Gpu& gpu,
                       const Locality& locality,
                       std::span<const LevelRates> rates,
                       std::int64_t gang,
                       std::size_t level);

}} // namespace bursar::models
