#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Where a paid slot-millisecond went. Every paid slot at every instant is in exactly one leaf.
/// The order is the order of reports; the first match wins when several would fit.
enum class Leaf : std::uint8_t {
    unavail_reserved_unlaunched, ///< capacity billed, no node started
    unavail_provisioning,        ///< boot, image pull, join, burn-in
    unavail_down,                ///< fault until back in service
    unavail_maintenance,         ///< planned work
    unavail_asleep,              ///< powered down by policy
    unavail_spare,               ///< healthy, kept aside
    idle_no_demand,              ///< nothing pending could use it
    idle_ineligible,             ///< only jobs not permitted here are pending
    idle_fragmented,  ///< a permitted job is small enough, but shape or topology stops it
    idle_gang,        ///< held for, or too few for, a named job
    idle_latency,     ///< a placement exists now and has not happened yet
    over_startup,     ///< first start of an attempt
    over_checkpoint,  ///< blocking part of saving state
    over_recovery,    ///< load and re-initialise after an interruption
    over_hang,        ///< held after a fault that is not noticed yet
    over_teardown,    ///< final save, cleanup, epilogue
    stall_input,      ///< waiting for data
    stall_comm,       ///< communication not hidden by compute
    stall_bubble,     ///< pipeline bubble, imbalance inside the step
    stall_sync,       ///< waiting for the slowest peer
    stall_no_work,    ///< allocated, no work given to it
    lost_failure,     ///< steps thrown away because of a fault
    lost_preempt,     ///< ... because of preemption, eviction or reclaim
    lost_job_failed,  ///< steps of a job that ends in failure
    lost_cancelled,   ///< steps of a job cancelled by its user
    lost_duplicate,   ///< redundant execution not used
    prod_useful,      ///< steps whose result was kept
    prod_surplus,     ///< kept, but past convergence
    prod_uncommitted, ///< done, not yet durable at the end of the run
    // In the order in which they came:
    lost_stopped,       ///< work of trials that a stopping rule ended
    stall_interference, ///< slower because another job shares the GPUs
};

inline constexpr std::size_t num_leaves = 31;

/// Name of each leaf in reports: "group.leaf".
inline constexpr std::array<std::string_view, num_leaves> leaf_names{"unavail.reserved_unlaunched",
                                                                     "unavail.provisioning",
                                                                     "unavail.down",
                                                                     "unavail.maintenance",
                                                                     "unavail.asleep",
                                                                     "unavail.spare",
                                                                     "idle.no_demand",
                                                                     "idle.ineligible",
                                                                     "idle.fragmented",
                                                                     "idle.gang",
                                                                     "idle.latency",
                                                                     "over.startup",
                                                                     "over.checkpoint",
                                                                     "over.recovery",
                                                                     "over.hang",
                                                                     "over.teardown",
                                                                     "stall.input",
                                                                     "stall.comm",
                                                                     "stall.bubble",
                                                                     "stall.sync",
                                                                     "stall.no_work",
                                                                     "lost.failure",
                                                                     "lost.preempt",
                                                                     "lost.job_failed",
                                                                     "lost.cancelled",
                                                                     "lost.duplicate",
                                                                     "prod.useful",
                                                                     "prod.surplus",
                                                                     "prod.uncommitted",
                                                                     "lost.stopped",
                                                                     "stall.interference"};

/// The six groups of leaves: Paid = U + I + O + S + L + P.
enum class LeafGroup : std::uint8_t { unavailable, idle, overhead, stalled, lost, productive };

BURSAR_HD constexpr LeafGroup group_of(Leaf leaf) {
    if (leaf <= Leaf::unavail_spare)
        return LeafGroup::unavailable;
    if (leaf <= Leaf::idle_latency)
        return LeafGroup::idle;
    if (leaf <= Leaf::over_teardown)
        return LeafGroup::overhead;
    if (leaf <= Leaf::stall_no_work)
        return LeafGroup::stalled;
    if (leaf <= Leaf::lost_duplicate)
        return LeafGroup::lost;
    if (leaf == Leaf::stall_interference)
        return LeafGroup::stalled;
    return leaf == Leaf::lost_stopped ? LeafGroup::lost : LeafGroup::productive;
}

constexpr std::string_view name_of(Leaf leaf) {
    return leaf_names[static_cast<std::size_t>(leaf)];
}

}} // namespace bursar::sim
