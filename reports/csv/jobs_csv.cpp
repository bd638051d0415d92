#include "sim/record/metrics.hpp"

#include "reports/bill/energy.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The final state of a finished job.
JobEnd end_of(JobState state) {
    switch (state) {
    case JobState::failed:
        return JobEnd::failed;
    case JobState::cancelled:
        return JobEnd::cancelled;
    case JobState::node_failed:
        return JobEnd::node_failed;
    default:
        return JobEnd::completed;
    }
}

/// Writes the rows of jobs.csv. Each figure is rounded by itself: the file prints no total.
class JobRowWriter {
  public:
    JobRowWriter(const Result& result, TextSink& sink)
        : result_{result}, jobs_{result.jobs}, stopped_{stopped_sums(result)}, sink_{sink},
          instants_{result.zero_utc_ms}, pool_fields_{pool_fields(result)} {
        for (const std::string& tenant : result.tenants)
            tenant_fields_.push_back(csv_field(tenant_title(tenant)));
    }

    void write(std::size_t job) {
        const JobState state = jobs_.state[job];
        identity(job, state);
        times(job, state);
        spans(job, state);
        sink_.put(','); // rho: no isolated share is known
        counts(job, state);
        bill(job, state);
        deadline(job, state);
        if (has_energy(result_))
            sink_.put_micro(kwh_micro(energy_of(result_, job, stopped(job))));
        sink_.put(',');
        sink_.put_micro(divide_half_up(stalled(job).count(), slot_ms_per_micro_gpu_hour));
        sink_.put(result_.measures(job) ? ",1," : ",0,");
        if (const std::optional<double> error = run_time_error(job))
            sink_.put_number(*error);
        sink_.put('\n');
    }

  private:
    /// job_id, tenant, pool, gpu_type, gpus and the comma after them
    void identity(std::size_t job, JobState state) {
        put_job_id(sink_, jobs_, job);
        sink_.put(',');
        sink_.put(tenant_fields_[jobs_.tenant[job]]);
        sink_.put(',');
        sink_.put(has_started(state) ? std::string_view{pool_fields_[jobs_.pool[job]]} : ",");
        sink_.put(',');
        if (jobs_.slots(job) % slots_per_gpu == 0)
            sink_.put_integer(jobs_.gpus[job]);
        else // a part of one
            sink_.put_micro(int128{jobs_.slots(job)} * (1'000'000 / slots_per_gpu));
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
        const std::int64_t run = (stopped(job).held + last_held(result_, job)).count();
        put_seconds(run);
        sink_.put(',');
        put_seconds(finish - submit);
        sink_.put(',');
        if (run > 0)
            sink_.put_micro(divide_half_up(int128{finish - submit} * 1'000'000, run));
        sink_.put(',');
    }

    /// attempts, preemptions, failures
    void counts(std::size_t job, JobState state) {
        const StoppedSum& earlier = stopped(job);
        const bool has_one_more = has_started(state) && state != JobState::preempted;
        sink_.put_integer(earlier.stops + (has_one_more ? 1 : 0));
        sink_.put(',');
        sink_.put_integer(earlier.preemptions);
        sink_.put(',');
        sink_.put_integer(earlier.failures + (state == JobState::node_failed ? 1 : 0));
        sink_.put(',');
    }

    /// gpu_hours, productive_gpu_hours, lost_gpu_hours, cost, cost_per_productive_gpu_hour
    void bill(std::size_t job, JobState state) {
        const std::int64_t slots = jobs_.slots(job);
        const SlotTime work = slot_time(slots, Duration{jobs_.work_ms[job]}) + stopped(job).kept;
        const bool kept = is_kept(state);
        const SlotTime productive = kept ? work - stalled(job) : SlotTime{};
        const Money cost = cost_of(result_, job, stopped(job));
        put_hours(held_by(result_, job, stopped(job)));
        put_hours(productive);
        put_hours(stopped(job).lost + (kept ? SlotTime{} : work));
        sink_.put_micro(divide_half_up(cost.count(), money_per_micro_usd));
        sink_.put(',');
        if (productive > SlotTime{}) // nano-USD per GPU-hour to millionths of a USD
            sink_.put_micro(divide_half_up(cost.count(), productive.count() * 1000));
        sink_.put(',');
    }

    /// slo_deadline, slo_met: empty where the run ended before the deadline.
    void deadline(std::size_t job, JobState state) {
        const std::int64_t due_ms = jobs_.deadline_ms.empty() ? 0 : jobs_.deadline_ms[job];
        if (due_ms > 0)
            instants_.put(sink_, Duration{due_ms});
        sink_.put(',');
        const bool finished = has_finished(state);
        const DeadlineState known =
            deadline_state(due_ms,
                           finished ? end_of(state) : JobEnd::completed,
                           finished ? std::optional{jobs_.finish_ms[job]} : std::nullopt,
                           result_.end.count());
        if (due_ms > 0 && known != DeadlineState::open)
            sink_.put(known == DeadlineState::met ? "1" : "0");
        sink_.put(',');
    }

    [[nodiscard]] const StoppedSum& stopped(std::size_t job) const {
        return stopped_.empty() ? nothing_ : stopped_[job];
    }
    [[nodiscard]] std::optional<double> run_time_error(std::size_t job) const {
        if (jobs_.modelled.empty() || jobs_.modelled[job] == 0)
            return std::nullopt;
        return result_.modelled[jobs_.modelled[job] - 1].error;
    }
    [[nodiscard]] SlotTime stalled(std::size_t job) const {
        const SlotTime earlier = is_kept(jobs_.state[job]) ? stopped(job).stalled : SlotTime{};
        return earlier + slot_time(jobs_.stalled(job), Duration{jobs_.work_ms[job]});
    }
    void put_seconds(std::int64_t ms) { sink_.put_micro(int128{ms} * 1000); }
    void put_hours(SlotTime time) {
        sink_.put_micro(divide_half_up(time.count(), slot_ms_per_micro_gpu_hour));
        sink_.put(',');
    }

    const Result& result_;
    const JobColumns& jobs_;
    std::vector<StoppedSum> stopped_; ///< empty: all are nothing_
    StoppedSum nothing_;
    TextSink& sink_;
    InstantWriter instants_;
    std::vector<std::string> pool_fields_;
    std::vector<std::string> tenant_fields_;
};

} // namespace

void write_jobs_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("job_id,tenant,pool,gpu_type,gpus,submit,eligible,first_start,finish,final_state,"
             "wait_s,run_s,jct_s,slowdown,rho,attempts,preemptions,failures,gpu_hours,"
             "productive_gpu_hours,lost_gpu_hours,cost,cost_per_productive_gpu_hour,slo_deadline,"
             "slo_met,energy_kwh,stalled_gpu_hours,measured,run_time_error\n");
    JobRowWriter writer{result, sink};
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        writer.write(job);
}

}} // namespace bursar::reports
