#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "reports/bill/pool_cost.hpp"
#include "reports/perfetto/trace_packets.hpp"
#include "reports/registry.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar::inline reports {
namespace {

constexpr double usd_per_money = 1.0 / 3.6e18;

/// What a lane is drawn for: a GPU of a node or, where nodes are not known, a place in a pool.
class Lanes {
  public:
    /// first: the track of lane 0; usual: lanes that are there from the first.
    Lanes(TrackId first, TrackId parent, std::uint32_t usual)
        : first_{first}, parent_{parent}, usual_{usual} {}

    /// The first lane that nobody has.
    TrackId take(TracePackets& out) {
        const auto free = std::ranges::find(taken_, false);
        const auto lane = static_cast<std::size_t>(free - taken_.begin());
        if (free == taken_.end()) {
            taken_.push_back(true);
            out.track(first_ + lane, parent_, name_of(lane));
        } else
            *free = true;
        return first_ + lane;
    }
    void give_back(TrackId lane) { taken_[lane - first_] = false; }

  private:
    [[nodiscard]] std::string name_of(std::size_t lane) const {
        if (usual_ == 0)
            return "place " + std::to_string(lane);
        return (lane < usual_ ? "GPU " : "shared ") + std::to_string(lane);
    }

    TrackId first_, parent_;
    std::uint32_t usual_;
    std::vector<bool> taken_;
};

/// Writes the trace of a result in order of time: pools, their nodes and GPUs as tracks, attempts
/// as slices, and counters.
class TraceWriter {
  public:
    TraceWriter(const Result& result, TextSink& sink) : result_{result}, out_{sink} {
        for_each_attempt(result,
                         [&](const ResultAttempt& attempt) { attempts_.push_back(attempt); });
        std::ranges::stable_sort(attempts_, {}, &ResultAttempt::start);
    }

    void write() {
        put_tracks();
        std::size_t next_submit = 0;
        std::size_t next_attempt = 0;
        std::size_t next_row = 0;
        const auto due = [&](bool there, std::int64_t at_ms) {
            return there ? at_ms : std::int64_t{-1};
        };
        // At one instant: who ends, who comes, who begins, and what the counters are then.
        while (true) {
            const JobColumns& jobs = result_.jobs;
            const std::int64_t times[]{
                due(!running_.empty(), running_.empty() ? 0 : running_.top().end.count()),
                due(next_submit < jobs.size(),
                    next_submit < jobs.size() ? jobs.submit_ms[next_submit] : 0),
                due(next_attempt < attempts_.size(),
                    next_attempt < attempts_.size() ? attempts_[next_attempt].start.count() : 0),
                due(next_row < result_.timeline.size(),
                    next_row < result_.timeline.size() ? result_.timeline.time_ms[next_row] : 0)};
            std::size_t first = std::size(times);
            for (std::size_t i = 0; i < std::size(times); ++i)
                if (times[i] >= 0 && (first == std::size(times) || times[i] < times[first]))
                    first = i;
            if (first == std::size(times))
                break;
            if (first == 0)
                end_first();
            else if (first == 1)
                submit(next_submit++);
            else if (first == 2)
                begin(attempts_[next_attempt++]);
            else
                count(next_row++);
        }
        put_end();
    }

  private:
    /// An attempt that holds lanes.
    struct Running {
        Duration end{};
        std::size_t order{}; ///< of two that end at once, who began first
        std::vector<std::pair<std::size_t, TrackId>> lanes{}; ///< of lanes_, and the track there

        bool operator>(const Running& other) const {
            return std::pair{end, order} > std::pair{other.end, other.order};
        }
    };

    // Ids of tracks: a kind, and a number of it.
    static constexpr TrackId queue_track = 1;
    static constexpr TrackId queue_jobs_track = 2;
    static constexpr TrackId queue_gpus_track = 3;
    static constexpr TrackId burn_track = 4;
    static constexpr TrackId cost_track = 5;
    static TrackId pool_track(std::size_t pool) { return (TrackId{1} << 40U) + pool; }
    static TrackId allocated_track(std::size_t pool) { return (TrackId{2} << 40U) + pool; }
    static TrackId free_track(std::size_t pool) { return (TrackId{3} << 40U) + pool; }
    static TrackId node_track(std::size_t node) { return (TrackId{4} << 40U) + node; }
    static TrackId lane_track(std::size_t lanes) { return (TrackId{5} << 40U) + (lanes << 20U); }

    void put_tracks() {
        out_.track(queue_track, 0, "queue");
        out_.counter_track(queue_jobs_track, queue_track, "queued jobs");
        out_.counter_track(queue_gpus_track, queue_track, "queued GPUs");
        out_.counter_track(burn_track, queue_track, "USD per hour");
        out_.counter_track(cost_track, queue_track, "USD so far");
        const bool knows_nodes = !result_.places.empty();
        for (std::size_t p = 0; p < result_.pools.size(); ++p) {
            const ResultPool& pool = result_.pools[p];
            out_.track(pool_track(p), 0, pool.name);
            out_.counter_track(allocated_track(p), pool_track(p), "allocated GPUs");
            out_.counter_track(free_track(p), pool_track(p), "free GPUs");
            first_lanes_.push_back(lanes_.size());
            for (std::uint32_t node = 0; knows_nodes && node < pool.num_nodes; ++node) {
                const TrackId track = node_track(lanes_.size());
                out_.track(track, pool_track(p), "node " + std::to_string(node));
                lanes_.emplace_back(lane_track(lanes_.size()), track, pool.gpus_per_node);
            }
            if (!knows_nodes)
                lanes_.emplace_back(lane_track(lanes_.size()), pool_track(p), 0);
        }
        costs_ = costs_of(result_);
    }

    void submit(std::size_t job) {
        if (result_.jobs.state[job] != JobState::not_submitted)
            out_.instant(
                queue_track, Duration{result_.jobs.submit_ms[job]}, name_of(job), "submit");
    }

    void begin(const ResultAttempt& attempt) {
        const bool is_one_of_many = attempt.stopped || attempt.number > 1;
        const TraceNotes notes{end_cause(result_, attempt),
                               is_one_of_many ? attempt.job + 1 : 0,
                               result_.tenants[result_.jobs.tenant[attempt.job]],
                               result_.jobs.gpus[attempt.job],
                               static_cast<std::int64_t>(attempt.number)};
        Running running{attempt.end, num_begun_++};
        const std::string name = name_of(attempt.job);
        const auto take = [&](std::size_t lanes, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const TrackId track = lanes_[lanes].take(out_);
                running.lanes.emplace_back(lanes, track);
                out_.begin(track, attempt.start, name, notes);
            }
        };
        const PlaceColumns& places = result_.places;
        if (places.empty())
            take(first_lanes_[attempt.pool], 1);
        else
            for (std::size_t piece = places.begin_of(attempt.index);
                 piece < places.end[attempt.index];
                 ++piece)
                take(first_lanes_[attempt.pool] + places.node[piece], places.gpus[piece]);
        running_.push(std::move(running));
    }

    void end_first() {
        for (const auto& [lanes, track] : running_.top().lanes) {
            out_.end(track, running_.top().end);
            lanes_[lanes].give_back(track);
        }
        running_.pop();
    }

    void count(std::size_t row) {
        const TimelineColumns& rows = result_.timeline;
        const Duration now{rows.time_ms[row]};
        const std::uint32_t pool = rows.pool[row];
        const std::int64_t down = rows.down_slots.empty() ? 0 : rows.down_slots[row];
        const std::int64_t off = rows.off_slots.empty() ? 0 : rows.off_slots[row];
        const std::int64_t all = result_.pools[pool].num_gpus() * slots_per_gpu;
        const auto gpus = [](std::int64_t slots) {
            return static_cast<double>(slots) / static_cast<double>(slots_per_gpu);
        };
        out_.count(allocated_track(pool), now, gpus(rows.allocated_slots[row]));
        out_.count(free_track(pool), now, gpus(all - rows.allocated_slots[row] - down - off));
        out_.count(queue_jobs_track, now, std::int64_t{rows.queue_jobs[row]});
        out_.count(queue_gpus_track, now, gpus(rows.queue_slots[row]));
        costs_[pool].note_off(now, off);
        put_costs(now);
    }

    void put_costs(Duration now) {
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

    /// The last count is what the whole ledger cost, which knows of what is paid past the end.
    void put_end() {
        Money paid{};
        for (const ResultCell& cell : result_.cells)
            paid += cell.cost;
        out_.count(cost_track, result_.end, static_cast<double>(paid.count()) * usd_per_money);
    }

    [[nodiscard]] std::string name_of(std::size_t job) const {
        const auto name = result_.jobs.name(job);
        return name ? std::string{*name} : "job " + std::to_string(job);
    }

    const Result& result_;
    TracePackets out_;
    std::vector<ResultAttempt> attempts_;  ///< in order of time
    std::vector<std::size_t> first_lanes_; ///< of each pool, in lanes_
    std::vector<Lanes> lanes_;             ///< of each node, or of each pool
    std::vector<PoolCost> costs_;
    std::size_t num_begun_{};
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

} // namespace

void write_perfetto(const Result& result, const OutputOptions&, TextSink& sink) {
    TraceWriter{result, sink}.write();
}

} // namespace bursar::inline reports
