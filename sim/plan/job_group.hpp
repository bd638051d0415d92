#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Jobs of one shape whose order among themselves never changes, under a policy whose order does
/// (job_groups.hpp).
struct JobGroup {
    std::uint32_t begin{}; ///< the first of its positions
    std::uint32_t index{}; ///< among the groups of its shape
    std::uint64_t merit{}; ///< the part of its rank that never changes
    std::uint32_t level{}; ///< compared before the rank, least first
    std::uint32_t place{}; ///< the first of its places: like positions, but laid out by shape
    bool is_alone{};       ///< no other group has its level: its rank decides nothing
    StoredShapeId shape{};
    StoredTenantId tenant{};
};

}} // namespace bursar::sim
