#pragma once

#include <cstdint>

#include "models/units/units.hpp"

#include "sim/arena/arena.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Books the part of [begin, end) that counts, on a Ledger or its time alone.
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

/// Where every slot-millisecond of a run is booked: cells by pool, tenant and leaf, exact.
///
/// Only time inside the plan's measurement window counts. Tenant `num_tenants` is nobody: idle and
/// unavailable capacity.
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

    [[nodiscard]] BURSAR_HD TenantId nobody() const { return TenantId{num_tenants_}; }

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

}} // namespace bursar::sim
