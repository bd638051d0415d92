#pragma once

#include <cstdint>

#include "sim/arena/bit_tree.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The plan of a run, with pointers to what the run changes: into the run's state, or into the plan
/// if nothing changes. The parts of a run hold copies, and all of them see a change at once.
struct RunPlan : PlanView {
    /// `shapes`, with the pools that they may use now.
    const JobShape* current_shapes{};
    /// `pool_preference`, with the broker's current orders.
    const std::uint16_t* current_order{};
    /// Since when each job waits for GPUs, where that is known: `submit_ms` if no job waits for
    /// others.
    const std::int64_t* since_ms{};
    /// By job: 1 + the region of its saved state; 0: nothing is saved. Null: the broker ignores
    /// regions.
    const std::uint8_t* saved_in{};
    /// The shapes that waiting jobs may have; null: any.
    const BitTree* waiting_shapes{};

    RunPlan() = default;
    BURSAR_HD explicit RunPlan(const PlanView& plan)
        : PlanView{plan}, current_shapes{plan.shapes}, current_order{plan.pool_preference},
          since_ms{plan.submit_ms} {}

    /// Calls `act(shape)` for every shape that a waiting job may have, in order.
    template <class Act>
    BURSAR_HD void for_each_waiting_shape(const Act& act) const {
        if (waiting_shapes == nullptr) [[likely]] {
            for (ShapeId each{0}; each < num_shapes; ++each)
                act(each);
            return;
        }
        for (ShapeId each{waiting_shapes->first_at_or_after(0)}; each < num_shapes;
             each = ShapeId{waiting_shapes->first_at_or_after(each + 1)})
            act(each);
    }
};

}} // namespace bursar::sim
