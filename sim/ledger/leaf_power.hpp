#pragma once

#include <cstdint>

#include "sim/ledger/leaf.hpp"

namespace bursar { inline namespace sim {

/// What a GPU draws while its time goes to a leaf.
enum class PowerState : std::uint8_t {
    off,  ///< no node is there, or it sleeps
    idle, ///< no job holds it
    busy, ///< a job holds it, whatever it does there: starts, works, stalls, saves or hangs
};

/// Depends only on what holds the GPU, so that hours, jobs and leaves add up to the same energy.
constexpr PowerState power_state(Leaf leaf) {
    if (leaf == Leaf::unavail_reserved_unlaunched || leaf == Leaf::unavail_asleep)
        return PowerState::off;
    const LeafGroup group = group_of(leaf);
    const bool is_held = group != LeafGroup::unavailable && group != LeafGroup::idle;
    return is_held ? PowerState::busy : PowerState::idle;
}

}} // namespace bursar::sim
