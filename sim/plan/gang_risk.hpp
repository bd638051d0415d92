#pragma once

#include "models/units/units.hpp"

namespace bursar { inline namespace sim {

/// How often an hour a pool takes nodes from gangs of one size, as a broker believes.
struct GangRisk {
    double failures{};
    double reclaims{};
    double maintenance{};
    Duration notice{}; ///< of reclaims
};

}} // namespace bursar::sim
