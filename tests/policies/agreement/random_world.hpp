#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

inline StopCause draw_cause() {
    return drawn::one_of(StopCause::reclaimed,
                         StopCause::node_failed,
                         StopCause::hung,
                         StopCause::maintenance,
                         StopCause::budget,
                         StopCause::reclaimed_unsaved,
                         StopCause::job_failed);
}

/// In half seconds, so that some events coincide with jobs' events.
inline std::int64_t draw_half_seconds(int end) {
    return drawn::in_range(0, end) * 500;
}

/// Events for the jobs and nodes of a plan: jobs are stopped whether they run or not; nodes go and
/// may come back, also if they are already gone. GPUs are held after abrupt stops for less than
/// `half_seconds` half seconds.
inline std::vector<WorldEvent> draw_world(const Plan& plan, int half_seconds = 7) {
    std::vector<WorldEvent> world;
    const auto draw_hold_ms = [&] {
        return half_seconds == 0 ? 0 : draw_half_seconds(half_seconds);
    };
    for (int stops = drawn::in_range(0, 6); stops > 0; --stops) {
        const std::int64_t time_ms = draw_half_seconds(80);
        StopJob stop{.hold_ms = draw_hold_ms()};
        stop.job = JobId{drawn::in_range(0U, static_cast<std::uint32_t>(plan.num_jobs()))};
        stop.cause = draw_cause();
        world.emplace_back(time_ms, stop);
    }
    for (int outages = drawn::in_range(0, 4); outages > 0; --outages) {
        const std::int64_t time_ms = draw_half_seconds(80);
        NodeOffline goes{.hold_ms = draw_hold_ms()};
        goes.pool = PoolId{drawn::in_range<std::size_t>(0, plan.pools.size())};
        goes.node = drawn::in_range(0U, plan.pools[goes.pool].num_nodes);
        goes.cause = draw_cause();
        world.emplace_back(time_ms, goes);
        if (drawn::in_range(0, 3) == 0)
            world.emplace_back(time_ms - std::min(time_ms, draw_half_seconds(20)),
                               NodeCloses{goes.pool, goes.node});
        if (drawn::in_range(0, 5) == 0)
            continue;
        world.emplace_back(time_ms + draw_half_seconds(30),
                           NodeOnline{goes.pool, goes.node, goes.cause});
    }
    std::ranges::stable_sort(world, {}, &WorldEvent::time_ms);
    return world;
}

/// Makes jobs of a plan wait for others, most of them submitted before, and some for ever.
inline void draw_dependencies(Plan& plan) {
    const std::size_t num_jobs = plan.num_jobs();
    plan.num_needed.assign(num_jobs, 0);
    std::vector<std::vector<std::uint32_t>> dependents(num_jobs);
    for (std::size_t job = 0; job < num_jobs; ++job) {
        if (drawn::in_range(0, 30) == 0)
            ++plan.num_needed[job];
        for (int needed = drawn::one_of(0, 0, 1, 1, 2, 3); needed > 0; --needed) {
            const bool is_any = drawn::in_range(0, 6) == 0;
            const auto other = drawn::in_range<std::size_t>(0, is_any ? num_jobs : job + 1);
            if (other == job)
                continue;
            dependents[other].push_back(static_cast<std::uint32_t>(job));
            ++plan.num_needed[job];
        }
        plan.think_ms.push_back(drawn::one_of(0, 0, 0, 500, 1'000, 4'000));
    }
    plan.dependent_begin = {0};
    for (const std::vector<std::uint32_t>& own : dependents) {
        plan.dependents.insert(plan.dependents.end(), own.begin(), own.end());
        plan.dependent_begin.push_back(static_cast<std::uint32_t>(plan.dependents.size()));
    }
    if (drawn::boolean())
        plan.think_ms.clear();
}

/// Makes waiting jobs of some classes of a plan leave it once they must miss their deadline.
inline void draw_drops(Plan& plan) {
    for (PlanClass& one : plan.classes)
        one.drops_late = drawn::in_range(0, 4) > 0;
    plan.needs_completion = drawn::boolean();
}

/// Makes some nodes of a plan slow; a gang with one of them is slow.
inline void draw_slow_nodes(Plan& plan) {
    for (const PlanPool& pool : plan.pools) {
        plan.slow_begin.push_back(static_cast<std::uint32_t>(plan.slow_nodes.size()));
        for (std::uint32_t node = 0; node < pool.num_nodes; ++node)
            plan.slow_nodes.push_back(drawn::one_of<std::uint8_t>(0, 0, 1));
    }
    std::vector<PlanSpeed> speeds;
    for (const PlanSpeed& fast : plan.speeds) { // of one locality level each
        PlanSpeed slow = fast;
        slow.speed = std::max<std::int64_t>(fast.speed * drawn::one_of(1, 2, 3) / 3, 1);
        std::swap(slow.stalled_slots[1], slow.stalled_slots[3]);
        speeds.push_back(fast);
        speeds.push_back(slow);
    }
    plan.speeds = std::move(speeds);
}

/// Makes some classes of a plan fail by their own fault on some pools, at most once per minute of
/// their run.
inline void draw_own_failures(Plan& plan) {
    constexpr std::int64_t once_a_minute = 60'000'000'000;
    plan.own_failure_seed = drawn::bits();
    for (std::size_t row = 0; row < plan.classes.size() * plan.pools.size(); ++row)
        plan.own_failures.push_back({drawn::one_of<std::int64_t>(0, 1, once_a_minute),
                                     drawn::one_of<std::int64_t>(0, 0, once_a_minute / 10),
                                     draw_half_seconds(7)});
}

/// Pools and shapes that close for a time or for ever, for one cause or several at once; jobs
/// stopped at that instant; runs that close.
inline void draw_admission(Plan& plan) {
    for (int closings = drawn::in_range(0, 4); closings > 0; --closings) {
        const bool is_pool = drawn::boolean();
        const std::int64_t begin_ms = draw_half_seconds(60);
        const StopCause cause = drawn::one_of(StopCause::budget, StopCause::maintenance);
        const auto add = [&](auto admission) {
            admission.cause = cause;
            plan.world.emplace_back(begin_ms, admission);
            admission.opens = true;
            const std::int64_t end_ms = begin_ms + draw_half_seconds(40);
            if (drawn::in_range(0, 4) != 0)
                plan.world.emplace_back(end_ms, admission);
        };
        if (is_pool)
            add(PoolAdmission{.pool = PoolId{drawn::in_range<std::size_t>(0, plan.pools.size())}});
        else
            add(ShapeAdmission{.shape =
                                   ShapeId{drawn::in_range<std::size_t>(0, plan.shapes.size())}});
        if (drawn::boolean())
            for (JobId job{0}; job < plan.num_jobs(); ++job)
                plan.world.emplace_back(begin_ms, StopJob{job, StopCause::budget});
        plan.admission_changes = true;
    }
    if (drawn::in_range(0, 6) == 0)
        plan.world.emplace_back(draw_half_seconds(100), RunCloses{});
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

} // namespace bursar::test
