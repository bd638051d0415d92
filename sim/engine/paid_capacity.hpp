#pragma once

#include <cstdint>

#include "models/market/billing.hpp"

#include "sim/ledger/leaf.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// Books what is paid past the end of a run and was never launched: capacity is billed in whole
/// steps (an hour on demand, a term when reserved). A window with an end of its own does not reach
/// there.
BURSAR_HD inline void bill_unlaunched(Ledger& ledger, const PlanView& plan, std::int64_t end_ms) {
    if (plan.has_window_end || plan.window_begin_ms > end_ms)
        return;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        const Duration paid = billed(Duration{end_ms}, plan.pools[pool].billing_step);
        ledger.charge(pool,
                      ledger.nobody(),
                      Leaf::unavail_reserved_unlaunched,
                      plan.pools[pool].num_gpus(),
                      end_ms,
                      paid.count());
    }
}

} // namespace bursar::inline sim
