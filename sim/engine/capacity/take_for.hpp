#pragma once

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/candidate.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Takes what a job asks for where the broker wants it, which may depend on where the job has saved
/// its work. Precondition: it fits.
template <class Capacity>
[[gnu::always_inline]] BURSAR_HD inline Grant
take_for(Capacity& capacity, const PlanView& plan, const Candidate& job) {
    const JobShape& shape = plan.shapes[job.shape];
    if (plan.saved_in == nullptr) [[likely]]
        return capacity.take(shape, job.job);
    const PoolId pool = first_pool(
        plan, job.shape, job.job, [&](PoolId at) { return capacity.fits_on(at, shape); });
    return capacity.take_on(pool, shape, job.job);
}

}} // namespace bursar::sim
