#pragma once

#include <cstdint>

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Begin of the order of pools for a job, in RunPlan::current_order: by its shape and, if the
/// broker considers regions, the region of its saved state.
[[gnu::always_inline]] BURSAR_HD inline std::uint32_t
order_of(const RunPlan& plan, const JobShape& shape, JobId job) {
    const std::uint32_t row = plan.saved_in == nullptr ? 0 : plan.saved_in[job];
    return shape.order_begin + row * plan.num_pools;
}

/// The first pool in the broker's order from `order` that `shape` may use and for which
/// `has_room(pool)` holds; num_pools if there is none.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId first_pool(const RunPlan& plan,
                                                          const JobShape& shape,
                                                          std::uint32_t order,
                                                          const HasRoom& has_room) {
    for (std::uint32_t i = 0; i < plan.num_pools; ++i) {
        const PoolId pool{plan.current_order[order + i]};
        if ((shape.permitted_pools >> pool & 1U) != 0 && has_room(pool))
            return pool;
    }
    return PoolId{plan.num_pools};
}

/// The same where only existence matters, or for a job that has saved nothing.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId
first_pool(const RunPlan& plan, const JobShape& shape, const HasRoom& has_room) {
    return first_pool(plan, shape, shape.order_begin, has_room);
}

/// For a job with a shape by its id.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId
first_pool(const RunPlan& plan, ShapeId shape, JobId job, const HasRoom& has_room) {
    if (plan.one_pool_for_all)
        return PoolId{has_room(PoolId{0}) ? 0U : 1U};
    return first_pool(plan,
                      plan.current_shapes[shape],
                      order_of(plan, plan.current_shapes[shape], job),
                      has_room);
}

/// Where only existence matters, for a shape by its id.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId
first_pool(const RunPlan& plan, ShapeId shape, const HasRoom& has_room) {
    if (plan.one_pool_for_all)
        return PoolId{has_room(PoolId{0}) ? 0U : 1U};
    return first_pool(plan, plan.current_shapes[shape], has_room);
}

/// Takes a job's gang in the first pool of the broker's order that has room. Precondition: it fits.
template <class Capacity>
[[gnu::always_inline]] BURSAR_HD inline Grant
take_for(Capacity& capacity, const RunPlan& plan, const Candidate& job) {
    const JobShape& shape = plan.current_shapes[job.shape];
    if (plan.saved_in == nullptr) [[likely]]
        return capacity.take(shape, job.job);
    const PoolId pool = first_pool(
        plan, job.shape, job.job, [&](PoolId at) { return capacity.fits_on(at, shape); });
    return capacity.take_on(pool, shape, job.job);
}

}} // namespace bursar::sim
