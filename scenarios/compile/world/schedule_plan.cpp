#include "scenarios/compile/world/schedule_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/calendar/wall_clock.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::int64_t nodes_at(const PoolSpec& pool, std::int64_t hour_of_week) {
    std::int64_t nodes = *pool.min_nodes;
    for (const ScheduledHours& row : pool.provisioning.schedule->rows) {
        const bool is_day = (row.days >> (hour_of_week / 24) & 1U) != 0;
        const std::int64_t of_day = hour_of_week % 24;
        if (is_day && row.from <= of_day && of_day < row.to)
            nodes = std::max(nodes, row.nodes);
    }
    return nodes;
}

} // namespace

void add_schedule(const Scenario& scenario,
                  std::size_t pool,
                  std::optional<std::int64_t> zero_utc_ms,
                  Duration until,
                  std::vector<WorldEvent>& events) {
    const PoolSpec& spec = scenario.fleet[pool];
    const WallClock clock{spec.provisioning.schedule->zone, zero_utc_ms};
    std::int64_t before = -1;
    for (std::int64_t at = 0; at < until.count(); at += clock.rest_of_hour_ms(at)) {
        const std::int64_t nodes = nodes_at(spec, clock.hour_of_week(at));
        if (nodes != before)
            events.push_back({.time_ms = at,
                              .node = static_cast<std::uint32_t>(nodes),
                              .pool = static_cast<StoredPoolId>(pool),
                              .kind = WorldEventKind::min_nodes});
        before = nodes;
    }
}

std::vector<std::string> schedule_notes(const PoolSpec& pool,
                                        std::optional<std::int64_t> zero_utc_ms) {
    if (zero_utc_ms)
        return {};
    return {
        fmt::format("pool {}: the run begins on a Monday at 0:00 {}, for its schedule: the jobs "
                    "have no dates",
                    pool.name,
                    pool.provisioning.schedule->zone)};
}

}} // namespace bursar::scenarios
