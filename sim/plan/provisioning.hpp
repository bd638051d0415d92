#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Which nodes go when a provider takes some back.
enum class ReclaimOrder : std::uint8_t {
    newest, ///< the last ones launched
    oldest, ///< the first ones launched
    random, ///< drawn by (seed, pool, node, launch)
};

/// How the nodes of a pool come and go. Where a plan has none, they are all there all the time.
///
/// `min_nodes` and what can be had (PlanPool::num_nodes) may change by events of the world. A node
/// is paid for from its launch to its end, for `min_paid_ms` at least, in steps of
/// PlanPool::billing_step.
struct PlanProvisioning {
    std::uint32_t first_nodes{}; ///< up at the zero; <= PlanPool::num_nodes
    std::uint32_t min_nodes{};   ///< launched whether anybody waits or not
    std::uint32_t warm_nodes{};  ///< kept idle beside what waiting jobs need; follows_queue
    bool is_fixed{true};         ///< always there, all of them: nothing else here matters
    bool follows_queue{};        ///< launches what waiting gangs need, whole gangs only
    bool cancels_boots{};        ///< a boot that no job waits for any more is called off
    ReclaimOrder reclaims{ReclaimOrder::newest};
    std::uint64_t reclaim_seed{};
    std::int64_t idle_timeout_ms{}; ///< a node that was idle this long ends; >= 0
    std::int64_t launch_every_ms{}; ///< launches at its multiples only; 0: at any instant
    std::uint32_t max_launches{};   ///< at one instant; 0: any number
    std::int64_t min_paid_ms{};     ///< >= 0
    /// Boot times: Plan::boot_ms[boot_begin + (node + launch * 0x9e3779b1) % 2^boot_bits].
    std::uint32_t boot_begin{};
    std::uint32_t boot_bits{};
    /// Launches that fail are tried again after this, twice this and so on, up to the most; > 0
    /// where launches may fail.
    std::int64_t retry_ms{};
    std::int64_t max_retry_ms{};
    /// Of a fixed pool: nodes kept aside, the last ones at first, that take the place of nodes that
    /// go down, which takes them so long.
    std::uint32_t spare_nodes{};
    std::int64_t takeover_ms{};
};

/// The most nodes that several pools may have launched together: what a provider allows, or a
/// region.
struct PlanQuota {
    std::uint64_t pools{}; ///< bit p: pool p counts
    std::uint32_t max_nodes{};
};

/// How jobs of a class fail by themselves on a pool. Rates in failures per 10^9 hours that a job
/// holds its GPUs: its start-up or recovery, its work and the saves in between.
struct OwnFailures {
    std::int64_t per_job{}; ///< >= 0
    std::int64_t per_gpu{}; ///< >= 0; for each GPU of the gang
    std::int64_t hold_ms{}; ///< for how long its GPUs are held until it is noticed; >= 0

    [[nodiscard]] BURSAR_HD std::int64_t rate(std::uint32_t gpus) const {
        return per_job + per_gpu * gpus;
    }
    bool operator==(const OwnFailures&) const = default;
};

}} // namespace bursar::sim
