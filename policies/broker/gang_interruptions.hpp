#pragma once

#include <cstdint>
#include <optional>

#include "models/units/physics.hpp"

#include "sim/plan/plan.hpp"

namespace bursar::inline policies {

/// How often a gang loses a node of its pool, and how long before it is told.
struct GangInterruptions {
    std::optional<Seconds> mtbf; ///< between two, of the gang; absent: there are none
    Duration notice{};           ///< the least of any; 0: some come without
};

/// Counted over the world of a plan. Which nodes go is taken to be drawn anew each time, so that
/// nodes that go together interrupt a gang once. pool: of the plan. nodes: of the gang, >= 1.
[[nodiscard]] GangInterruptions
gang_interruptions(const Plan& plan, std::size_t pool, std::uint32_t nodes);

} // namespace bursar::inline policies
