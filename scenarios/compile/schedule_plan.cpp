#include "scenarios/compile/schedule_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/traces/text/timestamps.hpp"

namespace bursar::inline scenarios {
namespace {

constexpr std::int64_t hour_ms = hour.count();
constexpr std::int64_t hours_of_week = std::int64_t{days_of_week} * 24;
/// 1970-01-05 was a Monday.
constexpr std::int64_t first_monday_ms = 4 * day.count();

/// The wall clock of a zone. All that is asked of one is the local time of an instant.
class WallClock {
  public:
    WallClock(const std::string& zone, std::optional<std::int64_t> zero_utc_ms)
        : offset_ms_{parse_zone(zone).value()}, // the reader has checked it
          zero_utc_ms_{zero_utc_ms.value_or(first_monday_ms - offset_ms_)} {}

    [[nodiscard]] std::int64_t local_ms(std::int64_t since_zero_ms) const {
        return zero_utc_ms_ + since_zero_ms + offset_ms_;
    }
    /// 0: Monday from 0:00 to 1:00.
    [[nodiscard]] std::int64_t hour_of_week(std::int64_t since_zero_ms) const {
        const std::int64_t hours = floor_div(local_ms(since_zero_ms) - first_monday_ms, hour_ms);
        return hours - floor_div(hours, hours_of_week) * hours_of_week;
    }
    /// Until the next full hour.
    [[nodiscard]] std::int64_t rest_of_hour_ms(std::int64_t since_zero_ms) const {
        const std::int64_t local = local_ms(since_zero_ms);
        return (floor_div(local, hour_ms) + 1) * hour_ms - local;
    }

  private:
    static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
        return a / b - (a % b < 0 ? 1 : 0);
    }

    std::int64_t offset_ms_;
    std::int64_t zero_utc_ms_;
};

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

} // namespace bursar::inline scenarios
