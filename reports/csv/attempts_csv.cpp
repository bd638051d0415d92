#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result_attempt.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::int64_t nano_usd_per_micro_usd = 1000;

/// Time of an attempt by the categories of jobs.csv: kept work of a job that failed or was
/// cancelled is lost.
struct AttemptTimes {
    SlotTime overhead, stalled, lost, productive;
};

AttemptTimes times_of(const Result& result, const ResultAttempt& attempt) {
    const StoppedColumns& stopped = result.stopped;
    const std::size_t job = attempt.job;
    const auto& at = attempt.stopped;
    const Duration at_work{at ? stopped.kept_ms[*at] : result.jobs.work_ms[job]};
    const Duration again{at ? stopped.lost_ms[*at] : 0};
    const std::int64_t stood_still = at ? stopped.stalled(*at) : result.jobs.stalled(job);
    const std::int64_t slots = attempt.slots;
    const Duration held = attempt.end - attempt.start;
    const Duration kept_for = std::min(at_work, held); // also of a damaged file
    const SlotTime kept = slot_time(slots, kept_for);
    const SlotTime lost = slot_time(slots, std::min(again, held - kept_for));
    AttemptTimes times{slot_time(slots, held) - kept - lost, {}, lost, {}};
    if (is_kept(result.jobs.state[job])) {
        times.stalled = slot_time(std::min(stood_still, slots), kept_for);
        times.productive = kept - times.stalled;
    } else {
        times.lost += kept;
    }
    return times;
}

std::optional<std::int64_t> entry_of(const std::vector<std::int64_t>& column, std::size_t row) {
    return column.empty() ? std::nullopt : std::optional{column[row]};
}

/// Writes the rows of attempts.csv. Each figure is rounded by itself: the file prints no total.
class AttemptRowWriter {
  public:
    AttemptRowWriter(const Result& result, TextSink& sink)
        : result_{result}, sink_{sink}, row_{sink}, ids_{result.jobs},
          instants_{csv_instants(result)}, pool_fields_{pool_fields(result)} {}

    void write() {
        for_each_attempt(result_, [&](const ResultAttempt& attempt) { put(attempt); });
    }

  private:
    /// Nodes of its pool, in order: "0-3;7".
    void put_nodes(const ResultAttempt& attempt) {
        if (result_.places.empty())
            return;
        const std::span all{result_.places.node};
        const std::size_t begin = result_.places.begin_of(attempt.index);
        const std::span<const std::uint32_t> held =
            all.subspan(begin, result_.places.end[attempt.index] - begin);
        nodes_.assign(held.begin(), held.end());
        std::ranges::sort(nodes_);
        for (std::size_t i = 0; i < nodes_.size();) {
            std::size_t last = i;
            while (last + 1 < nodes_.size() && nodes_[last + 1] == nodes_[last] + 1)
                ++last;
            if (i > 0)
                sink_.put(';');
            sink_.put_integer(nodes_[i]);
            if (last > i) {
                sink_.put('-');
                sink_.put_integer(nodes_[last]);
            }
            i = last + 1;
        }
    }

    void put(const ResultAttempt& attempt) {
        const std::size_t job = attempt.job;
        const PoolPrice& price = result_.pools[attempt.pool].price;
        const std::int64_t slots = attempt.slots;
        const Duration span = attempt.end - attempt.start;
        const int128 gpu_hours =
            divide_half_up(slot_time(slots, span).count(), slot_ms_per_micro_gpu_hour);
        const auto believed = attempt.stopped
                                  ? entry_of(result_.stopped.believed_cost, *attempt.stopped)
                                  : entry_of(result_.jobs.believed_cost, job);
        ids_.put(row_, job);
        row_.integer(attempt.number);
        instants_.put(row_.next(), attempt.start);
        instants_.put(row_.next(), attempt.end);
        row_.plain(end_cause(result_, attempt)).plain(pool_fields_[attempt.pool]);
        row_.integer(attempt.gpus);
        result_.jobs.level.empty() ? row_.empty() : row_.integer(attempt.level);
        row_.micro(int128{span.count()} * 1000).micro(gpu_hours);
        row_.micro(divide_half_up(price.cost(slots, attempt.start, attempt.end).count(),
                                  money_per_micro_usd));
        row_.micro(believed ? std::optional{divide_half_up(*believed, nano_usd_per_micro_usd)}
                            : std::nullopt);
        put_times(times_of(result_, attempt), gpu_hours);
        row_.next();
        put_nodes(attempt);
        row_.end();
    }

    /// The columns that add up to its GPU-hours.
    void put_times(const AttemptTimes& times, int128 gpu_hours) {
        const std::array parts{times.overhead.count(),
                               times.stalled.count(),
                               times.lost.count(),
                               times.productive.count()};
        for (const int128 hours : largest_remainder(parts, slot_ms_per_micro_gpu_hour, gpu_hours))
            row_.micro(hours);
    }

    const Result& result_;
    TextSink& sink_;
    CsvRow row_;
    JobIds ids_;
    InstantWriter instants_;
    std::vector<std::string> pool_fields_;
    std::vector<std::uint32_t> nodes_; ///< scratch
};

} // namespace

void write_attempts_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("job_id,attempt,start,stop,end_cause,pool,gpu_type,gpus,level,held_s,gpu_hours,"
             "cost_usd,believed_usd_per_gpu_hour,overhead_gpu_hours,stalled_gpu_hours,"
             "lost_gpu_hours,productive_gpu_hours,nodes\n");
    AttemptRowWriter{result, sink}.write();
}

}} // namespace bursar::reports
