#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/csv/csv_outputs.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar {
namespace {

/// Writes the rows of jobs.csv. Each figure is rounded by itself: the file prints no total.
class JobRowWriter {
  public:
    JobRowWriter(const Result& result, TextSink& sink)
        : result_{result}, jobs_{result.jobs}, sink_{sink}, instants_{result.zero_utc_ms} {
        for (const std::string& tenant : result.tenants)
            tenant_titles_.push_back(tenant_title(tenant));
    }

    void write(std::size_t job) {
        const JobState state = jobs_.state[job];
        identity(job, state);
        times(job, state);
        spans(job, state);
        sink_.put(','); // rho: no isolated share is known
        counts(state);
        bill(job, state);
        sink_.put(",,,"); // slo_deadline, slo_met, energy_kwh: not modelled
        sink_.put_micro(divide_half_up(stalled(job).count(), slot_ms_per_micro_gpu_hour));
        sink_.put('\n');
    }

  private:
    /// job_id, tenant, pool, gpu_type, gpus and the comma after them
    void identity(std::size_t job, JobState state) {
        if (const auto name = jobs_.name(job))
            put_csv_field(sink_, *name);
        else
            sink_.put_integer(job);
        sink_.put(',');
        put_csv_field(sink_, tenant_titles_[jobs_.tenant[job]]);
        sink_.put(',');
        if (has_started(state)) {
            const ResultPool& pool = result_.pools[jobs_.pool[job]];
            put_csv_field(sink_, pool.name);
            sink_.put(',');
            put_csv_field(sink_, pool.gpu);
        } else {
            sink_.put(',');
        }
        sink_.put(',');
        sink_.put_integer(jobs_.gpus[job]);
        sink_.put(',');
    }

    /// submit, eligible, first_start, finish, final_state
    void times(std::size_t job, JobState state) {
        const Duration submit{jobs_.submit_ms[job]};
        instants_.put(sink_, submit);
        sink_.put(',');
        instants_.put(sink_, submit); // eligible: jobs depend on nothing and never back off
        sink_.put(',');
        if (has_started(state))
            instants_.put(sink_, Duration{jobs_.start_ms[job]});
        sink_.put(',');
        if (has_finished(state))
            instants_.put(sink_, Duration{jobs_.finish_ms[job]});
        sink_.put(',');
        sink_.put(job_state_names[static_cast<std::size_t>(state)]);
        sink_.put(',');
    }

    /// wait_s, run_s, jct_s, slowdown
    void spans(std::size_t job, JobState state) {
        const std::int64_t submit = jobs_.submit_ms[job];
        const std::int64_t start = jobs_.start_ms[job];
        const std::int64_t finish = jobs_.finish_ms[job];
        if (has_started(state))
            put_seconds(start - submit);
        sink_.put(',');
        if (!has_finished(state)) {
            sink_.put(",,,");
            return;
        }
        put_seconds(finish - start);
        sink_.put(',');
        put_seconds(finish - submit);
        sink_.put(',');
        if (finish > start)
            sink_.put_micro(divide_half_up(int128{finish - submit} * 1'000'000, finish - start));
        sink_.put(',');
    }

    /// attempts, preemptions, failures
    void counts(JobState state) {
        sink_.put(has_started(state) ? "1,0," : "0,0,");
        sink_.put(state == JobState::node_failed ? "1," : "0,");
    }

    /// gpu_hours, productive_gpu_hours, lost_gpu_hours, cost, cost_per_productive_gpu_hour
    void bill(std::size_t job, JobState state) {
        const std::int64_t slots = std::int64_t{jobs_.gpus[job]} * slots_per_gpu;
        const std::int64_t until = has_finished(state) ? jobs_.finish_ms[job] : result_.end.count();
        SlotTime held;
        if (has_started(state))
            held = slot_time(slots, Duration{until - jobs_.start_ms[job]});
        const SlotTime work = slot_time(slots, Duration{jobs_.work_ms[job]});
        const bool kept = is_kept(state);
        const SlotTime productive = kept ? work - stalled(job) : SlotTime{};
        const MoneyRate rate =
            has_started(state) ? result_.pools[jobs_.pool[job]].rate : MoneyRate{};
        const Money cost = rate * held;
        put_hours(held);
        put_hours(productive);
        put_hours(kept ? SlotTime{} : work);
        sink_.put_micro(divide_half_up(cost.count(), money_per_micro_usd));
        sink_.put(',');
        if (productive > SlotTime{}) // nano-USD per GPU-hour to millionths of a USD
            sink_.put_micro(divide_half_up(cost.count(), productive.count() * 1000));
        sink_.put(',');
    }

    [[nodiscard]] SlotTime stalled(std::size_t job) const {
        return slot_time(jobs_.stalled(job), Duration{jobs_.work_ms[job]});
    }
    void put_seconds(std::int64_t ms) { sink_.put_micro(int128{ms} * 1000); }
    void put_hours(SlotTime time) {
        sink_.put_micro(divide_half_up(time.count(), slot_ms_per_micro_gpu_hour));
        sink_.put(',');
    }

    const Result& result_;
    const JobColumns& jobs_;
    TextSink& sink_;
    InstantWriter instants_;
    std::vector<std::string> tenant_titles_;
};

} // namespace

void write_jobs_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("job_id,tenant,pool,gpu_type,gpus,submit,eligible,first_start,finish,final_state,"
             "wait_s,run_s,jct_s,slowdown,rho,attempts,preemptions,failures,gpu_hours,"
             "productive_gpu_hours,lost_gpu_hours,cost,cost_per_productive_gpu_hour,slo_deadline,"
             "slo_met,energy_kwh,stalled_gpu_hours\n");
    JobRowWriter writer{result, sink};
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        writer.write(job);
}

} // namespace bursar
