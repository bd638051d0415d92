#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Which nodes a provider reclaims first.
enum class ReclaimOrder : std::uint8_t {
    newest, ///< the last ones launched
    oldest, ///< the first ones launched
    random, ///< drawn by (seed, pool, node, launch)
};

/// How the nodes of a pool come and go. In a plan without it, all nodes are always there.
///
/// Events of the world may change `min_nodes` and the number of nodes on offer
/// (PlanPool::num_nodes). A node is paid for from its launch to its end, for `min_paid_ms` at
/// least, in steps of PlanPool::billing_step.
struct PlanProvisioning {
    std::uint32_t first_nodes{}; ///< up at the zero; <= PlanPool::num_nodes
    std::uint32_t min_nodes{};   ///< launched even if no job waits
    std::uint32_t warm_nodes{};  ///< kept idle beside what waiting jobs need; follows_queue
    bool is_fixed{true};         ///< all nodes are always there; only the spares apply
    bool follows_queue{};        ///< launches what waiting gangs need, whole gangs only
    bool cancels_boots{};        ///< cancels a boot that no waiting job needs any more
    ReclaimOrder reclaims{ReclaimOrder::newest};
    std::uint64_t reclaim_seed{};
    std::int64_t idle_timeout_ms{}; ///< a node that was idle this long ends; >= 0
    std::int64_t launch_every_ms{}; ///< launches at its multiples only; 0: at any instant
    std::uint32_t max_launches{};   ///< at one instant; 0: any number
    std::int64_t min_paid_ms{};     ///< >= 0
    /// Boot times: Plan::boot_ms[boot_begin + (node + launch * 0x9e3779b1) % 2^boot_bits].
    std::uint32_t boot_begin{};
    std::uint32_t boot_bits{};
    /// Failed launches are retried after retry_ms, twice that and so on, up to max_retry_ms; > 0
    /// where launches may fail.
    std::int64_t retry_ms{};
    std::int64_t max_retry_ms{};
    /// Spare nodes of a fixed pool, at first its last ones. They replace nodes that go down, after
    /// takeover_ms.
    std::uint32_t spare_nodes{};
    std::int64_t takeover_ms{};
};

/// The most nodes that several pools together may have launched: the limit of a provider or region.
struct PlanQuota {
    std::uint64_t pools{}; ///< bit p: pool p counts
    std::uint32_t max_nodes{};
};

/// How jobs of a class fail by their own fault on a pool. Rates in failures per 10^9 hours of
/// start-up, recovery, work and the saves in between.
struct OwnFailures {
    std::int64_t per_job{}; ///< >= 0
    std::int64_t per_gpu{}; ///< >= 0; for each GPU of the gang
    std::int64_t hold_ms{}; ///< time until the failure is noticed and the GPUs released; >= 0

    [[nodiscard]] BURSAR_HD std::int64_t rate(std::uint32_t gpus) const {
        return per_job + per_gpu * gpus;
    }
    bool operator==(const OwnFailures&) const = default;
};

}} // namespace bursar::sim
