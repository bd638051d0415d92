#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// GPUs that a tenant holds, now or on average, over its weight.
struct FairShareRule {
    static constexpr OrderTraits traits{.by = OrderBy::tenants};
    static constexpr bool reads_priority = false;

    UseMemory use_memory;

    [[nodiscard]] BURSAR_HD UseMemory memory() const { return use_memory; }
    [[nodiscard]] BURSAR_HD bool follows_time() const { return use_memory.half_life_ms > 0; }
    [[nodiscard]] BURSAR_HD bool reads_ages() const { return false; }
    [[nodiscard]] static auto merits(const Plan&) {
        return [](const JobShape&, std::int32_t) { return std::uint64_t{0}; };
    }

    [[nodiscard]] BURSAR_HD std::uint64_t
    share(const TenantUse& use, std::uint32_t weight, const FleetTotals&) const {
        return fraction_key(use.average, weight);
    }
    [[nodiscard]] BURSAR_HD std::uint64_t
    rank(std::uint64_t share, std::uint64_t /*merit*/, std::int64_t /*age_ms*/) const {
        return share;
    }
};

}} // namespace bursar::policies
