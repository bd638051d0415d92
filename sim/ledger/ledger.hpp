#pragma once

#include <cassert>
#include <cstdint>

#include "models/market/billing.hpp"
#include "models/units/units.hpp"

#include "sim/arena/arena.hpp"
#include "sim/ledger/held_time.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Books the part of [begin, end) inside the measurement window, on a Ledger or TimeLedger.
template <class Books>
[[gnu::always_inline]] BURSAR_HD inline void book_inside(Books& books,
                                                         PoolId pool,
                                                         TenantId tenant,
                                                         Leaf leaf,
                                                         std::int64_t slots,
                                                         std::int64_t begin_ms,
                                                         std::int64_t end_ms) {
    begin_ms = books.begin_inside(begin_ms);
    end_ms = books.end_inside(end_ms);
    if (slots != 0 && begin_ms < end_ms)
        books.book(pool, tenant, leaf, slots, books.held(pool, begin_ms, end_ms));
}

/// Every slot-millisecond of a run, in cells by pool, tenant and leaf; exact.
///
/// Only time inside the plan's measurement window counts. Tenant `num_tenants` stands for no
/// tenant: idle and unavailable capacity.
class TimeLedger {
  public:
    using Held = Duration;

    TimeLedger() = default;
    BURSAR_HD TimeLedger(ArenaCarver& carver, const PlanView& plan)
        : num_tenants_{plan.num_tenants}, window_begin_ms_{plan.window_begin_ms},
          window_end_ms_{plan.window_end_ms}, num_cells_{num_cells(plan)},
          cells_{carver.take<SlotTime>(num_cells_)} {}

    BURSAR_HD static std::size_t num_cells(const PlanView& plan) {
        return std::size_t{plan.num_pools} * (plan.num_tenants + 1) * num_leaves;
    }

    BURSAR_HD void clear() {
        for (std::size_t i = 0; i < num_cells_; ++i)
            cells_[i] = SlotTime{};
    }

    [[nodiscard]] BURSAR_HD TenantId no_tenant() const { return TenantId{num_tenants_}; }

    /// Books `slots` slots held over [begin, end).
    BURSAR_HD void charge_slots(PoolId pool,
                                TenantId tenant,
                                Leaf leaf,
                                std::int64_t slots,
                                std::int64_t begin_ms,
                                std::int64_t end_ms) {
        book_inside(*this, pool, tenant, leaf, slots, begin_ms, end_ms);
    }

    /// Where the part of a stretch begins, and ends, that counts.
    [[nodiscard]] BURSAR_HD std::int64_t begin_inside(std::int64_t begin_ms) const {
        return begin_ms < window_begin_ms_ ? window_begin_ms_ : begin_ms;
    }
    [[nodiscard]] BURSAR_HD std::int64_t end_inside(std::int64_t end_ms) const {
        return end_ms > window_end_ms_ ? window_end_ms_ : end_ms;
    }

    /// A stretch that counts from its beginning to its end.
    [[nodiscard]] BURSAR_HD Duration held(PoolId /*pool*/,
                                          std::int64_t begin_ms,
                                          std::int64_t end_ms) const {
        return Duration{end_ms - begin_ms};
    }

    /// Books `slots` slots held for time that counts.
    BURSAR_HD void
    book(PoolId pool, TenantId tenant, Leaf leaf, std::int64_t slots, Duration held) {
        cells_[cell(pool, tenant, leaf)] += slot_time(slots, held);
    }

    [[nodiscard]] BURSAR_HD std::size_t cell(PoolId pool, TenantId tenant, Leaf leaf) const {
        return (std::size_t{pool} * (num_tenants_ + 1) + tenant) * num_leaves +
               static_cast<std::size_t>(leaf);
    }
    [[nodiscard]] BURSAR_HD std::size_t num_cells() const { return num_cells_; }

    [[nodiscard]] BURSAR_HD const SlotTime* cells() const { return cells_; }

  private:
    std::uint32_t num_tenants_{};
    std::int64_t window_begin_ms_{};
    std::int64_t window_end_ms_{};
    std::size_t num_cells_{};
    SlotTime* cells_{};
};

class BucketLedger;

/// Every slot-millisecond of a run and every dollar that it costs.
///
/// Money follows from time where the rate of a pool is constant. If the price of any pool varies,
/// each cell of time has a cell of money, and every booking goes to both. The same holds for carbon
/// if the intensity of any grid varies: one run books all meters.
/// A BucketLedger, if given, receives the same bookings with their time (on the host only).
class Ledger {
  public:
    using Held = HeldTime;

    Ledger() = default;
    BURSAR_HD Ledger(ArenaCarver& carver, const PlanView& plan)
        : time_{carver, plan}, prices_{plan.prices}, intensities_{plan.grid},
          money_{plan.prices.vary() ? carver.take<Money>(num_cells(plan)) : nullptr},
          grid_{plan.grid.is_on() ? carver.take<GridTime>(num_cells(plan)) : nullptr} {
        book_into(nullptr);
    }

    BURSAR_HD static std::size_t num_cells(const PlanView& plan) {
        return TimeLedger::num_cells(plan);
    }

    BURSAR_HD void clear() {
        time_.clear();
        for (std::size_t i = 0; has_money() && i < time_.num_cells(); ++i)
            money_[i] = Money{};
        for (std::size_t i = 0; has_grid() && i < time_.num_cells(); ++i)
            grid_[i] = GridTime{};
    }

    [[nodiscard]] BURSAR_HD TenantId no_tenant() const { return time_.no_tenant(); }
    /// Whether more than time by cell is kept: a meter, or buckets.
    [[nodiscard]] BURSAR_HD bool is_detailed() const { return is_detailed_; }

    /// From now on also books everything into `buckets`, which must outlive the ledger.
    BURSAR_HD void book_into(BucketLedger* buckets) {
        buckets_ = buckets;
        is_detailed_ = has_money() || has_grid() || buckets != nullptr;
    }
    /// Receives the same bookings; may be null.
    [[nodiscard]] BucketLedger* buckets() const { return buckets_; }

    /// Books `gpus` GPUs held over [begin, end).
    BURSAR_HD void charge(PoolId pool,
                          TenantId tenant,
                          Leaf leaf,
                          std::int64_t gpus,
                          std::int64_t begin_ms,
                          std::int64_t end_ms) {
        charge_slots(pool, tenant, leaf, gpus * slots_per_gpu, begin_ms, end_ms);
    }

    /// Books `slots` slots held over [begin, end).
    BURSAR_HD void charge_slots(PoolId pool,
                                TenantId tenant,
                                Leaf leaf,
                                std::int64_t slots,
                                std::int64_t begin_ms,
                                std::int64_t end_ms) {
        if (is_detailed()) [[unlikely]]
            return charge_in_detail(pool, tenant, leaf, slots, begin_ms, end_ms);
        time_.charge_slots(pool, tenant, leaf, slots, begin_ms, end_ms);
    }

    /// The part that keeps time, for fast paths where nothing else is kept. Functions with a
    /// parameter `Books` take either; both have Held, charge_slots, held, book, begin_inside,
    /// end_inside. Precondition: !is_detailed().
    [[nodiscard]] BURSAR_HD TimeLedger& time_alone() {
        assert(!is_detailed());
        return time_;
    }

    /// Where the part of a stretch begins, and ends, that counts.
    [[nodiscard]] BURSAR_HD std::int64_t begin_inside(std::int64_t begin_ms) const {
        return time_.begin_inside(begin_ms);
    }
    [[nodiscard]] BURSAR_HD std::int64_t end_inside(std::int64_t end_ms) const {
        return time_.end_inside(end_ms);
    }

    /// A stretch that counts from its beginning to its end.
    [[nodiscard]] BURSAR_HD HeldTime held(PoolId pool,
                                          std::int64_t begin_ms,
                                          std::int64_t end_ms) const {
        HeldTime out{end_ms - begin_ms};
        if (has_money()) [[unlikely]]
            out.cost = cost_of_slot(pool, begin_ms, end_ms);
        if (has_grid()) [[unlikely]]
            out.grid = grid_of_slot(pool, begin_ms, end_ms);
        return out;
    }

    /// Books `slots` slots held for time that counts. The BucketLedger does not get it: the caller
    /// knows over which stretch that was.
    BURSAR_HD void
    book(PoolId pool, TenantId tenant, Leaf leaf, std::int64_t slots, const HeldTime& held) {
        time_.book(pool, tenant, leaf, slots, Duration{held.ms});
        if (has_money()) [[unlikely]]
            money_[time_.cell(pool, tenant, leaf)] += held.cost * slots;
        if (has_grid()) [[unlikely]]
            grid_[time_.cell(pool, tenant, leaf)] += held.grid * slots;
    }

    [[nodiscard]] BURSAR_HD std::size_t cell(PoolId pool, TenantId tenant, Leaf leaf) const {
        return time_.cell(pool, tenant, leaf);
    }
    [[nodiscard]] BURSAR_HD const SlotTime* cells() const { return time_.cells(); }
    /// One per cell; zero in pools whose price is constant. Null if all prices are constant.
    [[nodiscard]] BURSAR_HD const Money* money() const { return money_; }
    /// The same of the intensity of grids.
    [[nodiscard]] BURSAR_HD const GridTime* grid() const { return grid_; }

  private:
    [[nodiscard]] BURSAR_HD bool has_money() const { return money_ != nullptr; }
    [[nodiscard]] BURSAR_HD bool has_grid() const { return grid_ != nullptr; }

    /// Zero where the price is constant.
    [[nodiscard]] BURSAR_HD Money cost_of_slot(PoolId pool,
                                               std::int64_t begin_ms,
                                               std::int64_t end_ms) const {
        if (!prices_.varies(pool))
            return {};
        return prices_.of(pool).between(Duration{begin_ms}, Duration{end_ms});
    }
    /// The same of its grid. Precondition: has_grid().
    [[nodiscard]] BURSAR_HD GridTime grid_of_slot(PoolId pool,
                                                  std::int64_t begin_ms,
                                                  std::int64_t end_ms) const {
        if (!intensities_.has(pool))
            return {};
        return GridTime{
            intensities_.of(pool).between(Duration{begin_ms}, Duration{end_ms}).count()};
    }

    // Out of line, so that the loop of a run that keeps time alone stays small.
    [[gnu::noinline, gnu::cold]] BURSAR_HD void charge_in_detail(PoolId pool,
                                                                 TenantId tenant,
                                                                 Leaf leaf,
                                                                 std::int64_t slots,
                                                                 std::int64_t begin_ms,
                                                                 std::int64_t end_ms) {
        book_inside(*this, pool, tenant, leaf, slots, begin_ms, end_ms);
#ifndef __CUDA_ARCH__
        if (buckets_ != nullptr)
            divide(pool, tenant, leaf, slots, begin_inside(begin_ms), end_inside(end_ms));
#endif
    }
    /// Books a stretch inside the window into the buckets (bucket_ledger.cpp).
    void divide(PoolId pool,
                TenantId tenant,
                Leaf leaf,
                std::int64_t slots,
                std::int64_t begin_ms,
                std::int64_t end_ms) const;

    TimeLedger time_;
    PoolPrices prices_;
    PoolMeter intensities_;
    Money* money_{};          ///< of the cells of time_; null: every price is constant
    GridTime* grid_{};        ///< likewise; null: every grid is constant, or not asked for
    BucketLedger* buckets_{}; ///< null: none
    bool is_detailed_{};
};

/// Books capacity that is paid past the end of a run: it is billed in whole steps (an hour on
/// demand, a term when reserved). Nothing is booked if the measurement window has its own end.
BURSAR_HD inline void bill_unlaunched(Ledger& ledger, const PlanView& plan, std::int64_t end_ms) {
    if (plan.has_window_end || plan.window_begin_ms > end_ms)
        return;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        const Duration paid = billed(Duration{end_ms}, plan.pools[pool].billing_step);
        ledger.charge(pool,
                      ledger.no_tenant(),
                      Leaf::unavail_reserved_unlaunched,
                      plan.pools[pool].num_gpus(),
                      end_ms,
                      paid.count());
    }
}

}} // namespace bursar::sim
