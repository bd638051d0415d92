#pragma once

#include <cstdint>
#include <limits>

namespace bursar { inline namespace sim {

/// Which jobs of its cohort a tenant may have stopped for a job within its nominal quota, among
/// those of tenants that borrow. The names are Kueue's (`reclaimWithinCohort`).
enum class Reclaim : std::uint8_t { never, lower_priority, any };

/// Which of its running jobs a tenant may have stopped for a job that waits (Kueue's
/// `withinClusterQueue`).
enum class PreemptWithin : std::uint8_t {
    never,
    lower_priority,
    lower_or_newer, ///< of a lower priority, or of the same one and submitted later
};

/// How a tenant lends and takes back quota.
struct PlanTenant {
    std::uint16_t cohort{}; ///< tenants of one cohort share unused quota, from 1; 0: is in none
    Reclaim reclaim{};
    PreemptWithin within{};
};

/// What a tenant may use of a pool, in slots.
struct TenantQuota {
    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;

    std::int64_t nominal{}; ///< >= 0
    std::int64_t borrow{};  ///< >= 0, at most that much more while others of its cohort leave it
    std::int64_t lend{};    ///< 0 .. nominal: what others may use of it
};

}} // namespace bursar::sim
