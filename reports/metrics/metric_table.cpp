#include "reports/metrics/metric_table.hpp"

#include <array>
#include <type_traits>
#include <utility>

#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

// From a member of Metrics, or of one of its blocks, to the way it is kept: stored<&Metrics::jct>.

const Metrics* block_of(const Metrics& metrics, std::type_identity<Metrics>) {
    return &metrics;
}
const QueueLength* block_of(const Metrics& metrics, std::type_identity<QueueLength>) {
    return &metrics.queue;
}
const Deadlines* block_of(const Metrics& metrics, std::type_identity<Deadlines>) {
    return metrics.deadlines ? &*metrics.deadlines : nullptr;
}
const StagingUse* block_of(const Metrics& metrics, std::type_identity<StagingUse>) {
    return metrics.staging ? &*metrics.staging : nullptr;
}
const PlaceWait* block_of(const Metrics& metrics, std::type_identity<PlaceWait>) {
    return metrics.place_wait ? &*metrics.place_wait : nullptr;
}
const LevelEffect* block_of(const Metrics& metrics, std::type_identity<LevelEffect>) {
    return metrics.level_effect ? &*metrics.level_effect : nullptr;
}

/// The block to fill; it is created where it is absent.
Metrics& made_block(Metrics& metrics, std::type_identity<Metrics>) {
    return metrics;
}
QueueLength& made_block(Metrics& metrics, std::type_identity<QueueLength>) {
    return metrics.queue;
}
Deadlines& made_block(Metrics& metrics, std::type_identity<Deadlines>) {
    return metrics.deadlines ? *metrics.deadlines : metrics.deadlines.emplace();
}
StagingUse& made_block(Metrics& metrics, std::type_identity<StagingUse>) {
    return metrics.staging ? *metrics.staging : metrics.staging.emplace();
}
PlaceWait& made_block(Metrics& metrics, std::type_identity<PlaceWait>) {
    return metrics.place_wait ? *metrics.place_wait : metrics.place_wait.emplace();
}
LevelEffect& made_block(Metrics& metrics, std::type_identity<LevelEffect>) {
    return metrics.level_effect ? *metrics.level_effect : metrics.level_effect.emplace();
}

template <class Member>
struct StoredMember;

/// A member that every result has.
template <class Block, class Value>
struct StoredMember<Value Block::*> {
    using Number = Value;
    static constexpr bool is_optional = false;

    static std::optional<Value> get(const Metrics& metrics, Value Block::*member) {
        const Block* block = block_of(metrics, std::type_identity<Block>{});
        return block == nullptr ? std::nullopt : std::optional{block->*member};
    }
    static void set(Metrics& metrics, Value Block::*member, Value value) {
        made_block(metrics, std::type_identity<Block>{}).*member = value;
    }
};

/// A member that may be unknown: one that means nothing without jobs.
template <class Block, class Value>
struct StoredMember<std::optional<Value> Block::*> {
    using Number = Value;
    static constexpr bool is_optional = true;

    static std::optional<Value> get(const Metrics& metrics, std::optional<Value> Block::*member) {
        const Block* block = block_of(metrics, std::type_identity<Block>{});
        return block == nullptr ? std::nullopt : block->*member;
    }
    static void set(Metrics& metrics, std::optional<Value> Block::*member, Value value) {
        made_block(metrics, std::type_identity<Block>{}).*member = value;
    }
};

/// A quantity's number, or the number itself.
template <class Value>
constexpr int128 number_of(Value value) {
    if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, int128>)
        return value;
    else
        return value.count();
}

template <class Value>
constexpr StoredNumber::Form form_of() {
    if constexpr (std::is_same_v<Value, std::uint64_t>)
        return StoredNumber::Form::count;
    else if constexpr (std::is_same_v<Value, Duration>)
        return StoredNumber::Form::milliseconds;
    else
        return StoredNumber::Form::exact;
}

template <auto member>
constexpr StoredNumber stored{
    [](const Metrics& metrics) -> std::optional<int128> {
        const auto value = StoredMember<decltype(member)>::get(metrics, member);
        return value ? std::optional{number_of(*value)} : std::nullopt;
    },
    [](Metrics& metrics, int128 value) {
        using Stored = StoredMember<decltype(member)>;
        using Number = typename Stored::Number;
        if constexpr (std::is_integral_v<Number>)
            Stored::set(metrics, member, static_cast<Number>(value));
        else if constexpr (std::is_same_v<Number, Duration>)
            Stored::set(metrics, member, Duration{static_cast<std::int64_t>(value)});
        else
            Stored::set(metrics, member, Number{value});
    },
    form_of<typename StoredMember<decltype(member)>::Number>(),
    StoredMember<decltype(member)>::is_optional};

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
              "of the measured jobs, those queued or running at the end, rejected or dropped",
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
    MetricRow{
        "finished_work_gpu_hours",
        "finished_work_slot_ms",
        ScalarKind::gpu_hours,
        Better::higher,
        "work of the finished jobs, without those that failed or were cancelled, in GPU-hours "
        "at reference speed: run times as the trace or list has them, of a `model` those on "
        "the fastest of its pools",
        stored<&Metrics::finished_work>,
        as_gpu_hours},
    DistributionRow{
        "jct_s", "jct_ms", "JCT", "finish - submit", &Metrics::jct, DistributionUnit::milliseconds},
    DistributionRow{
        "wait_s",
        "wait_ms",
        "wait",
        "first start - eligible, that is its submit, or when the jobs that it waits for "
        "have ended",
        &Metrics::wait,
        DistributionUnit::milliseconds},
    DistributionRow{"queued_total_s",
                    "queued_total_ms",
                    "queued in total",
                    "all time eligible and not running",
                    &Metrics::queued_total,
                    DistributionUnit::milliseconds},
    DistributionRow{"slowdown",
                    "slowdown_millionths",
                    "slowdown",
                    "(finish - eligible) / ideal run time: start-up, work, saves and teardown of "
                    "the job alone and "
                    "undisturbed, on the best pool that it may use; jobs whose ideal run time is 0 "
                    "are left out",
                    &Metrics::slowdown,
                    DistributionUnit::millionths},
    DistributionRow{"bounded_slowdown",
                    "bounded_slowdown_millionths",
                    "bounded slowdown",
                    "max(1, (finish - eligible) / max(ideal run time, 10 s))",
                    &Metrics::bounded_slowdown,
                    DistributionUnit::millionths},
    DistributionRow{"rho",
                    "rho_millionths",
                    "finish-time fairness",
                    "(finish - eligible) / the ideal run time on an equal share of the fleet, as "
                    "`rho` of `jobs.csv`; jobs whose ideal run time is 0 are left out",
                    &Metrics::rho,
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
    DistributionRow{
        "wait_at_least_s",
        "wait_at_least_ms",
        "wait, at least",
        "lower bound over all measured jobs: first start - eligible, or end - eligible of "
        "those that never started, of dropped ones until then",
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
    MetricRow{"resizes",
              "resizes",
              ScalarKind::count,
              Better::neither,
              "attempts of measured jobs that were stopped to go on with other GPUs at once",
              stored<&Metrics::resizes>,
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
    MetricRow{"deadlines.met",
              "deadlines.met",
              ScalarKind::count,
              Better::higher,
              "of these, those that had completed by then",
              stored<&Deadlines::met>,
              as_count},
    MetricRow{"deadlines.rejected",
              "deadlines.rejected",
              ScalarKind::count,
              Better::neither,
              "of the missed ones, those that were refused at their submit (`late`)",
              stored<&Deadlines::rejected>,
              as_count},
    MetricRow{"deadlines.dropped",
              "deadlines.dropped",
              ScalarKind::count,
              Better::neither,
              "of the missed ones, those that left the queue then (`late: drop`)",
              stored<&Deadlines::dropped>,
              as_count},
    MetricRow{"staging.used",
              "staging.used",
              ScalarKind::count,
              Better::higher,
              "starts of measured jobs whose image and data were staged ahead, in part or whole; "
              "null: no job of the run may stage",
              stored<&StagingUse::used>,
              as_count},
    MetricRow{"staging.for_nothing",
              "staging.for_nothing",
              ScalarKind::count,
              Better::lower,
              "stagings of measured jobs that no start found",
              stored<&StagingUse::for_nothing>,
              as_count},
    MetricRow{"staging.saved_gpu_hours",
              "staging.saved_slot_ms",
              ScalarKind::gpu_hours,
              Better::higher,
              "start-up that measured jobs did not wait for as it was staged, by their GPUs",
              stored<&StagingUse::saved_slot_ms>,
              as_gpu_hours},
    MetricRow{
        "staging.wasted_gpu_hours",
        "staging.wasted_slot_ms",
        ScalarKind::gpu_hours,
        Better::lower,
        "time that stagings for nothing took, by the GPUs of their jobs; other jobs worked on "
        "these meanwhile",
        stored<&StagingUse::wasted_slot_ms>,
        as_gpu_hours},
    MetricRow{"staging.kept_gpu_hours",
              "staging.kept_slot_ms",
              ScalarKind::gpu_hours,
              Better::lower,
              "time that disks kept what was staged, before a start or until it was of no use; by "
              "the GPUs of its job, on which others worked",
              stored<&StagingUse::kept_slot_ms>,
              as_gpu_hours},
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
