#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/queues/half_power.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Totals of a fleet, and the sum of weights by which it is shared.
struct FleetTotals {
    std::uint64_t slots{};
    std::uint64_t cpu_milli{};  ///< 0: unlimited
    std::uint64_t memory_mib{}; ///< 0: unlimited
    std::uint64_t weight{};     ///< sum over all tenants
};

BURSAR_HD inline FleetTotals fleet_totals(const PlanView& plan) {
    FleetTotals totals;
    for (std::uint32_t p = 0; p < plan.num_pools; ++p) {
        const PlanPool& pool = plan.pools[p];
        totals.slots += static_cast<std::uint64_t>(pool.num_gpus() * slots_per_gpu);
        totals.cpu_milli += std::uint64_t{pool.num_nodes} * pool.cpu_milli;
        totals.memory_mib += std::uint64_t{pool.num_nodes} * pool.memory_mib;
    }
    for (TenantId tenant{0}; tenant < plan.num_tenants; ++tenant)
        totals.weight += plan.weight(tenant);
    return totals;
}

/// Current use of one tenant, and its decayed average.
struct TenantUse {
    std::uint64_t slots{};
    std::uint64_t cpu_milli{};
    std::uint64_t memory_mib{};
    /// Past use in slots, older use counting less; in units of 2^-22 slot. Equal to `slots` if past
    /// use does not count.
    std::uint64_t average{};

    static constexpr unsigned average_bits = 22; ///< 64 pools hold less than 2^41 slots
};

/// How long past use counts.
struct UseMemory {
    std::int64_t half_life_ms{}; ///< 0: not at all
    std::int64_t period_ms{1};   ///< averages are updated at multiples of this, > 0
};

/// Current and past use of all tenants. Averages decay by half in each half-life and are updated
/// once per period (Slurm's PriorityDecayHalfLife and PriorityCalcPeriod):
///
///     average <- mean + (average - mean) 2^(-period / half-life)
///
/// where `mean` is what the tenant held on average during the period. The product is truncated
/// toward `mean`: a step errs by less than one unit, all steps together by less than 1 / (1 -
/// 2^(-period / half-life)) units, which is 0.0007 slots with Slurm's 5 min and 7 d.
class TenantUses {
  public:
    TenantUses() = default;
    BURSAR_HD
    TenantUses(ArenaCarver& carver, std::uint32_t num_tenants, const UseMemory& memory)
        : memory_{memory}, num_tenants_{num_tenants}, rows_{carver.take<Row>(num_tenants)} {
        if (remembers())
            one_period_ = decay_over(1);
    }

    BURSAR_HD void clear() {
        for (TenantId tenant{0}; tenant < num_tenants_; ++tenant)
            rows_[tenant] = {};
        now_ms_ = period_begin_ms_ = 0;
    }

    [[nodiscard]] BURSAR_HD bool remembers() const { return memory_.half_life_ms > 0; }
    [[nodiscard]] BURSAR_HD const TenantUse& operator[](TenantId tenant) const {
        return rows_[tenant].use;
    }
    /// The last multiple of the period that has passed.
    [[nodiscard]] BURSAR_HD std::int64_t period_begin_ms() const { return period_begin_ms_; }

    /// The next multiple of the period.
    [[nodiscard]] BURSAR_HD std::int64_t period_end_ms() const {
        return period_begin_ms_ + memory_.period_ms;
    }

    /// Sets the time. Returns whether a period ended, so that averages have changed.
    BURSAR_HD bool advance(std::int64_t now_ms) {
        now_ms_ = now_ms;
        if (now_ms - period_begin_ms_ < memory_.period_ms)
            return false;
        const std::int64_t periods = (now_ms - period_begin_ms_) / memory_.period_ms;
        if (remembers())
            renew_averages(periods);
        period_begin_ms_ += periods * memory_.period_ms;
        return true;
    }

    BURSAR_HD void add(TenantId tenant, const JobShape& shape) {
        settle(rows_[tenant]);
        TenantUse& use = rows_[tenant].use;
        use.slots += static_cast<std::uint64_t>(shape.slots());
        use.cpu_milli += shape.cpu_milli;
        use.memory_mib += shape.memory_mib;
        follow(use);
    }

    BURSAR_HD void remove(TenantId tenant, const JobShape& shape) {
        settle(rows_[tenant]);
        TenantUse& use = rows_[tenant].use;
        assert(use.slots >= static_cast<std::uint64_t>(shape.slots()));
        use.slots -= static_cast<std::uint64_t>(shape.slots());
        use.cpu_milli -= shape.cpu_milli;
        use.memory_mib -= shape.memory_mib;
        follow(use);
    }

  private:
    struct Row {
        TenantUse use;
        uint128 slot_ms{};           ///< held in this period until `settled_ms`
        std::int64_t settled_ms{-1}; ///< if before the period's begin: nothing changed in it
    };

    BURSAR_HD void follow(TenantUse& use) const {
        if (!remembers())
            use.average = use.slots << TenantUse::average_bits;
    }

    /// Adds the use up to now to this period.
    BURSAR_HD void settle(Row& row) const {
        if (!remembers())
            return;
        if (row.settled_ms < period_begin_ms_) {
            row.settled_ms = period_begin_ms_;
            row.slot_ms = 0;
        }
        row.slot_ms +=
            uint128{row.use.slots} * static_cast<std::uint64_t>(now_ms_ - row.settled_ms);
        row.settled_ms = now_ms_;
    }

    /// Ends the current period, and `periods` - 1 more in which nothing changed.
    BURSAR_HD void renew_averages(std::int64_t periods) {
        const std::int64_t end_ms = period_begin_ms_ + memory_.period_ms;
        const std::uint64_t later = periods > 1 ? decay_over(periods - 1) : 0;
        for (TenantId tenant{0}; tenant < num_tenants_; ++tenant) {
            Row& row = rows_[tenant];
            const std::uint64_t held = row.use.slots << TenantUse::average_bits;
            std::uint64_t mean = held;
            if (row.settled_ms >= period_begin_ms_) {
                const uint128 slot_ms =
                    row.slot_ms +
                    uint128{row.use.slots} * static_cast<std::uint64_t>(end_ms - row.settled_ms);
                mean = static_cast<std::uint64_t>((slot_ms << TenantUse::average_bits) /
                                                  static_cast<std::uint64_t>(memory_.period_ms));
            }
            row.use.average = toward(row.use.average, mean, one_period_);
            if (periods > 1)
                row.use.average = toward(row.use.average, held, later);
        }
    }

    BURSAR_HD static std::uint64_t
    toward(std::uint64_t from, std::uint64_t to, std::uint64_t factor) {
        return from > to ? to + HalfPower::times(from - to, factor)
                         : to - HalfPower::times(to - from, factor);
    }

    [[nodiscard]] BURSAR_HD std::uint64_t decay_over(std::int64_t periods) const {
        const auto ms = static_cast<std::uint64_t>(periods * memory_.period_ms);
        const uint128 half_lives = (uint128{ms} << HalfPower::fraction_bits) /
                                   static_cast<std::uint64_t>(memory_.half_life_ms);
        return half_lives == 0 ? ~std::uint64_t{0} : power_(static_cast<std::uint64_t>(half_lives));
    }

    UseMemory memory_;
    HalfPower power_;
    std::uint64_t one_period_{};
    std::uint32_t num_tenants_{};
    Row* rows_{};
    std::int64_t now_ms_{};
    std::int64_t period_begin_ms_{};
};

/// Tenants whose jobs must be ranked again before the next read. Several changes between reads cost
/// one ranking.
class StaleTenants {
  public:
    StaleTenants() = default;
    BURSAR_HD StaleTenants(ArenaCarver& carver, std::uint32_t num_tenants)
        : num_tenants_{num_tenants}, list_{carver.take<TenantId>(num_tenants)},
          listed_{carver.take<bool>(num_tenants)} {}

    /// Marks all tenants: nothing has been ranked yet.
    BURSAR_HD void clear() {
        num_listed_ = 0;
        for (TenantId tenant{0}; tenant < num_tenants_; ++tenant) {
            list_[num_listed_++] = tenant;
            listed_[tenant] = true;
        }
    }

    [[nodiscard]] BURSAR_HD bool has(TenantId tenant) const { return listed_[tenant]; }
    BURSAR_HD void add(TenantId tenant) {
        if (listed_[tenant])
            return;
        listed_[tenant] = true;
        list_[num_listed_++] = tenant;
    }
    /// Removes each, unsorted, and calls `act(tenant)`.
    template <class Act>
    BURSAR_HD void take_all(const Act& act) {
        while (num_listed_ > 0) {
            const TenantId tenant = list_[--num_listed_];
            listed_[tenant] = false;
            act(tenant);
        }
    }

  private:
    std::uint32_t num_tenants_{};
    std::uint32_t num_listed_{};
    TenantId* list_{};
    bool* listed_{};
};

}} // namespace bursar::sim
