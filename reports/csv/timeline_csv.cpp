#include <algorithm>

#include "reports/bill/printed_bill.hpp"
#include "reports/registry.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

/// Writes the rows of timeline.csv: what is the same for one row per change and for averages.
class TimelineWriter {
  public:
    TimelineWriter(const Result& result, TextSink& sink)
        : result_{result}, sink_{sink}, instants_{result.zero_utc_ms} {
        for (const ResultPool& pool : result.pools)
            pools_.push_back(csv_field(pool.name));
    }

    /// Figures in millionths; `until` is the instant to which the cost has grown. The burn is the
    /// mean from `t` to there, or that of the instant where they are one.
    void put_row(Duration t,
                 std::size_t pool_index,
                 int128 allocated,
                 int128 queue_jobs,
                 int128 queue_gpus,
                 Duration until) {
        const ResultPool& pool = result_.pools[pool_index];
        instants_.put(sink_, t);
        sink_.put(',');
        sink_.put(pools_[pool_index]);
        sink_.put(',');
        sink_.put_micro(int128{pool.num_gpus()} * 1'000'000 - allocated);
        sink_.put(',');
        sink_.put_micro(allocated);
        sink_.put(",0,"); // down: nothing fails yet
        sink_.put_micro(queue_jobs);
        sink_.put(',');
        sink_.put_micro(queue_gpus);
        sink_.put(',');
        sink_.put_micro(divide_half_up(burn(pool, t, until).count(), money_per_micro_usd));
        sink_.put(',');
        const Duration paid = std::clamp(until, result_.window_begin, result_.window_end);
        sink_.put_micro(divide_half_up(pool.cost_between(result_.window_begin, paid).count(),
                                       money_per_micro_usd));
        sink_.put('\n');
    }

  private:
    /// What an hour costs at the price from `begin` to `end`, or at `begin` where they are one.
    static Money burn(const ResultPool& pool, Duration begin, Duration end) {
        const SlotTime one_hour = slot_time(pool.num_gpus() * slots_per_gpu, hour);
        if (begin == end || !pool.price.varies())
            return pool.price.at(begin) * one_hour;
        const int128 spent = pool.cost_between(begin, end).count();
        const int128 span = (end - begin).count();
        return Money{spent / span * hour.count() +
                     divide_half_up(spent % span * hour.count(), span)};
    }

    const Result& result_;
    TextSink& sink_;
    InstantWriter instants_;
    std::vector<std::string> pools_; ///< names as fields
};

/// The state of all pools and of the queue while the timeline is walked, and its integral over the
/// current bucket.
class BucketAverages {
  public:
    explicit BucketAverages(const Result& result)
        : allocated_(result.pools.size()), allocated_time_(result.pools.size()) {}

    void advance_to(std::int64_t time_ms) {
        const int128 span = time_ms - now_;
        for (std::size_t p = 0; p < allocated_.size(); ++p)
            allocated_time_[p] += span * allocated_[p];
        queue_jobs_time_ += span * queue_jobs_;
        queue_slots_time_ += span * queue_slots_;
        now_ = time_ms;
    }
    void apply(const TimelineColumns& rows, std::size_t row) {
        allocated_[rows.pool[row]] = rows.allocated_slots[row];
        queue_jobs_ = rows.queue_jobs[row];
        queue_slots_ = rows.queue_slots[row];
    }
    /// Writes the averages over [begin, now) and starts the next bucket at now.
    void write(TimelineWriter& writer, Duration begin) {
        const int128 span = now_ - begin.count();
        const auto average = [&](int128 integral, std::int64_t unit) {
            return divide_half_up(integral * (1'000'000 / unit), span);
        };
        for (std::size_t p = 0; p < allocated_.size(); ++p) {
            writer.put_row(begin,
                           p,
                           average(allocated_time_[p], slots_per_gpu),
                           average(queue_jobs_time_, 1),
                           average(queue_slots_time_, slots_per_gpu),
                           Duration{now_});
            allocated_time_[p] = 0;
        }
        queue_jobs_time_ = 0;
        queue_slots_time_ = 0;
    }

  private:
    std::vector<int128> allocated_;
    std::vector<int128> allocated_time_; ///< slot-ms in this bucket, per pool
    int128 queue_jobs_{};
    int128 queue_slots_{};
    int128 queue_jobs_time_{};
    int128 queue_slots_time_{};
    std::int64_t now_{};
};

/// One row per change, then one per pool at the run's end.
void write_changes(const Result& result, TimelineWriter& writer) {
    const TimelineColumns& rows = result.timeline;
    std::vector<std::int64_t> allocated(result.pools.size());
    std::uint32_t queue_jobs = 0;
    std::int64_t queue_slots = 0;
    const auto put = [&](Duration t, std::size_t pool) {
        writer.put_row(t,
                       pool,
                       int128{allocated[pool]} * (1'000'000 / slots_per_gpu),
                       int128{queue_jobs} * 1'000'000,
                       int128{queue_slots} * (1'000'000 / slots_per_gpu),
                       t);
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        allocated[rows.pool[row]] = rows.allocated_slots[row];
        queue_jobs = rows.queue_jobs[row];
        queue_slots = rows.queue_slots[row];
        put(Duration{rows.time_ms[row]}, rows.pool[row]);
    }
    for (std::size_t pool = 0; pool < result.pools.size(); ++pool)
        put(result.end, pool);
}

void write_buckets(const Result& result, Duration bucket, TimelineWriter& writer) {
    const TimelineColumns& rows = result.timeline;
    BucketAverages averages{result};
    std::size_t row = 0;
    Duration end;
    for (Duration begin{}; begin < result.end; begin = end) {
        end = bucket < result.end - begin ? begin + bucket : result.end; // no sum past the end
        for (; row < rows.size() && rows.time_ms[row] < end.count(); ++row) {
            averages.advance_to(rows.time_ms[row]);
            averages.apply(rows, row);
        }
        averages.advance_to(end.count());
        averages.write(writer, begin);
    }
}

} // namespace

void write_timeline_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    sink.put("t,pool,free,allocated,down,queue_jobs,queue_gpus,burn_per_hour,cumulative_cost\n");
    TimelineWriter writer{result, sink};
    if (options.bucket)
        write_buckets(result, *options.bucket, writer);
    else
        write_changes(result, writer);
}

} // namespace bursar::inline reports
