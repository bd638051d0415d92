#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/record/metrics.hpp"

#include "reports/bill/energy.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/finish_time_fairness.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Writes the rows of jobs.csv. Each figure is rounded by itself: the file prints no total.
class JobRowWriter {
  public:
    JobRowWriter(const Result& result, TextSink& sink)
        : result_{result}, jobs_{result.jobs}, fairness_{result}, stopped_{stopped_sums(result)},
          row_{sink}, ids_{result.jobs}, instants_{csv_instants(result)},
          pool_fields_{pool_fields(result)} {
        for (const std::string& tenant : result.tenants)
            tenant_fields_.push_back(csv_field(tenant_title(tenant)));
        for (const std::string& name : result.classes)
            class_fields_.push_back(csv_field(name));
    }

    void write(std::size_t job) {
        const JobState state = jobs_.state[job];
        identity(job, state);
        times(job, state);
        spans(job, state);
        row_.micro(fairness_.rho_micro(job));
        counts(job, state);
        bill(job, state);
        deadline(job);
        row_.micro(has_energy(result_)
                       ? std::optional{kwh_micro(energy_of(result_, job, stopped(job)))}
                       : std::nullopt);
        hours(stalled(job));
        row_.plain(result_.measures(job) ? "1" : "0").number(run_time_error(job));
        if (jobs_.job_class.empty())
            row_.empty();
        else
            row_.plain(class_fields_[jobs_.job_class[job]]);
        waits(job);
        row_.end();
    }

  private:
    /// job_id, tenant, pool, gpu_type, gpus
    void identity(std::size_t job, JobState state) {
        ids_.put(row_, job);
        row_.plain(tenant_fields_[jobs_.tenant[job]]);
        row_.plain(has_run(job, state) ? std::string_view{pool_fields_[jobs_.pool[job]]} : ",");
        if (jobs_.gpu_slots.empty())
            row_.integer(jobs_.gpus[job]);
        else // some have a part of one
            row_.micro(int128{jobs_.slots(job)} * (1'000'000 / slots_per_gpu));
    }

    /// submit, eligible, first_start, finish, final_state
    void times(std::size_t job, JobState state) {
        const std::int64_t submit = jobs_.submit_ms[job];
        instant(submit);
        instant(is_never_eligible(state) ? std::nullopt : std::optional{jobs_.eligible(job)});
        instant(has_run(job, state) ? std::optional{jobs_.start_ms[job]} : std::nullopt);
        instant(has_finished(state) ? std::optional{jobs_.finish_ms[job]} : std::nullopt);
        row_.plain(job_state_names[static_cast<std::size_t>(state)]);
    }

    /// wait_s, run_s, jct_s, slowdown
    void spans(std::size_t job, JobState state) {
        const std::int64_t submit = jobs_.submit_ms[job];
        has_run(job, state) ? seconds(jobs_.start_ms[job] - jobs_.eligible(job)) : row_.empty();
        if (!has_finished(state)) {
            row_.empty(3);
            return;
        }
        seconds((stopped(job).held + last_held(result_, job)).count());
        seconds(jobs_.finish_ms[job] - submit);
        row_.micro(jobs_.slowdown_millionths(job));
    }

    /// attempts, preemptions, failures
    void counts(std::size_t job, JobState state) {
        const StoppedSum& earlier = stopped(job);
        const bool has_one_more = has_started(state) && state != JobState::preempted;
        row_.integer(earlier.stops + (has_one_more ? 1 : 0));
        row_.integer(earlier.preemptions);
        row_.integer(earlier.failures + (state == JobState::node_failed ? 1 : 0));
    }

    /// gpu_hours, productive_gpu_hours, lost_gpu_hours, cost, cost_per_productive_gpu_hour
    void bill(std::size_t job, JobState state) {
        const SlotTime work =
            slot_time(jobs_.last_slots(job), Duration{jobs_.work_ms[job]}) + stopped(job).kept;
        const bool kept = is_kept(state);
        const SlotTime productive = kept ? work - stalled(job) : SlotTime{};
        const Money cost = cost_of(result_, job, stopped(job));
        hours(held_by(result_, job, stopped(job)));
        hours(productive);
        hours(stopped(job).lost + (kept ? SlotTime{} : work));
        row_.micro(divide_half_up(cost.count(), money_per_micro_usd));
        // nano-USD per GPU-hour to millionths of a USD
        row_.micro(productive > SlotTime{}
                       ? std::optional{divide_half_up(cost.count(), productive.count() * 1000)}
                       : std::nullopt);
    }

    /// slo_deadline, slo_met: empty where the run ended before the deadline.
    void deadline(std::size_t job) {
        const std::int64_t due_ms = jobs_.deadline_ms.empty() ? 0 : jobs_.deadline_ms[job];
        instant(due_ms > 0 ? std::optional{due_ms} : std::nullopt);
        if (const auto known = due_ms > 0 ? deadline_of(result_, job) : DeadlineState::open;
            known != DeadlineState::open)
            row_.plain(known == DeadlineState::met ? "1" : "0");
        else
            row_.empty();
    }

    /// wait_for_gpus_s, wait_for_nodes_s, wait_for_place_s, wait_for_turn_s
    void waits(std::size_t job) {
        const std::optional<WaitTimes> waits = waits_of(result_, job, stopped(job));
        if (!waits) {
            row_.empty(num_wait_reasons);
            return;
        }
        for (const WaitReason reason :
             {WaitReason::gpus, WaitReason::nodes, WaitReason::place, WaitReason::turn})
            seconds((*waits)[static_cast<std::size_t>(reason)]);
    }

    /// Also of a job that was preempted, and later dropped.
    [[nodiscard]] bool has_run(std::size_t job, JobState state) const {
        return has_started(state) || stopped(job).stops > 0;
    }
    [[nodiscard]] const StoppedSum& stopped(std::size_t job) const {
        return stopped_.empty() ? nothing_ : stopped_[job];
    }
    [[nodiscard]] std::optional<double> run_time_error(std::size_t job) const {
        if (jobs_.modelled.empty() || jobs_.modelled[job] == 0)
            return std::nullopt;
        return result_.modelled[jobs_.modelled[job] - 1].error();
    }
    [[nodiscard]] SlotTime stalled(std::size_t job) const {
        const SlotTime earlier = is_kept(jobs_.state[job]) ? stopped(job).stalled : SlotTime{};
        return earlier + slot_time(jobs_.stalled(job), Duration{jobs_.work_ms[job]});
    }
    void instant(std::optional<std::int64_t> ms) {
        TextSink& sink = row_.next();
        if (ms)
            instants_.put(sink, Duration{*ms});
    }
    CsvRow& seconds(std::int64_t ms) { return row_.micro(int128{ms} * 1000); }
    void hours(SlotTime time) {
        row_.micro(divide_half_up(time.count(), slot_ms_per_micro_gpu_hour));
    }

    const Result& result_;
    const JobColumns& jobs_;
    FinishTimeFairness fairness_;
    std::vector<StoppedSum> stopped_; ///< empty: all are nothing_
    StoppedSum nothing_;
    CsvRow row_;
    JobIds ids_;
    InstantWriter instants_;
    std::vector<std::string> pool_fields_;
    std::vector<std::string> tenant_fields_;
    std::vector<std::string> class_fields_;
};

} // namespace

void write_jobs_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("job_id,tenant,pool,gpu_type,gpus,submit,eligible,first_start,finish,final_state,"
             "wait_s,run_s,jct_s,slowdown,rho,attempts,preemptions,failures,gpu_hours,"
             "productive_gpu_hours,lost_gpu_hours,cost_usd,cost_usd_per_productive_gpu_hour,"
             "slo_deadline,slo_met,energy_kwh,stalled_gpu_hours,measured,run_time_error,class,"
             "wait_for_gpus_s,wait_for_nodes_s,wait_for_place_s,wait_for_turn_s\n");
    JobRowWriter writer{result, sink};
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        writer.write(job);
}

}} // namespace bursar::reports
