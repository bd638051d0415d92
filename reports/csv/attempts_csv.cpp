#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/csv/job_id.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/registry.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

/// The stopped attempts, job by job in order of time.
std::vector<std::size_t> by_job(const StoppedColumns& stopped) {
    std::vector<std::size_t> out(stopped.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
        return stopped.job[a] < stopped.job[b];
    });
    return out;
}

constexpr std::int64_t nano_usd_per_micro_usd = 1000;

/// One attempt as a row shows it.
struct AttemptRow {
    std::size_t number{1}; ///< of its job's attempts, from 1
    std::uint16_t pool{};
    std::uint8_t level{};
    Duration start{};
    Duration end{};
    std::string_view end_cause;
    std::optional<std::int64_t> believed_cost; ///< nano-USD
};

std::optional<std::int64_t> entry_of(const std::vector<std::int64_t>& column, std::size_t row) {
    return column.empty() ? std::nullopt : std::optional{column[row]};
}

/// Writes the rows of attempts.csv. Each figure is rounded by itself: the file prints no total.
class AttemptRowWriter {
  public:
    AttemptRowWriter(const Result& result, TextSink& sink)
        : result_{result}, sink_{sink}, instants_{result.zero_utc_ms},
          pool_fields_{pool_fields(result)} {}

    void write() {
        const JobColumns& jobs = result_.jobs;
        const StoppedColumns& stopped = result_.stopped;
        const std::vector<std::size_t> order = by_job(stopped);
        auto next = order.begin();
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            AttemptRow row;
            for (; next != order.end() && stopped.job[*next] == job; ++next, ++row.number) {
                row.pool = stopped.pool[*next];
                row.level = stopped.level[*next];
                row.start = Duration{stopped.start_ms[*next]};
                row.end = Duration{stopped.stop_ms[*next]};
                row.end_cause = stop_cause_names[static_cast<std::size_t>(stopped.cause_of(*next))];
                row.believed_cost = entry_of(stopped.believed_cost, *next);
                put(job, row);
            }
            if (has_started(jobs.state[job]) && jobs.state[job] != JobState::preempted)
                put_last(job, row.number);
        }
    }

  private:
    void put_last(std::size_t job, std::size_t number) {
        const JobColumns& jobs = result_.jobs;
        const JobState state = jobs.state[job];
        put(job,
            {number,
             jobs.pool[job],
             jobs.level.empty() ? std::uint8_t{0} : jobs.level[job],
             Duration{jobs.last_start(job)},
             has_finished(state) ? Duration{jobs.finish_ms[job]} : result_.end,
             job_state_names[static_cast<std::size_t>(state)],
             entry_of(jobs.believed_cost, job)});
    }

    void put(std::size_t job, const AttemptRow& row) {
        const PoolPrice& price = result_.pools[row.pool].price;
        const std::int64_t slots = result_.jobs.slots(job);
        const SlotTime held = slot_time(slots, row.end - row.start);
        put_job_id(sink_, result_.jobs, job);
        sink_.put(',');
        sink_.put_integer(row.number);
        sink_.put(',');
        instants_.put(sink_, row.start);
        sink_.put(',');
        instants_.put(sink_, row.end);
        sink_.put(',');
        sink_.put(row.end_cause);
        sink_.put(',');
        sink_.put(pool_fields_[row.pool]);
        sink_.put(',');
        sink_.put_integer(result_.jobs.gpus[job]);
        sink_.put(',');
        if (!result_.jobs.level.empty())
            sink_.put_integer(row.level);
        sink_.put(',');
        sink_.put_micro(int128{(row.end - row.start).count()} * 1000);
        sink_.put(',');
        sink_.put_micro(divide_half_up(held.count(), slot_ms_per_micro_gpu_hour));
        sink_.put(',');
        sink_.put_micro(
            divide_half_up(price.cost(slots, row.start, row.end).count(), money_per_micro_usd));
        sink_.put(',');
        if (row.believed_cost)
            sink_.put_micro(divide_half_up(*row.believed_cost, nano_usd_per_micro_usd));
        sink_.put('\n');
    }

    const Result& result_;
    TextSink& sink_;
    InstantWriter instants_;
    std::vector<std::string> pool_fields_;
};

} // namespace

void write_attempts_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("job_id,attempt,start,end,end_cause,pool,gpu_type,gpus,level,held_s,gpu_hours,cost,"
             "believed_cost\n");
    AttemptRowWriter{result, sink}.write();
}

} // namespace bursar::inline reports
