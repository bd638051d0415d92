#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/bill/costliest_jobs.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/perfetto/trace_counters.hpp"
#include "reports/perfetto/trace_moments.hpp"
#include "reports/perfetto/trace_packets.hpp"
#include "reports/perfetto/trace_tracks.hpp"
#include "reports/result/attempt_phases.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Selects the jobs to draw: the most expensive ones if a number is given, else all.
class DrawnJobs {
  public:
    DrawnJobs(const Result& result, const OutputOptions& options)
        : is_drawn_(result.jobs.size(), !options.trace_top) {
        if (options.trace_top)
            for (const JobCost& one : costliest_jobs(result, *options.trace_top, {}).jobs)
                is_drawn_[one.job] = true;
    }
    bool operator()(std::size_t job) const { return is_drawn_[job]; }

  private:
    std::vector<bool> is_drawn_;
};

constexpr double usd_per_unit = 1.0 / 3.6e18;
constexpr double hours_per_slot_ms = 1.0 / (3.6e6 * slots_per_gpu);

/// Slots of the gang that stalled while it was at work.
std::int64_t stalled_slots(const Result& result, const ResultAttempt& attempt) {
    if (!is_kept(result.jobs.state[attempt.job]))
        return 0;
    return attempt.stopped ? result.stopped.stalled(*attempt.stopped)
                           : result.jobs.stalled(attempt.job);
}

/// An attempt as a slice, named like its job. Its category is the cause of its end.
class AttemptSlice {
  public:
    AttemptSlice(const Result& result, const ResultAttempt& attempt, std::string name);
    AttemptSlice(const AttemptSlice&) = delete;

    [[nodiscard]] TraceSlice slice() const { return {name_, {&category_, 1}, notes_, flow_}; }

  private:
    std::string name_;
    std::string_view category_;
    std::array<TraceNote, 4> notes_;
    std::uint64_t flow_;
};

/// A phase of an attempt as a slice. Its categories are its leaves, the longest first, which is
/// also its name. Its notes have the GPU-hours of each leaf, over the whole gang.
class PhaseSlice {
  public:
    PhaseSlice(const Result& result, const ResultAttempt& attempt, const AttemptPhase& phase);

    [[nodiscard]] TraceSlice slice() const { return {categories_.front(), categories_, notes_, 0}; }

  private:
    std::vector<std::string_view> categories_;
    std::vector<TraceNote> notes_;
};

AttemptSlice::AttemptSlice(const Result& result, const ResultAttempt& attempt, std::string name)
    : name_{std::move(name)}, category_{end_cause(result, attempt)},
      notes_{{{"tenant", std::string_view{result.tenants[result.jobs.tenant[attempt.job]]}},
              {"gpus", std::int64_t{attempt.gpus}},
              {"attempt", static_cast<std::int64_t>(attempt.number)},
              {"cost",
               static_cast<double>(result.pools[attempt.pool]
                                       .price.cost(attempt.slots, attempt.start, attempt.end)
                                       .count()) *
                   usd_per_unit}}},
      flow_{attempt.stopped || attempt.number > 1 ? attempt.job + 1 : 0} {}

PhaseSlice::PhaseSlice(const Result& result,
                       const ResultAttempt& attempt,
                       const AttemptPhase& phase) {
    std::vector<LeafTime> parts{phase.parts.begin(),
                                phase.parts.begin() + static_cast<std::ptrdiff_t>(phase.num_parts)};
    std::ranges::stable_sort(parts, std::ranges::greater{}, &LeafTime::held);
    const std::int64_t slots = attempt.slots;
    const std::int64_t stalled = phase.is_work ? stalled_slots(result, attempt) : 0;
    const auto hours = [](std::int64_t of_slots, Duration held) {
        return static_cast<double>(of_slots) * static_cast<double>(held.count()) *
               hours_per_slot_ms;
    };
    for (const LeafTime& part : parts) {
        categories_.push_back(part.leaf);
        const bool stalls = stalled > 0 && part.leaf.starts_with("prod");
        notes_.push_back({part.leaf, hours(slots - (stalls ? stalled : 0), part.held)});
        if (stalls)
            notes_.push_back({"stalled", hours(stalled, part.held)});
    }
}

/// Writes the trace of a result in order of time: pools, their nodes and GPUs as tracks, attempts
/// and their phases as slices, events as instants, and counters.
class TraceWriter {
  public:
    TraceWriter(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, out_{sink}, counters_{result, out_},
          from_{std::min(options.trace_from.value_or(Duration{}), result.end)},
          to_{std::min(options.trace_to.value_or(result.end), result.end)},
          is_cut_{to_ < result.end}, is_drawn_{result, options},
          moments_{moments_of(result, is_drawn_)} {
        for_each_attempt(result, [&](const ResultAttempt& attempt) {
            const bool is_over = attempt.end <= from_ && attempt.start < from_;
            if (is_drawn_(attempt.job) && !is_over && !is_past(attempt.start))
                attempts_.push_back(attempt);
        });
        std::ranges::stable_sort(attempts_, {}, &ResultAttempt::start);
    }

    void write() {
        if (result_.zero_utc_ms && *result_.zero_utc_ms >= 0)
            out_.clocks(static_cast<std::uint64_t>(*result_.zero_utc_ms) * 1'000'000);
        put_tracks();
        while (step()) {
        }
        open_at(to_);
        if (is_cut_)
            counters_.put_costs(to_);
        else
            counters_.put_total();
    }

  private:
    /// An attempt that holds lanes.
    struct Running {
        std::vector<std::pair<std::size_t, TrackId>> lanes{}; ///< of lanes_, and the track there
        std::vector<TrackId> phase_tracks{};                  ///< on which its phases are drawn
        std::vector<AttemptPhase> phases{};                   ///< those inside the drawn time
        std::size_t phase{};                                  ///< the current one, or the next
        ResultAttempt attempt{};
    };
    /// The next change of a running attempt: the end of its phase, or of the attempt.
    struct Change {
        Duration at{};
        std::size_t order{}; ///< breaks ties: by start
        std::size_t running{};

        bool operator>(const Change& other) const {
            return std::pair{at, order} > std::pair{other.at, other.order};
        }
    };

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    /// Writes the next change. Order at one instant: ends of attempts, events, submits, starts,
    /// counters. False: there is none before `to_`.
    bool step() {
        const JobColumns& jobs = result_.jobs;
        const TimelineColumns& rows = result_.timeline;
        const std::int64_t times[]{
            changes_.empty() ? never : changes_.top().at.count(),
            next_moment_ < moments_.size() ? moments_[next_moment_].at.count() : never,
            next_submit_ < jobs.size() ? jobs.submit_ms[next_submit_] : never,
            next_attempt_ < attempts_.size() ? attempts_[next_attempt_].start.count() : never,
            next_row_ < rows.size() ? rows.time_ms[next_row_] : never};
        const auto* const first = std::ranges::min_element(times);
        if (*first == never || Duration{*first} > to_)
            return false;
        open_at(Duration{*first});
        switch (first - times) {
        case 0:
            change();
            break;
        case 1:
            put_moment(moments_[next_moment_++]);
            break;
        case 2:
            submit(next_submit_++);
            break;
        case 3:
            begin(attempts_[next_attempt_++]);
            break;
        default:
            count(next_row_++);
            break;
        }
        return true;
    }

    void put_tracks() {
        out_.track(queue_track, 0, "queue");
        const bool knows_nodes = !result_.places.empty();
        for (std::size_t p = 0; p < result_.pools.size(); ++p) {
            const ResultPool& pool = result_.pools[p];
            const TrackId parent = track_of(PoolTrack::pool, p);
            out_.track(parent, 0, pool.name);
            first_lanes_.push_back(lanes_.size());
            for (std::uint32_t node = 0; knows_nodes && node < pool.num_nodes; ++node) {
                const TrackId track = node_track(lanes_.size());
                out_.track(track, parent, "node " + std::to_string(node));
                lanes_.emplace_back(lane_track(lanes_.size()), track, pool.gpus_per_node);
            }
            if (!knows_nodes)
                lanes_.emplace_back(lane_track(lanes_.size()), parent, 0);
        }
        counters_.put_tracks();
    }

    /// Writes the state at the beginning of the drawn time, once.
    void open_at(Duration now) {
        if (is_open_ || now < from_)
            return;
        is_open_ = true;
        counters_.open(from_);
    }

    /// Whether an instant is past the drawn time. The end of the run is inside it.
    [[nodiscard]] bool is_past(Duration at) const { return is_cut_ && at >= to_; }

    void submit(std::size_t job) {
        const Duration at{result_.jobs.submit_ms[job]};
        if (result_.jobs.state[job] != JobState::not_submitted && is_drawn_(job) && at >= from_ &&
            !is_past(at))
            out_.instant(queue_track, at, name_of(job), "submit");
    }

    void put_moment(const TraceMoment& moment) {
        if (moment.at < from_ || is_past(moment.at))
            return;
        const std::string job = moment.kind == TraceMoment::Kind::stop
                                    ? name_of(result_.stopped.job[moment.index])
                                    : std::string{};
        out_.instant(track_of(PoolTrack::pool, moment.pool),
                     moment.at,
                     text_of(result_, moment, job),
                     category_of(result_, moment));
        if (moment.kind == TraceMoment::Kind::price)
            counters_.put_price(moment.pool, moment.at);
    }

    void begin(const ResultAttempt& attempt) {
        const Duration at = std::max(attempt.start, from_);
        Running running{.attempt = attempt};
        for (AttemptPhase& phase : phases_of(result_, attempt))
            if (phase.end > from_ && phase.begin < to_)
                running.phases.push_back(phase);
        const AttemptSlice slice{result_, attempt, name_of(attempt.job)};
        const auto take = [&](std::size_t lanes, std::uint32_t gpus) {
            for (std::uint32_t i = 0; i < gpus; ++i) {
                const TrackId track = lanes_[lanes].take(out_);
                running.lanes.emplace_back(lanes, track);
                if (i == 0)
                    running.phase_tracks.push_back(track);
                out_.begin(track, at, slice.slice());
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
        begin_phase(running, at);
        push(std::move(running));
    }

    void push(Running running) {
        std::size_t place = running_.size();
        if (unused_.empty())
            running_.push_back(std::move(running));
        else {
            place = unused_.back();
            unused_.pop_back();
            running_[place] = std::move(running);
        }
        await(place, num_begun_++);
    }

    /// Schedules the next change of the attempt.
    void await(std::size_t place, std::size_t order) {
        const Running& running = running_[place];
        const bool is_last = running.phase + 1 >= running.phases.size();
        const Duration at = is_last ? running.attempt.end : running.phases[running.phase].end;
        changes_.push({std::clamp(at, from_, to_), order, place});
    }

    void begin_phase(const Running& running, Duration at) {
        if (running.phase >= running.phases.size())
            return;
        const PhaseSlice slice{result_, running.attempt, running.phases[running.phase]};
        for (const TrackId track : running.phase_tracks)
            out_.begin(track, at, slice.slice());
    }
    void end_phase(const Running& running, Duration at) {
        if (running.phase < running.phases.size())
            for (const TrackId track : running.phase_tracks)
                out_.end(track, at);
    }

    void change() {
        const Change next = changes_.top();
        changes_.pop();
        Running& running = running_[next.running];
        end_phase(running, next.at);
        if (running.phase + 1 < running.phases.size()) {
            ++running.phase;
            begin_phase(running, next.at);
            await(next.running, next.order);
            return;
        }
        for (const auto& [lanes, track] : running.lanes) {
            out_.end(track, next.at);
            lanes_[lanes].give_back(track);
        }
        unused_.push_back(next.running);
    }

    void count(std::size_t row) {
        if (Duration{result_.timeline.time_ms[row]} < from_)
            counters_.pass(row);
        else
            counters_.put(row);
    }

    [[nodiscard]] std::string name_of(std::size_t job) const {
        const auto name = result_.jobs.name(job);
        return name ? std::string{*name} : "job " + std::to_string(job);
    }

    const Result& result_;
    TracePackets out_;
    TraceCounters counters_;
    Duration from_, to_; ///< the drawn time
    bool is_cut_;        ///< the run continues after it
    DrawnJobs is_drawn_;
    std::vector<TraceMoment> moments_;
    std::vector<ResultAttempt> attempts_;  ///< in order of time
    std::vector<std::size_t> first_lanes_; ///< of each pool, in lanes_
    std::vector<TraceLanes> lanes_;        ///< of each node, or of each pool
    std::vector<Running> running_;
    std::vector<std::size_t> unused_; ///< places of running_
    std::priority_queue<Change, std::vector<Change>, std::greater<>> changes_;
    std::size_t next_moment_{}, next_submit_{}, next_attempt_{}, next_row_{}, num_begun_{};
    bool is_open_{};
};

} // namespace

void write_perfetto(const Result& result, const OutputOptions& options, TextSink& sink) {
    TraceWriter{result, options, sink}.write();
}

}} // namespace bursar::reports
