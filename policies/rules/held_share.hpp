#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/queues/tenant_use.hpp"
#include "sim/engine/setup/run_options.hpp"

#include "policies/rules/dominant_share.hpp"
#include "policies/rules/fair_share.hpp"

namespace bursar { inline namespace policies {

/// The share by which tenants' running jobs are stopped for others: of what they hold now, whether
/// the queue's order remembers the past or not.
struct HeldShare {
    [[nodiscard]] BURSAR_HD static std::uint64_t
    share(VictimRule rule, TenantUse use, std::uint32_t weight, const FleetTotals& totals) {
        if (rule == VictimRule::dominant_share)
            return DominantShareRule{}.share(use, weight, totals);
        use.average = use.slots << TenantUse::average_bits;
        return FairShareRule{}.share(use, weight, totals);
    }
};

}} // namespace bursar::policies
