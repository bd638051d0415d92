#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/world_event.hpp"

namespace bursar { inline namespace sim {

/// The orders in which the broker tries pools, as of now, where they change with time. Nothing
/// elsewhere: a run then reads those of the plan.
class PoolOrders {
  public:
    PoolOrders() = default;
    BURSAR_HD PoolOrders(ArenaCarver& carver, const PlanView& plan) {
        if (!plan.orders_change)
            return;
        order_ = carver.take<std::uint16_t>(plan.num_preferences);
        for (std::uint32_t i = 0; order_ != nullptr && i < plan.num_preferences; ++i)
            order_[i] = plan.pool_preference[i];
    }

    /// The plan as the parts of a run read it.
    BURSAR_HD void show_in(PlanView& plan) const {
        if (order_ != nullptr)
            plan.pool_preference = order_;
    }

    BURSAR_HD void change(const PlanView& plan, const OrderChange& change) {
        for (std::uint32_t i = 0; i < plan.num_pools; ++i)
            order_[change.preference + i] = plan.pool_orders[change.order + i];
    }

  private:
    std::uint16_t* order_{};
};

}} // namespace bursar::sim
