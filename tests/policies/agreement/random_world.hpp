#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "sim/plan/plan.hpp"

namespace bursar::test {

inline StopCause draw_cause() {
    return *rc::gen::element(StopCause::reclaimed,
                             StopCause::node_failed,
                             StopCause::hung,
                             StopCause::maintenance,
                             StopCause::budget,
                             StopCause::resized,
                             StopCause::reclaimed_unsaved,
                             StopCause::job_failed);
}

/// In half seconds, so that some of it happens as jobs come and go.
inline std::int64_t draw_half_seconds(int end) {
    return *rc::gen::inRange(0, end) * 500;
}

/// What happens to the jobs and nodes of a plan: jobs are stopped whether they run or not, nodes go
/// and come back, or do not, also such as are gone already.
inline std::vector<WorldEvent> draw_world(const Plan& plan) {
    std::vector<WorldEvent> world;
    for (int stops = *rc::gen::inRange(0, 6); stops > 0; --stops) {
        WorldEvent& event = world.emplace_back();
        event.time_ms = draw_half_seconds(80);
        event.hold_ms = draw_half_seconds(7);
        event.job = JobId{*rc::gen::inRange(0U, static_cast<std::uint32_t>(plan.num_jobs()))};
        event.kind = WorldEventKind::stop_job;
        event.cause = draw_cause();
    }
    for (int outages = *rc::gen::inRange(0, 4); outages > 0; --outages) {
        WorldEvent event;
        event.time_ms = draw_half_seconds(80);
        event.hold_ms = draw_half_seconds(7);
        event.pool = StoredPoolId{
            *rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(plan.pools.size()))};
        event.node = *rc::gen::inRange(0U, plan.pools[event.pool].num_nodes);
        event.kind = WorldEventKind::node_offline;
        event.cause = draw_cause();
        world.push_back(event);
        if (*rc::gen::inRange(0, 3) == 0) {
            WorldEvent closes = event;
            closes.time_ms -= std::min(closes.time_ms, draw_half_seconds(20));
            closes.kind = WorldEventKind::node_closes;
            world.push_back(closes);
        }
        if (*rc::gen::inRange(0, 5) == 0)
            continue;
        event.time_ms += draw_half_seconds(30);
        event.kind = WorldEventKind::node_online;
        world.push_back(event);
    }
    std::ranges::stable_sort(world, {}, &WorldEvent::time_ms);
    return world;
}

/// Some nodes of a plan are slow, all of it where a gang has one of those.
inline void draw_slow_nodes(Plan& plan) {
    for (const PlanPool& pool : plan.pools) {
        plan.slow_begin.push_back(static_cast<std::uint32_t>(plan.slow_nodes.size()));
        for (std::uint32_t node = 0; node < pool.num_nodes; ++node)
            plan.slow_nodes.push_back(*rc::gen::element<std::uint8_t>(0, 0, 1));
    }
    std::vector<PlanSpeed> speeds;
    for (const PlanSpeed& fast : plan.speeds) { // of one locality level each
        PlanSpeed slow = fast;
        slow.speed = std::max<std::int64_t>(fast.speed * *rc::gen::element(1, 2, 3) / 3, 1);
        std::swap(slow.stalled_slots[1], slow.stalled_slots[3]);
        speeds.push_back(fast);
        speeds.push_back(slow);
    }
    plan.speeds = std::move(speeds);
}

/// Some classes of a plan fail by themselves on some pools, once in a minute of their run or more
/// rarely.
inline void draw_own_failures(Plan& plan) {
    constexpr std::int64_t once_a_minute = 60'000'000'000;
    plan.own_failure_seed = *rc::gen::arbitrary<std::uint64_t>();
    for (std::size_t row = 0; row < plan.classes.size() * plan.pools.size(); ++row)
        plan.own_failures.push_back({*rc::gen::element<std::int64_t>(0, 1, once_a_minute),
                                     *rc::gen::element<std::int64_t>(0, 0, once_a_minute / 10),
                                     draw_half_seconds(7)});
}

/// Pools and shapes that start nobody for a time, or from then on; jobs that are stopped at that
/// instant; runs that close.
inline void draw_admission(Plan& plan) {
    const auto add = [&](WorldEventKind kind, std::int64_t time_ms) -> WorldEvent& {
        WorldEvent& event = plan.world.emplace_back();
        event.time_ms = time_ms;
        event.kind = kind;
        event.cause = StopCause::budget;
        return event;
    };
    for (int closings = *rc::gen::inRange(0, 4); closings > 0; --closings) {
        const bool is_pool = *rc::gen::arbitrary<bool>();
        const std::int64_t begin_ms = draw_half_seconds(60);
        WorldEvent& closes =
            add(is_pool ? WorldEventKind::pool_admits : WorldEventKind::shape_admits, begin_ms);
        if (is_pool)
            closes.pool = StoredPoolId{
                *rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(plan.pools.size()))};
        else
            closes.job =
                JobId{*rc::gen::inRange(0U, static_cast<std::uint32_t>(plan.shapes.size()))};
        WorldEvent opens = closes;
        opens.time_ms += draw_half_seconds(40);
        opens.node = 1;
        if (*rc::gen::inRange(0, 4) != 0)
            plan.world.push_back(opens);
        if (*rc::gen::arbitrary<bool>())
            for (JobId job{0}; job < plan.num_jobs(); ++job)
                add(WorldEventKind::stop_job, begin_ms).job = job;
        plan.admission_changes = true;
    }
    if (*rc::gen::inRange(0, 6) == 0)
        add(WorldEventKind::run_closes, draw_half_seconds(100));
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

} // namespace bursar::test
