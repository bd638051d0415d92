#pragma once

#include <cstdint>

#include "models/units/units.hpp"

#include "sim/arena/arena.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// Where every slot-millisecond of a run is booked: cells by pool, tenant and leaf, exact.
///
/// Only time inside the plan's measurement window counts. Tenant `num_tenants` is nobody: idle and
/// unavailable capacity. Money follows from the cells, because a pool's rate is constant.
class Ledger {
  public:
    Ledger() = default;
    BURSAR_HD Ledger(ArenaCarver& carver, const PlanView& plan)
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
        begin_ms = begin_inside(begin_ms);
        end_ms = end_inside(end_ms);
        if (slots == 0 || end_ms <= begin_ms)
            return;
        book(pool, tenant, leaf, slots, end_ms - begin_ms);
    }

    /// Where the part of a stretch begins, and ends, that counts.
    [[nodiscard]] BURSAR_HD std::int64_t begin_inside(std::int64_t begin_ms) const {
        return begin_ms < window_begin_ms_ ? window_begin_ms_ : begin_ms;
    }
    [[nodiscard]] BURSAR_HD std::int64_t end_inside(std::int64_t end_ms) const {
        return end_ms > window_end_ms_ ? window_end_ms_ : end_ms;
    }

    /// Books `slots` slots held for `held_ms` of time that counts.
    BURSAR_HD void
    book(PoolId pool, TenantId tenant, Leaf leaf, std::int64_t slots, std::int64_t held_ms) {
        const std::size_t cell = (std::size_t{pool} * (num_tenants_ + 1) + tenant) * num_leaves +
                                 static_cast<std::size_t>(leaf);
        cells_[cell] += slot_time(slots, Duration{held_ms});
    }

    [[nodiscard]] BURSAR_HD const SlotTime* cells() const { return cells_; }

  private:
    std::uint32_t num_tenants_{};
    std::int64_t window_begin_ms_{};
    std::int64_t window_end_ms_{};
    std::size_t num_cells_{};
    SlotTime* cells_{};
};

} // namespace bursar::inline sim
