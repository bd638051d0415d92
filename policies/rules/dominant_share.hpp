#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// The largest of a tenant's shares of GPUs, CPU and memory, over its weight.
struct DominantShareRule {
    static constexpr OrderTraits traits{.by = OrderBy::tenants};
    static constexpr bool reads_priority = false;

    [[nodiscard]] BURSAR_HD UseMemory memory() const { return {}; }
    [[nodiscard]] BURSAR_HD bool follows_time() const { return false; }
    [[nodiscard]] BURSAR_HD bool reads_ages() const { return false; }
    [[nodiscard]] static auto merits(const Plan&) {
        return [](const JobShape&, std::int32_t) { return std::uint64_t{0}; };
    }

    [[nodiscard]] BURSAR_HD std::uint64_t
    share(const TenantUse& use, std::uint32_t weight, const FleetTotals& totals) const {
        std::uint64_t held = use.slots; // of the resource that is dominant so far
        std::uint64_t all = totals.slots;
        const auto compare = [&](std::uint64_t other_held, std::uint64_t other_all) {
            if (uint128{other_held} * all > uint128{held} * other_all) {
                held = other_held;
                all = other_all;
            }
        };
        if (totals.cpu_milli > 0)
            compare(use.cpu_milli, totals.cpu_milli);
        if (totals.memory_mib > 0)
            compare(use.memory_mib, totals.memory_mib);
        return fraction_key(held, uint128{all} * weight);
    }
    [[nodiscard]] BURSAR_HD std::uint64_t
    rank(std::uint64_t share, std::uint64_t /*merit*/, std::int64_t /*age_ms*/) const {
        return share;
    }
};

}} // namespace bursar::policies
