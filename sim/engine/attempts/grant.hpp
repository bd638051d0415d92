#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The capacity a gang was given: one pool, and where on it (a handle of the capacity that gave
/// it).
struct Grant {
    StoredPoolId pool{};
    std::uint16_t level{}; ///< locality level of its nodes; 0 where the plan has one level
    std::uint32_t first_piece{};
};

}} // namespace bursar::sim
