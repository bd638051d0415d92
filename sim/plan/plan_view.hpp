#pragma once

#include <cassert>
#include <limits>

#include "models/units/host_device.hpp"

#include "sim/plan/plan.hpp"

namespace bursar {

/// Keys of events hold 40 bits of milliseconds: no instant may reach this (34.8 years).
inline constexpr std::int64_t horizon_ms = std::int64_t{1} << 40;

/// A plan as plain pointers, for host and device code alike. Valid as long as its plan.
struct PlanView {
    const std::int64_t* submit_ms{};
    const std::int64_t* work_ms{};
    const std::uint16_t* shape{};
    const std::uint16_t* job_class{};
    const std::uint16_t* tenant{};
    const JobEnd* end{};
    const JobShape* shapes{};
    const PlanClass* classes{};
    const PlanSpeed* speeds{};
    const PlanPool* pools{};
    const std::uint16_t* pool_preference{};
    const std::uint16_t* pools_by_name{};
    std::uint32_t num_jobs{};
    std::uint32_t num_shapes{};
    std::uint32_t num_pools{};
    std::uint32_t num_tenants{};
    bool has_until{};
    std::int64_t until_ms{}; ///< horizon_ms where the plan names no end
    bool has_window_end{};
    std::int64_t window_begin_ms{}; ///< the ledger counts [begin, end) only
    std::int64_t window_end_ms{};   ///< past every instant where the plan names no end

    [[nodiscard]] BURSAR_HD std::uint32_t gpus(std::uint32_t job) const {
        return shapes[shape[job]].gpus;
    }
    [[nodiscard]] BURSAR_HD JobView view(std::uint32_t job) const {
        return {job, gpus(job), Duration{submit_ms[job]}, Duration{work_ms[job]}};
    }
    /// row: PlanClass::speed_row, not 0.
    [[nodiscard]] BURSAR_HD const PlanSpeed& speed(std::uint16_t row, std::uint32_t pool) const {
        return speeds[(row - 1U) * std::size_t{num_pools} + pool];
    }
};

/// Time that `job` is at work on `pool`.
[[nodiscard]] BURSAR_HD inline std::int64_t
work_on(const PlanView& plan, std::uint32_t job, std::uint32_t pool) {
    const std::uint16_t row = plan.classes[plan.job_class[job]].speed_row;
    if (row == 0)
        return plan.work_ms[job];
    return elapsed_ms(plan.work_ms[job], plan.speed(row, pool).speed);
}

/// Preconditions, which compilation checks: fewer than 2^32 - 1 jobs; `until` inside the horizon.
inline PlanView view_of(const Plan& plan) {
    assert(plan.num_jobs() < 0xffffffffU);
    assert(!plan.until || plan.until->count() < horizon_ms);
    return {
        .submit_ms = plan.submit_ms.data(),
        .work_ms = plan.work_ms.data(),
        .shape = plan.shape.data(),
        .job_class = plan.job_class.data(),
        .tenant = plan.tenant.data(),
        .end = plan.end.data(),
        .shapes = plan.shapes.data(),
        .classes = plan.classes.data(),
        .speeds = plan.speeds.data(),
        .pools = plan.pools.data(),
        .pool_preference = plan.pool_preference.data(),
        .pools_by_name = plan.pools_by_name.data(),
        .num_jobs = static_cast<std::uint32_t>(plan.num_jobs()),
        .num_shapes = static_cast<std::uint32_t>(plan.shapes.size()),
        .num_pools = static_cast<std::uint32_t>(plan.pools.size()),
        .num_tenants = plan.num_tenants,
        .has_until = plan.until.has_value(),
        .until_ms = plan.until ? plan.until->count() : horizon_ms,
        .has_window_end = plan.measure_to.has_value(),
        .window_begin_ms = plan.measure_from.count(),
        .window_end_ms =
            plan.measure_to ? plan.measure_to->count() : std::numeric_limits<std::int64_t>::max(),
    };
}

} // namespace bursar
