#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/plan.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::test {

/// A few tenants on a few GPUs, many ties, some jobs of zero length.
inline Plan draw_plan_of_tenants() {
    const std::uint16_t tenants = drawn::in_range<std::uint16_t>(1, 6);
    const std::uint32_t gpus = drawn::in_range(1U, 9U);
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    const int num_jobs = drawn::in_range(1, 40);
    for (int job = 0; job < num_jobs; ++job) {
        submit += drawn::in_range(0, 6);
        jobs.push_back({submit,
                        drawn::in_range(0, 12),
                        drawn::in_range(1U, gpus + 1),
                        1,
                        drawn::in_range<std::uint16_t>(0, tenants)});
    }
    Plan plan = plan_of(jobs, {pool_of(1, gpus)});
    to_milliseconds(plan);
    plan.num_tenants = tenants; // some may have no job
    if (drawn::boolean())
        for (std::uint16_t tenant = 0; tenant < tenants; ++tenant)
            plan.tenant_weight.push_back(drawn::in_range(1U, 5U));
    if (drawn::boolean())
        for (int job = 0; job < num_jobs; ++job)
            plan.priority.push_back(drawn::in_range(-2, 3));
    plan.pools[0].cpu_milli = 4'000 * gpus;
    for (JobShape& shape : plan.shapes)
        shape.cpu_milli = drawn::in_range(0U, 6'000U) * shape.gpus;
    return plan;
}

/// The start of each job on one pool by count, without state between decisions: each compares all
/// waiting jobs. Time advances millisecond by millisecond; with a blocking head, jobs may start
/// whenever the order may have changed.
///
/// order: advance(now), arrived(job), started(job), ended(job), before(a, b) of two waiting jobs,
/// and may_change(now); ties by submit order.
template <class Order>
std::vector<std::int64_t> naive_starts(const Plan& plan, HeadRule head, Order order) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    std::vector<std::int64_t> start(num_jobs, -1);
    std::vector<bool> here(num_jobs, false);
    std::vector<bool> done(num_jobs, false);
    std::int64_t free = plan.pools[0].num_gpus();
    const auto fits = [&](JobId job) { return plan.gpus(job) <= free; };
    const auto ends_at = [&](JobId job, std::int64_t now) {
        return !done[job] && start[job] >= 0 && start[job] + plan.work_ms[job] == now;
    };
    const auto next_job = [&] {
        const JobId none{num_jobs};
        JobId best = none;
        for (JobId job{0}; job < num_jobs; ++job) {
            if (!here[job] || start[job] >= 0 || (head == HeadRule::skip && !fits(job)))
                continue;
            if (best == none || order.before(job, best))
                best = job;
        }
        return best != none && fits(best) ? best : none;
    };
    const auto num_waiting = [&] {
        std::uint32_t waiting = 0;
        for (JobId job{0}; job < num_jobs; ++job)
            waiting += here[job] && start[job] < 0 ? 1 : 0;
        return waiting;
    };
    for (std::int64_t now = 0; std::ranges::count(done, false) > 0; ++now) {
        bool advanced = false;
        bool woken =
            head == HeadRule::block && free > 0 && num_waiting() > 1 && order.may_change(now);
        for (bool again = true; again;) {
            again = false;
            for (JobId job{0}; job < num_jobs; ++job)
                again = again || ends_at(job, now) || (!here[job] && plan.submit_ms[job] == now);
            again = again || woken;
            woken = false;
            if (again && !advanced) {
                order.advance(now);
                advanced = true;
            }
            for (JobId job{0}; job < num_jobs; ++job) {
                if (!ends_at(job, now))
                    continue;
                done[job] = true;
                free += plan.gpus(job);
                order.ended(job);
            }
            for (JobId job{0}; job < num_jobs; ++job) {
                if (here[job] || plan.submit_ms[job] != now)
                    continue;
                here[job] = true;
                order.arrived(job);
            }
            for (JobId job; again && (job = next_job()) < num_jobs;) {
                start[job] = now;
                free -= plan.gpus(job);
                order.started(job);
            }
        }
    }
    return start;
}

} // namespace bursar::test
