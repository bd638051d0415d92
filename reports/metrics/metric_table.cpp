#include "reports/metrics/metric_table.hpp"

#include <array>

#include "reports/metrics/stored_number.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

// How a stored number is shown, in millionths.

std::optional<int128> as_count(int128 count, const Metrics&) {
    return count * 1'000'000;
}
std::optional<int128> as_seconds(int128 ms, const Metrics&) {
    return ms * 1000;
}
std::optional<int128> as_gpu_hours(int128 slot_ms, const Metrics&) {
    return divide_half_up(slot_ms, slot_ms_per_micro_gpu_hour);
}
std::optional<int128> as_hours(int128 ms, const Metrics&) {
    return divide_half_up(ms * 1'000'000, hour.count());
}
std::optional<int128> as_length(int128 count, const Metrics& metrics) {
    return metrics.queue.span > Duration{} ? std::optional{count * 1'000'000} : std::nullopt;
}
std::optional<int128> as_mean_length(int128 over_time, const Metrics& metrics) {
    if (metrics.queue.span == Duration{})
        return std::nullopt;
    return divide_half_up(over_time * 1'000'000, metrics.queue.span.count());
}
std::optional<int128> not_shown(int128, const Metrics&) {
    return std::nullopt;
}

constexpr auto all_metrics = std::to_array<MetricEntry>({
    MetricRow{"jobs_measured",
              "jobs_measured",
              ScalarKind::count,
              Better::neither,
              "jobs submitted inside `measure` and before the end",
              stored<&Metrics::jobs_measured>,
              as_count},
    MetricRow{"jobs_finished",
              "jobs_finished",
              ScalarKind::count,
              Better::higher,
              "of the measured jobs, those that finished",
              stored<&Metrics::jobs_finished>,
              as_count},
    MetricRow{"jobs_censored",
              "jobs_censored",
              ScalarKind::count,
              Better::lower,
              "of the measured jobs, those queued or running at the end",
              stored<&Metrics::jobs_censored>,
              as_count},
    MetricRow{"jobs_not_submitted",
              "jobs_not_submitted",
              ScalarKind::count,
              Better::neither,
              "jobs to be submitted inside `measure`, but the run ended first",
              stored<&Metrics::jobs_not_submitted>,
              as_count},
    MetricRow{"censored_gpu_hours",
              "censored_slot_ms",
              ScalarKind::gpu_hours,
              Better::neither,
              "held by the censored jobs until the end",
              stored<&Metrics::censored_held>,
              as_gpu_hours},
    DistributionRow{
        "jct_s", "jct_ms", "JCT", "finish - submit", &Metrics::jct, DistributionUnit::milliseconds},
    DistributionRow{"wait_s",
                    "wait_ms",
                    "wait",
                    "first start - submit",
                    &Metrics::wait,
                    DistributionUnit::milliseconds},
    DistributionRow{"queued_total_s",
                    "queued_total_ms",
                    "queued in total",
                    "all time submitted and not running: JCT - run time",
                    &Metrics::queued_total,
                    DistributionUnit::milliseconds},
    DistributionRow{"slowdown",
                    "slowdown_millionths",
                    "slowdown",
                    "JCT / run time, where run time is time holding GPUs over all attempts; jobs "
                    "without run time are left out",
                    &Metrics::slowdown,
                    DistributionUnit::millionths},
    DistributionRow{"bounded_slowdown",
                    "bounded_slowdown_millionths",
                    "bounded slowdown",
                    "max(1, JCT / max(run time, 10 s))",
                    &Metrics::bounded_slowdown,
                    DistributionUnit::millionths},
    DistributionRow{"priority_wait_s",
                    "priority_wait_ms",
                    "wait of urgent jobs",
                    "`wait_s` of the jobs whose priority is above the lowest of the workload; of "
                    "none where all are equal",
                    &Metrics::priority_wait,
                    DistributionUnit::milliseconds},
    DistributionRow{"attempts",
                    "attempts",
                    "attempts",
                    "starts of a job",
                    &Metrics::attempts,
                    DistributionUnit::number},
    DistributionRow{"wait_at_least_s",
                    "wait_at_least_ms",
                    "wait, at least",
                    "lower bound over all measured jobs: first start - submit, or end - submit of "
                    "those that never started",
                    &Metrics::wait_at_least,
                    DistributionUnit::milliseconds,
                    true},
    DistributionRow{"jct_at_least_s",
                    "jct_at_least_ms",
                    "JCT, at least",
                    "lower bound over all measured jobs: finish - submit, or end - submit of those "
                    "that did not finish",
                    &Metrics::jct_at_least,
                    DistributionUnit::milliseconds,
                    true},
    MetricRow{"makespan_s",
              "makespan_ms",
              ScalarKind::seconds,
              Better::lower,
              "last finish - first submit of the measured jobs",
              stored<&Metrics::makespan>,
              as_seconds,
              true},
    MetricRow{
        "preemptions",
        "preemptions",
        ScalarKind::count,
        Better::neither,
        "attempts of measured jobs, finished or not, that a policy stopped before their work ended",
        stored<&Metrics::preemptions>,
        as_count},
    MetricRow{
        "migrations",
        "migrations",
        ScalarKind::count,
        Better::neither,
        "attempts of measured jobs that were stopped to go on in a pool where that costs less",
        stored<&Metrics::migrations>,
        as_count},
    MetricRow{"restarts",
              "restarts",
              ScalarKind::count,
              Better::neither,
              "starts of measured jobs after their first",
              stored<&Metrics::restarts>,
              as_count},
    MetricRow{"preempted_without_progress",
              "preempted_without_progress",
              ScalarKind::count,
              Better::lower,
              "of the preemptions, those after which nothing of the attempt's work was kept",
              stored<&Metrics::preempted_without_progress>,
              as_count},
    MetricRow{"",
              "queue.span_ms",
              ScalarKind::seconds,
              Better::neither,
              "",
              stored<&QueueLength::span>,
              not_shown},
    MetricRow{"queue_jobs.mean",
              "queue.job_ms",
              ScalarKind::count,
              Better::lower,
              "jobs in the queue, weighted by the time inside the window",
              stored<&QueueLength::job_ms>,
              as_mean_length},
    MetricRow{"queue_jobs.p50",
              "queue.p50_jobs",
              ScalarKind::count,
              Better::lower,
              "median of that length",
              stored<&QueueLength::p50_jobs>,
              as_length},
    MetricRow{"queue_jobs.p99",
              "queue.p99_jobs",
              ScalarKind::count,
              Better::lower,
              "99th percentile of that length",
              stored<&QueueLength::p99_jobs>,
              as_length},
    MetricRow{"queue_jobs.max",
              "queue.most_jobs",
              ScalarKind::count,
              Better::lower,
              "maximum length of the queue",
              stored<&QueueLength::max_jobs>,
              as_length},
    MetricRow{"queue_gpus.mean",
              "queue.gpu_ms",
              ScalarKind::count,
              Better::lower,
              "GPUs that the queued jobs request, weighted by the time inside the window",
              stored<&QueueLength::gpu_ms>,
              as_mean_length},
    MetricRow{"queue_gpus.max",
              "queue.most_gpus",
              ScalarKind::count,
              Better::lower,
              "maximum GPUs that queued jobs requested at once",
              stored<&QueueLength::max_gpus>,
              as_length},
    MetricRow{"deadlines.jobs",
              "deadlines.jobs",
              ScalarKind::count,
              Better::neither,
              "measured jobs that have a deadline; null: none of the run has one",
              stored<&Deadlines::jobs>,
              as_count},
    MetricRow{"deadlines.missed",
              "deadlines.missed",
              ScalarKind::count,
              Better::lower,
              "of these, those that ended later, or were unfinished when it passed",
              stored<&Deadlines::missed>,
              as_count},
    MetricRow{"deadlines.failed",
              "deadlines.failed",
              ScalarKind::count,
              Better::neither,
              "of these, those that failed before it; `slo_met` of jobs.csv is 0 of both",
              stored<&Deadlines::failed>,
              as_count},
    MetricRow{"deadlines.open",
              "deadlines.open",
              ScalarKind::count,
              Better::neither,
              "of these, those that were cancelled, or unfinished when the run ended before it",
              stored<&Deadlines::open>,
              as_count},
    MetricRow{"placement.wait_job_hours",
              "place_wait.job_ms",
              ScalarKind::job_hours,
              Better::lower,
              "waiting caused by placement: pending jobs that would have started had only the "
              "number of free GPUs mattered, summed over the time inside the window; see below",
              stored<&PlaceWait::job_ms>,
              as_hours},
    MetricRow{"placement.wait_gpu_hours",
              "place_wait.slot_ms",
              ScalarKind::gpu_hours,
              Better::lower,
              "the same, multiplied by the GPUs that they request",
              stored<&PlaceWait::slot_ms>,
              as_gpu_hours},
    MetricRow{"placement.gained_gpu_hours",
              "level_effect.gained_slot_ms",
              ScalarKind::gpu_hours,
              Better::higher,
              "speed gained by placement: GPU time that the work of the measured jobs would have "
              "taken more, had every gang been spread over the widest level of its pool; see below",
              stored<&LevelEffect::gained_slot_ms>,
              as_gpu_hours},
    MetricRow{
        "placement.lost_gpu_hours",
        "level_effect.lost_slot_ms",
        ScalarKind::gpu_hours,
        Better::lower,
        "speed lost: GPU time that it took more than at the narrowest level that can hold the gang",
        stored<&LevelEffect::lost_slot_ms>,
        as_gpu_hours},
});

/// Millionths of the unit shown, per unit stored.
constexpr int128 micro_per(DistributionUnit unit) {
    switch (unit) {
    case DistributionUnit::milliseconds:
        return 1000;
    case DistributionUnit::millionths:
        return 1;
    case DistributionUnit::number:
        break;
    }
    return 1'000'000;
}

} // namespace

std::span<const MetricEntry> metric_table() {
    return all_metrics;
}

std::vector<DistributionFigure> figures(const DistributionRow& row, const Metrics& metrics) {
    const Distribution& values = metrics.*row.values;
    const int128 unit = micro_per(row.unit);
    const bool known = values.count > 0;
    const auto where_known = [&](int128 micro) {
        return known ? std::optional{micro} : std::nullopt;
    };
    std::vector<DistributionFigure> out;
    out.push_back(
        {"mean",
         known ? std::optional{divide_half_up(values.sum * unit, values.count)} : std::nullopt});
    for (const Percentile& percentile : percentiles) {
        const std::optional<int128> hundredths = values.*percentile.hundredths;
        out.push_back({percentile.name,
                       known && hundredths ? std::optional{divide_half_up(*hundredths * unit, 100)}
                                           : std::nullopt});
    }
    out.push_back({"max", where_known(values.max * unit)});
    return out;
}

}} // namespace bursar::reports
