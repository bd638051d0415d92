#include <algorithm>
#include <optional>

#include "reports/bill/energy.hpp"
#include "reports/bill/pool_cost.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// State of the GPUs of a pool, in slots or in millionths of GPUs.
struct PoolState {
    int128 allocated{};
    int128 down{};
    int128 off{};
};

PoolState state_in(const TimelineColumns& rows, std::size_t row) {
    return {rows.allocated_slots[row],
            rows.down_slots.empty() ? 0 : rows.down_slots[row],
            rows.off_slots.empty() ? 0 : rows.off_slots[row]};
}

/// Energy figures of a row: power in milliwatts, now or on average, and the energy inside the
/// window up to the end of the row's time.
struct RowEnergy {
    int128 milliwatts{};
    EnergyUse used;
};

/// One for each pool; none where energy was not requested.
std::vector<EnergyMeter> meters_of(const Result& result) {
    std::vector<EnergyMeter> meters;
    for (const ResultPool& pool : result.pools)
        if (pool.energy)
            meters.emplace_back(result, pool);
    return meters;
}

void note(EnergyMeter& meter, Duration t, const PoolState& state) {
    meter.note(t, static_cast<std::int64_t>(state.allocated), static_cast<std::int64_t>(state.off));
}

/// Writes rows of timeline.csv, of single changes or of averages.
class TimelineWriter {
  public:
    TimelineWriter(const Result& result, TextSink& sink)
        : result_{result}, row_{sink}, instants_{csv_instants(result)} {
        for (const ResultPool& pool : result.pools)
            pools_.push_back(csv_field(pool.name));
    }

    /// Figures in millionths. burn: per hour; paid: up to the end of the row's time.
    void put_row(Duration t,
                 std::size_t pool_index,
                 const PoolState& state,
                 int128 queue_jobs,
                 int128 queue_gpus,
                 Money burn,
                 Money paid,
                 const std::optional<RowEnergy>& energy) {
        const ResultPool& pool = result_.pools[pool_index];
        instants_.put(row_.next(), t);
        row_.plain(pools_[pool_index]);
        row_.micro(int128{pool.num_gpus()} * 1'000'000 - state.allocated - state.down - state.off);
        row_.micro(state.allocated).micro(state.down);
        row_.micro(queue_jobs).micro(queue_gpus);
        row_.micro(divide_half_up(burn.count(), money_per_micro_usd));
        row_.micro(divide_half_up(paid.count(), money_per_micro_usd));
        if (energy)
            row_.micro(energy->milliwatts).micro(kwh_micro(energy->used.drawn)); // of a kW
        else
            row_.empty(2);
        const bool has_carbon = energy && pool.energy && pool.energy->grid;
        row_.micro(has_carbon ? std::optional{kg_micro(energy->used.carbon())} : std::nullopt);
        row_.end();
    }

  private:
    const Result& result_;
    CsvRow row_;
    InstantWriter instants_;
    std::vector<std::string> pools_; ///< names as fields
};

/// The state of all pools and of the queue while the timeline is walked, and its integral over the
/// current bucket.
class BucketAverages {
  public:
    explicit BucketAverages(const Result& result)
        : now_state_(result.pools.size()), sums_(result.pools.size()), costs_{costs_of(result)},
          meters_{meters_of(result)}, spent_before_(result.pools.size()),
          drawn_before_(result.pools.size()) {}

    void advance_to(std::int64_t time_ms) {
        const int128 span = time_ms - now_;
        for (std::size_t p = 0; p < now_state_.size(); ++p) {
            sums_[p].allocated += span * now_state_[p].allocated;
            sums_[p].down += span * now_state_[p].down;
            sums_[p].off += span * now_state_[p].off;
            costs_[p].advance_to(Duration{time_ms});
        }
        for (EnergyMeter& meter : meters_)
            meter.advance_to(Duration{time_ms});
        queue_jobs_time_ += span * queue_jobs_;
        queue_slots_time_ += span * queue_slots_;
        now_ = time_ms;
    }
    void apply(const TimelineColumns& rows, std::size_t row) {
        const std::uint32_t pool = rows.pool[row];
        now_state_[pool] = state_in(rows, row);
        costs_[pool].note_off(Duration{rows.time_ms[row]},
                              static_cast<std::int64_t>(now_state_[pool].off));
        if (!meters_.empty())
            note(meters_[pool], Duration{rows.time_ms[row]}, now_state_[pool]);
        queue_jobs_ = rows.queue_jobs[row];
        queue_slots_ = rows.queue_slots[row];
    }
    /// Writes the averages over [begin, now) and starts the next bucket at now.
    void write(TimelineWriter& writer, Duration begin) {
        const int128 span = now_ - begin.count();
        const auto average = [&](int128 integral, std::int64_t unit) {
            return divide_half_up(integral * (1'000'000 / unit), span);
        };
        for (std::size_t p = 0; p < sums_.size(); ++p) {
            const Money spent = costs_[p].since_begin();
            const int128 in_bucket = (spent - spent_before_[p]).count();
            const Money burn{in_bucket / span * hour.count() +
                             divide_half_up(in_bucket % span * hour.count(), span)};
            writer.put_row(begin,
                           p,
                           {average(sums_[p].allocated, slots_per_gpu),
                            average(sums_[p].down, slots_per_gpu),
                            average(sums_[p].off, slots_per_gpu)},
                           average(queue_jobs_time_, 1),
                           average(queue_slots_time_, slots_per_gpu),
                           burn,
                           costs_[p].in_window(),
                           energy_of(p, span));
            sums_[p] = {};
            spent_before_[p] = spent;
        }
        queue_jobs_time_ = 0;
        queue_slots_time_ = 0;
    }

  private:
    /// Averages of the current bucket, `span` ms long, which ends now; the next one begins.
    std::optional<RowEnergy> energy_of(std::size_t pool, int128 span) {
        if (meters_.empty())
            return std::nullopt;
        const EnergyMeter& meter = meters_[pool];
        const DrawnEnergy in_bucket = meter.since_begin() - drawn_before_[pool];
        drawn_before_[pool] = meter.since_begin();
        return RowEnergy{divide_half_up(in_bucket.count(), span * slots_per_gpu),
                         meter.in_window()};
    }

    std::vector<PoolState> now_state_;
    std::vector<PoolState> sums_; ///< slot-ms in this bucket, per pool
    std::vector<PoolCost> costs_;
    std::vector<EnergyMeter> meters_;
    std::vector<Money> spent_before_; ///< this bucket
    std::vector<DrawnEnergy> drawn_before_;
    int128 queue_jobs_{};
    int128 queue_slots_{};
    int128 queue_jobs_time_{};
    int128 queue_slots_time_{};
    std::int64_t now_{};
};

/// One row per change, then one per pool at the run's end.
void write_changes(const Result& result, TimelineWriter& writer) {
    const TimelineColumns& rows = result.timeline;
    std::vector<PoolState> states(result.pools.size());
    std::vector<PoolCost> costs = costs_of(result);
    std::vector<EnergyMeter> meters = meters_of(result);
    std::uint32_t queue_jobs = 0;
    std::int64_t queue_slots = 0;
    const auto put = [&](Duration t, std::size_t pool) {
        constexpr std::int64_t unit = 1'000'000 / slots_per_gpu;
        costs[pool].note_off(t, static_cast<std::int64_t>(states[pool].off));
        std::optional<RowEnergy> energy;
        if (!meters.empty()) {
            note(meters[pool], t, states[pool]);
            energy = RowEnergy{divide_half_up(meters[pool].per_ms().count(), slots_per_gpu),
                               meters[pool].in_window()};
        }
        writer.put_row(
            t,
            pool,
            {states[pool].allocated * unit, states[pool].down * unit, states[pool].off * unit},
            int128{queue_jobs} * 1'000'000,
            int128{queue_slots} * unit,
            costs[pool].per_hour(),
            costs[pool].in_window(),
            energy);
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        states[rows.pool[row]] = state_in(rows, row);
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
    sink.put("t,pool,free,allocated,down,queue_jobs,queue_gpus,burn_usd_per_hour,"
             "cumulative_cost_usd,power_kw,cumulative_energy_kwh,cumulative_carbon_kg\n");
    TimelineWriter writer{result, sink};
    if (options.bucket)
        write_buckets(result, *options.bucket, writer);
    else
        write_changes(result, writer);
}

}} // namespace bursar::reports
