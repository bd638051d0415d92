#pragma once

#include <algorithm>
#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/half_power.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// The weighted sum of a job's factors (policies/queue/multifactor.hpp).
struct MultifactorRule {
    static constexpr OrderTraits traits{.by = OrderBy::tenants};
    static constexpr bool reads_priority = true;

    std::uint64_t age_weight{};
    std::uint64_t size_weight{};
    std::uint64_t share_weight{};
    std::uint64_t priority_weight{};
    std::int64_t max_age_ms{1};
    UseMemory use_memory{};
    bool favors_small{};
    HalfPower half_power{};

    [[nodiscard]] BURSAR_HD UseMemory memory() const { return use_memory; }
    [[nodiscard]] BURSAR_HD bool follows_time() const { return true; }
    [[nodiscard]] BURSAR_HD bool reads_ages() const { return true; }

    /// The weighted factors that do not change with time.
    [[nodiscard]] auto merits(const Plan& plan) const {
        std::uint64_t fleet = 0;
        for (const PlanPool& pool : plan.pools)
            fleet += static_cast<std::uint64_t>(pool.num_gpus() * slots_per_gpu);
        std::int64_t lowest = 0;
        std::int64_t highest = 0;
        if (!plan.priority.empty()) {
            lowest = *std::ranges::min_element(plan.priority);
            highest = *std::ranges::max_element(plan.priority);
        }
        const auto range = static_cast<std::uint64_t>(std::max<std::int64_t>(1, highest - lowest));
        return [*this, fleet, lowest, range](const JobShape& shape, std::int32_t priority) {
            const std::uint64_t size =
                (static_cast<std::uint64_t>(shape.slots()) << factor_bits) / fleet;
            const auto above = static_cast<std::uint64_t>(priority - lowest);
            return size_weight * (favors_small ? one - size : size) +
                   priority_weight * ((above << factor_bits) / range);
        };
    }

    /// The weighted fair-share factor.
    [[nodiscard]] BURSAR_HD std::uint64_t
    share(const TenantUse& use, std::uint32_t weight, const FleetTotals& totals) const {
        constexpr unsigned shift = HalfPower::fraction_bits - TenantUse::average_bits;
        const uint128 ratio =
            (uint128{use.average} * totals.weight << shift) / (uint128{totals.slots} * weight);
        if (ratio == 0)
            return share_weight * one;
        if (ratio >> (HalfPower::fraction_bits + 6) != 0)
            return 0;
        return share_weight * (half_power(static_cast<std::uint64_t>(ratio)) >> (64 - factor_bits));
    }

    [[nodiscard]] BURSAR_HD std::uint64_t
    rank(std::uint64_t share, std::uint64_t merit, std::int64_t age_ms) const {
        const auto counted = static_cast<std::uint64_t>(age_ms < max_age_ms ? age_ms : max_age_ms);
        const std::uint64_t age = (counted << factor_bits) / static_cast<std::uint64_t>(max_age_ms);
        return ~(age_weight * age + share + merit);
    }

  private:
    static constexpr unsigned factor_bits = 24; ///< ages stay below 2^40
    static constexpr std::uint64_t one = std::uint64_t{1} << factor_bits;
};

}} // namespace bursar::policies
