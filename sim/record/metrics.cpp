#include "sim/record/metrics.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace bursar {
namespace {

using Values = std::vector<std::int64_t>;

/// The percentile `q` (0..100) of `values` in hundredths. Elements before `sorted_below` are known
/// to be the smallest ones; on return that holds up to the percentile's own rank, so that rising
/// percentiles look at ever fewer values.
int128 percentile(Values& values, std::uint64_t q, std::size_t& sorted_below) {
    const std::uint64_t scaled_rank = q * (values.size() - 1);
    const std::size_t rank = scaled_rank / 100;
    const auto weight = static_cast<std::int64_t>(scaled_rank % 100);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(sorted_below), at, values.end());
    sorted_below = rank;
    int128 hundredths = int128{*at} * (100 - weight);
    if (weight > 0)
        hundredths += int128{*std::min_element(at + 1, values.end())} * weight;
    return hundredths;
}

/// Statistics of `values`, which are reordered.
Distribution distribution(Values& values) {
    Distribution out;
    out.count = values.size();
    if (values.empty())
        return out;
    out.max = values.front();
    for (const std::int64_t value : values) {
        out.sum += value;
        out.max = std::max(out.max, value);
    }
    std::size_t sorted_below = 0;
    out.p50_hundredths = percentile(values, 50, sorted_below);
    out.p90_hundredths = percentile(values, 90, sorted_below);
    out.p99_hundredths = percentile(values, 99, sorted_below);
    return out;
}

/// a / b in millionths, half up; b > 0, a < 2^43.
std::int64_t ratio_millionths(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>((int128{a} * 1'000'000 * 2 + b) / (int128{b} * 2));
}

/// The window of one measurement and the columns it reads.
class MeasuredJobs {
  public:
    MeasuredJobs(const Plan& plan, const JobRows& rows) : plan_{plan}, rows_{rows} {}

    [[nodiscard]] bool contains(std::size_t job) const {
        const Duration submit{plan_.submit_ms[job]};
        return submit >= plan_.measure_from && (!plan_.measure_to || submit < *plan_.measure_to);
    }
    [[nodiscard]] std::int64_t jct(std::size_t job) const {
        return rows_.finish_ms[job] - plan_.submit_ms[job];
    }
    [[nodiscard]] std::int64_t wait(std::size_t job) const {
        return rows_.start_ms[job] - plan_.submit_ms[job];
    }
    [[nodiscard]] std::int64_t run(std::size_t job) const {
        return rows_.finish_ms[job] - rows_.start_ms[job];
    }

    /// Statistics of `value(job)` over the finished jobs for which `has_value(job)` holds.
    template <class Value, class HasValue>
    Distribution over_finished(Values& scratch, Value value, HasValue has_value) const {
        scratch.clear();
        for (std::size_t job = 0; job < plan_.num_jobs(); ++job) {
            if (rows_.phase[job] == JobPhase::finished && contains(job) && has_value(job))
                scratch.push_back(value(job));
        }
        return distribution(scratch);
    }

  private:
    const Plan& plan_;
    const JobRows& rows_;
};

void count_jobs(const Plan& plan, const JobRows& rows, Duration end, Metrics& out) {
    const MeasuredJobs jobs{plan, rows};
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
        if (!first_submit)
            first_submit = plan.submit_ms[job];
        if (rows.phase[job] == JobPhase::finished) {
            ++out.jobs_finished;
            last_finish = std::max(last_finish.value_or(0), rows.finish_ms[job]);
            continue;
        }
        ++out.jobs_censored;
        if (rows.phase[job] == JobPhase::running) {
            out.censored_held += slot_time(std::int64_t{plan.gpus(job)} * slots_per_gpu,
                                           end - Duration{rows.start_ms[job]});
        }
    }
    if (first_submit && last_finish)
        out.makespan = Duration{*last_finish - *first_submit};
}

} // namespace

Metrics measure(const Plan& plan, const JobRows& rows, Duration end) {
    assert(rows.phase.size() == plan.num_jobs());
    Metrics out;
    count_jobs(plan, rows, end, out);

    const MeasuredJobs jobs{plan, rows};
    const auto always = [](std::size_t) { return true; };
    const auto has_run = [&](std::size_t job) { return jobs.run(job) > 0; };
    const auto slowdown = [&](std::size_t job) {
        return ratio_millionths(jobs.jct(job), jobs.run(job));
    };
    const auto bounded = [&](std::size_t job) {
        const std::int64_t run = std::max(jobs.run(job), bounded_slowdown_floor.count());
        return std::max<std::int64_t>(1'000'000, ratio_millionths(jobs.jct(job), run));
    };

    Values scratch;
    scratch.reserve(out.jobs_finished);
    out.jct = jobs.over_finished(
        scratch, [&](std::size_t job) { return jobs.jct(job); }, always);
    out.wait = jobs.over_finished(
        scratch, [&](std::size_t job) { return jobs.wait(job); }, always);
    out.queued_total = out.wait; // a job that started once was queued before that only
    out.slowdown = jobs.over_finished(scratch, slowdown, has_run);
    out.bounded_slowdown = jobs.over_finished(scratch, bounded, always);
    return out;
}

} // namespace bursar
