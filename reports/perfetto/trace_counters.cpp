#include "reports/perfetto/trace_counters.hpp"

#include <cstdint>

#include "reports/perfetto/trace_tracks.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double usd_per_money = 1.0 / 3.6e18;

double gpus_of_slots(std::int64_t slots) {
    return static_cast<double>(slots) / static_cast<double>(slots_per_gpu);
}

} // namespace

void TraceCounters::put_tracks() {
    out_.counter_track(queue_jobs_track, queue_track, "queue_jobs", "jobs");
    out_.counter_track(queue_gpus_track, queue_track, "queue_gpus", "GPUs");
    out_.counter_track(burn_track, queue_track, "burn_per_hour", "USD/h");
    out_.counter_track(cost_track, queue_track, "cumulative_cost", "USD");
    for (std::size_t pool = 0; pool < result_.pools.size(); ++pool) {
        const TrackId parent = track_of(PoolTrack::pool, pool);
        out_.counter_track(track_of(PoolTrack::allocated, pool), parent, "allocated", "GPUs");
        out_.counter_track(track_of(PoolTrack::free, pool), parent, "free", "GPUs");
        if (result_.pools[pool].price.varies())
            out_.counter_track(track_of(PoolTrack::price, pool), parent, "price", "USD/gpu-h");
    }
}

void TraceCounters::pass(std::size_t row) {
    note_cost(row);
    unwritten_rows_[result_.timeline.pool[row]] = row;
}

void TraceCounters::open(Duration now) {
    for (std::size_t pool = 0; pool < result_.pools.size(); ++pool) {
        if (unwritten_rows_[pool])
            put_row(*unwritten_rows_[pool], now);
        if (result_.pools[pool].price.varies())
            put_price(pool, now);
    }
    put_costs(now);
}

void TraceCounters::put(std::size_t row) {
    note_cost(row);
    const Duration now{result_.timeline.time_ms[row]};
    put_row(row, now);
    put_costs(now);
}

void TraceCounters::note_cost(std::size_t row) {
    const TimelineColumns& rows = result_.timeline;
    costs_[rows.pool[row]].note_off(Duration{rows.time_ms[row]},
                                    rows.off_slots.empty() ? 0 : rows.off_slots[row]);
}

void TraceCounters::put_row(std::size_t row, Duration now) {
    const TimelineColumns& rows = result_.timeline;
    const std::uint32_t pool = rows.pool[row];
    const std::int64_t down = rows.down_slots.empty() ? 0 : rows.down_slots[row];
    const std::int64_t off = rows.off_slots.empty() ? 0 : rows.off_slots[row];
    const std::int64_t all = result_.pools[pool].num_gpus() * slots_per_gpu;
    const std::int64_t allocated = rows.allocated_slots[row];
    out_.count(track_of(PoolTrack::allocated, pool), now, gpus_of_slots(allocated));
    out_.count(track_of(PoolTrack::free, pool), now, gpus_of_slots(all - allocated - down - off));
    out_.count(queue_jobs_track, now, std::int64_t{rows.queue_jobs[row]});
    out_.count(queue_gpus_track, now, gpus_of_slots(rows.queue_slots[row]));
}

void TraceCounters::put_price(std::size_t pool, Duration now) {
    out_.count(track_of(PoolTrack::price, pool),
               now,
               static_cast<double>(result_.pools[pool].price.at(now).count()) * 1e-9);
}

void TraceCounters::put_costs(Duration now) {
    int128 burn = 0;
    int128 paid = 0;
    for (PoolCost& cost : costs_) {
        cost.advance_to(now);
        burn += cost.per_hour().count();
        paid += cost.in_window().count();
    }
    out_.count(burn_track, now, static_cast<double>(burn) * usd_per_money);
    out_.count(cost_track, now, static_cast<double>(paid) * usd_per_money);
}

void TraceCounters::put_total() {
    Money paid{};
    for (const ResultCell& cell : result_.cells)
        paid += cell.cost;
    out_.count(cost_track, result_.end, static_cast<double>(paid.count()) * usd_per_money);
}

}} // namespace bursar::reports
