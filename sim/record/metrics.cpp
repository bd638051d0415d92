#include "sim/record/metrics.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/teardowns.hpp"

namespace bursar { inline namespace sim {
namespace {

/// One start of a job until its GPUs were released, or the run ended.
struct HeldStretch {
    std::size_t job{};
    std::size_t pool{};
    std::size_t level{};
    PlanForm form{};
    std::int64_t start_ms{};
    std::int64_t stop_ms{};
    Duration lead{}; ///< before its work
    bool finished{};
};

/// Adds up, stretch by stretch, how much longer or shorter it would have taken at another level.
class LevelSums {
  public:
    LevelSums(const Plan& plan, const JobRows& rows) : plan_{plan}, teardowns_{plan, rows} {}

    void add(const HeldStretch& held) {
        const Duration submit{plan_.submit_ms[held.job]};
        if (submit < plan_.measure_from || (plan_.measure_to && submit >= *plan_.measure_to))
            return;
        const std::uint16_t own = held.form.job_class;
        const PlanSpeed* got = plan_.speed_by_class(own, held.pool, held.level);
        if (got == nullptr)
            return;
        // Compares levels with the same slow or fast nodes.
        const std::size_t narrowest = held.level - held.level % plan_.num_levels;
        const PlanSpeed* best = plan_.speed_by_class(own, held.pool, narrowest);
        const PlanSpeed* worst =
            plan_.speed_by_class(own, held.pool, narrowest + plan_.num_levels - 1);
        const int128 work = work_ms(held);
        const std::int64_t slots = plan_.shapes[held.form.shape].slots();
        sums_.gained_slot_ms += slots * (work * got->speed / worst->speed - work);
        sums_.lost_slot_ms += slots * (work - work * got->speed / best->speed);
    }

    [[nodiscard]] const LevelEffect& sums() const { return sums_; }

  private:
    /// Time at work of a stretch, including saves.
    [[nodiscard]] std::int64_t work_ms(const HeldStretch& held) const {
        const Duration tail = held.finished ? teardowns_.of(held.job) : Duration{};
        const Duration work = Duration{held.stop_ms - held.start_ms} - held.lead - tail;
        return std::max<std::int64_t>(0, work.count());
    }

    const Plan& plan_;
    Teardowns teardowns_;
    LevelEffect sums_;
};

} // namespace

std::optional<LevelEffect> level_effect(const Plan& plan, const JobRows& rows, Duration end) {
    if (plan.num_levels == 1)
        return std::nullopt;
    LevelSums sums{plan, rows};
    const Leads leads{plan, rows};
    for (std::size_t at = 0; at < rows.stopped.size(); ++at) {
        const StoppedAttempt& stopped = rows.stopped[at];
        sums.add({stopped.job,
                  stopped.pool,
                  stopped.level,
                  rows.form_of_stopped(plan, at),
                  stopped.start_ms,
                  stopped.stop_ms,
                  leads.of_stopped(at),
                  false});
    }
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const bool finished = rows.phase[job] == JobPhase::finished;
        if (!finished && rows.phase[job] != JobPhase::running)
            continue;
        sums.add({job,
                  rows.pool[job],
                  rows.level[job],
                  rows.last_form(plan, job),
                  rows.last_start(job),
                  finished ? rows.finish_ms[job] : end.count(),
                  leads.of_last(job),
                  finished});
    }
    return sums.sums();
}

namespace {

using Values = std::vector<std::int64_t>;

/// The window of one measurement and the columns it reads.
class MeasuredJobs {
  public:
    MeasuredJobs(const Plan& plan, const JobRows& rows) : plan_{plan}, rows_{rows} {
        beyond_asked_.resize(rows.form.size());
        if (rows.stopped.empty())
            return;
        stopped_ms_.resize(plan.num_jobs());
        stops_.resize(plan.num_jobs());
        for (const StoppedAttempt& attempt : rows.stopped) {
            const std::int64_t held_ms = attempt.stop_ms - attempt.start_ms;
            stopped_ms_[attempt.job] += held_ms;
            if (!rows.form.empty())
                beyond_asked_[attempt.job] += beyond_asked(
                    attempt.job, rows.stopped_form[&attempt - rows.stopped.data()], held_ms);
            stops_[attempt.job] += attempt.cause == StopCause::shared ? 0 : 1;
            if (!contains(attempt.job))
                continue;
            num_migrations_ += attempt.cause == StopCause::migrated ? 1 : 0;
            num_resizes_ += attempt.cause == StopCause::resized ? 1 : 0;
            if (attempt.cause != StopCause::preempted)
                continue;
            ++num_preemptions_;
            num_without_progress_ += attempt.kept_ms == 0 ? 1 : 0;
        }
    }

    [[nodiscard]] bool contains(std::size_t job) const {
        const Duration submit{plan_.submit_ms[job]};
        return submit >= plan_.measure_from && (!plan_.measure_to || submit < *plan_.measure_to);
    }
    [[nodiscard]] std::int64_t jct(std::size_t job) const {
        return rows_.finish_ms[job] - plan_.submit_ms[job];
    }
    [[nodiscard]] std::int64_t wait(std::size_t job) const {
        return rows_.start_ms[job] - rows_.eligible(plan_, job);
    }
    /// Of the JCT: after the job had become eligible.
    [[nodiscard]] std::int64_t jct_from_eligible(std::size_t job) const {
        return rows_.finish_ms[job] - rows_.eligible(plan_, job);
    }
    [[nodiscard]] std::uint64_t num_preemptions() const { return num_preemptions_; }
    [[nodiscard]] std::uint64_t num_migrations() const { return num_migrations_; }
    [[nodiscard]] std::uint64_t num_resizes() const { return num_resizes_; }
    [[nodiscard]] std::uint64_t num_without_progress() const { return num_without_progress_; }
    /// Slot time of a job that has started, until the end of the run.
    [[nodiscard]] SlotTime held_slots(std::size_t job, std::int64_t until) const {
        const JobShape& asked = plan_.shapes[plan_.shape[job]];
        SlotTime sum = slot_time(asked.slots(), Duration{held(job, until)});
        if (beyond_asked_.empty())
            return sum;
        sum += beyond_asked_[job];
        if (!waits_again(job))
            sum += beyond_asked(job, rows_.form[job], until - rows_.last_start(job));
        return sum;
    }
    /// Time a job that has started held its GPUs; `until`: its finish, or the end of the run.
    [[nodiscard]] std::int64_t held(std::size_t job, std::int64_t until) const {
        const std::int64_t earlier = stopped_ms_.empty() ? 0 : stopped_ms_[job];
        if (waits_again(job))
            return earlier;
        return earlier + until - rows_.last_start(job);
    }
    [[nodiscard]] std::int64_t run(std::size_t job) const {
        return held(job, rows_.finish_ms[job]);
    }
    [[nodiscard]] std::uint32_t stops(std::size_t job) const {
        return stops_.empty() ? 0 : stops_[job];
    }

    /// Statistics of `value(job)` over all jobs measured.
    template <class Value>
    Distribution over_measured(Values& scratch, Value value) const {
        scratch.clear();
        for (std::size_t job = 0; job < plan_.num_jobs(); ++job) {
            if (rows_.phase[job] != JobPhase::not_submitted && contains(job))
                scratch.push_back(value(job));
        }
        return distribution_of(scratch);
    }

    /// The same over the finished jobs for which `has_value(job)` holds.
    template <class Value, class HasValue>
    Distribution over_finished(Values& scratch, Value value, HasValue has_value) const {
        scratch.clear();
        for (std::size_t job = 0; job < plan_.num_jobs(); ++job) {
            if (rows_.phase[job] == JobPhase::finished && contains(job) && has_value(job))
                scratch.push_back(value(job));
        }
        return distribution_of(scratch);
    }

    /// Whether a job that has started holds no GPUs at the end, and has not finished.
    [[nodiscard]] bool waits_again(std::size_t job) const {
        return rows_.phase[job] == JobPhase::preempted || rows_.phase[job] == JobPhase::dropped;
    }

  private:
    /// Slot time on more slots than a job asked for; negative on fewer.
    [[nodiscard]] SlotTime
    beyond_asked(std::size_t job, const PlanForm& form, std::int64_t held_ms) const {
        const JobShape& asked = plan_.shapes[plan_.shape[job]];
        return slot_time(plan_.shapes[form.shape].slots() - asked.slots(), Duration{held_ms});
    }

    const Plan& plan_;
    const JobRows& rows_;
    std::vector<SlotTime> beyond_asked_;   ///< in stopped attempts; empty: none is
    std::vector<std::int64_t> stopped_ms_; ///< held in stopped attempts; empty: there are none
    std::vector<std::uint32_t> stops_;     ///< likewise
    std::uint64_t num_preemptions_{};
    std::uint64_t num_migrations_{};
    std::uint64_t num_resizes_{};
    std::uint64_t num_without_progress_{};
};

void count_jobs(
    const Plan& plan, const JobRows& rows, const MeasuredJobs& jobs, Duration end, Metrics& out) {
    std::optional<std::int64_t> first_submit;
    std::optional<std::int64_t> last_finish;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (!jobs.contains(job))
            continue;
        if (rows.phase[job] == JobPhase::not_submitted) {
            ++out.jobs_not_submitted;
            continue;
        }
        ++out.jobs_measured;
        const JobPhase phase = rows.phase[job];
        out.restarts += jobs.stops(job) - (jobs.stops(job) > 0 && jobs.waits_again(job) ? 1 : 0);
        if (!first_submit)
            first_submit = plan.submit_ms[job];
        if (phase == JobPhase::finished) {
            ++out.jobs_finished;
            if (plan.end[job] == JobEnd::completed)
                out.finished_work +=
                    slot_time(plan.shapes[plan.shape[job]].slots(), Duration{plan.work_ms[job]});
            last_finish = std::max(last_finish.value_or(0), rows.finish_ms[job]);
            continue;
        }
        ++out.jobs_censored;
        if (phase != JobPhase::queued && phase != JobPhase::dependent) {
            out.censored_held += jobs.held_slots(job, end.count());
        }
    }
    if (first_submit && last_finish)
        out.makespan = Duration{*last_finish - *first_submit};
}

std::optional<Deadlines>
deadlines_of(const Plan& plan, const JobRows& rows, const MeasuredJobs& jobs, Duration end) {
    if (plan.deadline_ms.empty())
        return std::nullopt;
    Deadlines out;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::int64_t deadline_ms = plan.deadline_ms[job];
        if (deadline_ms == no_deadline_ms || !jobs.contains(job) ||
            rows.phase[job] == JobPhase::not_submitted)
            continue;
        ++out.jobs;
        const bool finished = rows.phase[job] == JobPhase::finished;
        const bool dropped = rows.phase[job] == JobPhase::dropped;
        const DeadlineState state =
            deadline_state(deadline_ms,
                           dropped ? JobEnd::rejected : plan.end[job],
                           finished ? std::optional{rows.finish_ms[job]} : std::nullopt,
                           end.count());
        out.missed += state == DeadlineState::missed ? 1 : 0;
        out.failed += state == DeadlineState::failed ? 1 : 0;
        out.open += state == DeadlineState::open ? 1 : 0;
        out.met += state == DeadlineState::met ? 1 : 0;
        out.rejected += plan.end[job] == JobEnd::rejected ? 1 : 0;
        out.dropped += dropped ? 1 : 0;
    }
    return out;
}

/// The least length that the queue did not exceed for `percent` of `span`.
std::uint64_t length_held(const QueueTimes& times, int128 span, int percent) {
    int128 below = 0;
    std::uint64_t length = 0;
    for (; length + 1 < times.ms_at_length.size(); ++length) {
        below += times.ms_at_length[length];
        if (below * 100 >= span * percent)
            break;
    }
    return length;
}

std::optional<StagingUse>
staging_use(const Plan& plan, const JobRows& rows, const MeasuredJobs& jobs) {
    if (!plan.staging.is_on())
        return std::nullopt;
    StagingUse out;
    for (const StagedAhead& one : rows.staged) {
        if (!jobs.contains(one.job))
            continue;
        const int128 slots = plan.shapes[plan.shape[one.job]].slots();
        ++(one.is_used ? out.used : out.for_nothing);
        (one.is_used ? out.saved_slot_ms : out.wasted_slot_ms) += slots * one.staged_ms;
        out.kept_slot_ms += slots * one.kept_ms;
    }
    return out;
}

QueueLength queue_length(const QueueTimes& times) {
    QueueLength out;
    for (std::size_t length = 0; length < times.ms_at_length.size(); ++length) {
        const std::int64_t ms = times.ms_at_length[length];
        out.span += Duration{ms};
        out.job_ms += int128{ms} * static_cast<std::int64_t>(length);
    }
    if (out.span == Duration{})
        return out;
    out.gpu_ms = times.gpu_ms;
    out.p50_jobs = length_held(times, out.span.count(), 50);
    out.p99_jobs = length_held(times, out.span.count(), 99);
    out.max_jobs = times.ms_at_length.size() - 1; // the last entry is not 0
    out.max_gpus = times.max_gpus;
    return out;
}

} // namespace

Metrics measure(const Plan& plan,
                const JobRows& rows,
                std::span<const std::int64_t> ideal_ms,
                Duration end) {
    assert(rows.phase.size() == plan.num_jobs() && ideal_ms.size() == plan.num_jobs());
    Metrics out;
    const MeasuredJobs jobs{plan, rows};
    count_jobs(plan, rows, jobs, end, out);

    const auto always = [](std::size_t) { return true; };
    const auto has_ideal = [&](std::size_t job) { return ideal_ms[job] > 0; };
    const auto slowdown = [&](std::size_t job) {
        return ratio_millionths(jobs.jct_from_eligible(job), ideal_ms[job]);
    };
    const auto bounded = [&](std::size_t job) {
        const std::int64_t floored = std::max(ideal_ms[job], bounded_slowdown_floor.count());
        return std::max<std::int64_t>(1'000'000,
                                      ratio_millionths(jobs.jct_from_eligible(job), floored));
    };

    Values scratch;
    scratch.reserve(out.jobs_measured);
    out.jct = jobs.over_finished(
        scratch, [&](std::size_t job) { return jobs.jct(job); }, always);
    out.wait = jobs.over_finished(
        scratch, [&](std::size_t job) { return jobs.wait(job); }, always);
    out.wait_at_least = out.wait;
    out.jct_at_least = out.jct;
    if (out.jobs_censored > 0) {
        const auto left_ms = [&](std::size_t job) {
            return rows.phase[job] == JobPhase::dropped ? rows.finish_ms[job] : end.count();
        };
        const auto age = [&](std::size_t job) { return left_ms(job) - plan.submit_ms[job]; };
        out.wait_at_least = jobs.over_measured(scratch, [&](std::size_t job) {
            if (rows.phase[job] == JobPhase::dependent)
                return std::int64_t{0};
            const bool never_ran = rows.phase[job] == JobPhase::queued ||
                                   (rows.phase[job] == JobPhase::dropped && jobs.stops(job) == 0);
            return never_ran ? left_ms(job) - rows.eligible(plan, job) : jobs.wait(job);
        });
        out.jct_at_least = jobs.over_measured(scratch, [&](std::size_t job) {
            if (plan.end[job] == JobEnd::rejected)
                return std::int64_t{0};
            return rows.phase[job] == JobPhase::finished ? jobs.jct(job) : age(job);
        });
    }
    out.queued_total = out.wait; // equal if every job started once
    if (!rows.stopped.empty()) {
        out.queued_total = jobs.over_finished(
            scratch,
            [&](std::size_t job) { return jobs.jct_from_eligible(job) - jobs.run(job); },
            always);
    }
    out.slowdown = jobs.over_finished(scratch, slowdown, has_ideal);
    out.bounded_slowdown = jobs.over_finished(scratch, bounded, always);
    out.attempts = jobs.over_finished(
        scratch, [&](std::size_t job) { return jobs.stops(job) + 1; }, always);
    if (!plan.priority.empty()) {
        const std::int32_t lowest = *std::min_element(plan.priority.begin(), plan.priority.end());
        out.priority_wait = jobs.over_finished(
            scratch,
            [&](std::size_t job) { return jobs.wait(job); },
            [&](std::size_t job) { return plan.priority[job] > lowest; });
    }
    out.preemptions = jobs.num_preemptions();
    out.migrations = jobs.num_migrations();
    out.resizes = jobs.num_resizes();
    out.preempted_without_progress = jobs.num_without_progress();
    out.queue = queue_length(rows.queue);
    out.deadlines = deadlines_of(plan, rows, jobs, end);
    out.staging = staging_use(plan, rows, jobs);
    out.place_wait = rows.place_wait;
    out.level_effect = level_effect(plan, rows, end);
    return out;
}

}} // namespace bursar::sim
