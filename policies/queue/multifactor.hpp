#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/half_power.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

#include "policies/option.hpp"

namespace bursar {

/// Serves the job of the highest sum of weighted factors, each from 0 to 1; ties by submit order:
///
///   age         time since submit over max_age, 1 from then on
///   size        GPUs over those of the fleet; favor small: 1 minus that
///   fair share  2^-(U / S), U: the tenant's share of the fleet's GPUs, decayed by half-lives, S:
///   its
///               weight over the sum of weights; 1/2 for who uses exactly its share
///   priority    the job's own, from the lowest of the plan to the highest
///
/// Factors are in units of 2^-24, cut off. Ages and use are renewed at the end of each period; jobs
/// that come in between have age 0. Differs from Slurm in U being a share of what there is, not of
/// what was used: the same where the fleet is busy.
/// Source: SchedMD, Slurm's priority/multifactor plug-in (classic fair share), whose documented
/// example gives the default weights.
struct Multifactor {
    static constexpr std::string_view name = "multifactor";
    static constexpr std::string_view summary =
        "highest weighted sum of age, size, fair share and the job's own priority first";
    static constexpr std::string_view cost =
        "as fair-share; once a period log(tenants) for each tenant and gang shape";
    static constexpr std::string_view source = "Slurm, priority/multifactor";
    static constexpr OrderTraits traits{.by = OrderBy::tenants};
    static constexpr std::int64_t most_weight = 1'000'000;
    static constexpr OptionInfo options[]{
        {"age",
         OptionKind::count,
         {1000},
         "weight of the time since submit",
         false,
         0,
         most_weight},
        {"size", OptionKind::count, {1000}, "weight of the gang's size", false, 0, most_weight},
        {"fair_share",
         OptionKind::count,
         {10'000},
         "weight of how little the tenant used of its share",
         false,
         0,
         most_weight},
        {"priority",
         OptionKind::count,
         {1000},
         "weight of the job's own priority",
         false,
         0,
         most_weight},
        {"max_age", OptionKind::duration, {7 * day.count()}, "age counts up to this", false, 1},
        {"half_life",
         OptionKind::duration,
         {7 * day.count()},
         "past use counts half after this long; 0: only what is held now counts"},
        {"period",
         OptionKind::duration,
         {5 * minute.count()},
         "how often ages and past use are brought up to date",
         false,
         1},
        {"favor",
         OptionKind::choice,
         {0},
         "which gangs size favours",
         false,
         0,
         1,
         {"large", "small"}},
    };
    static constexpr bool reads_priority = true;

    std::uint64_t age_weight{};
    std::uint64_t size_weight{};
    std::uint64_t share_weight{};
    std::uint64_t priority_weight{};
    std::int64_t max_age_ms{1};
    UseMemory use_memory{};
    bool favors_small{};
    HalfPower half_power{};

    static Multifactor from(const PolicyOptions& given) {
        const auto weight = [&](std::size_t i) {
            return static_cast<std::uint64_t>(given.value(options[i]));
        };
        return {weight(0),
                weight(1),
                weight(2),
                weight(3),
                given.value(options[4]),
                {given.value(options[5]), given.value(options[6])},
                given.value(options[7]) == 1,
                {}};
    }

    [[nodiscard]] BURSAR_HD UseMemory memory() const { return use_memory; }
    [[nodiscard]] BURSAR_HD bool follows_time() const { return true; }

    /// The weighted factors that no time changes.
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

} // namespace bursar
