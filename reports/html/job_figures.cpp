#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "reports/charts/row_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/job_spans.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_jobs = 15;

/// A job and what all of its attempts cost.
struct CostlyJob {
    std::size_t job{};
    Money cost;
};

std::vector<CostlyJob> costliest(const Result& result, const std::vector<StoppedSum>& stopped) {
    std::vector<CostlyJob> jobs;
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const StoppedSum earlier = stopped.empty() ? StoppedSum{} : stopped[job];
        if (!has_started(result.jobs.state[job]) && earlier.stops == 0)
            continue;
        jobs.push_back({job, cost_of(result, job, earlier)});
    }
    const std::size_t shown = std::min(jobs.size(), most_jobs);
    std::ranges::partial_sort(
        jobs, jobs.begin() + static_cast<std::ptrdiff_t>(shown), [](const auto& a, const auto& b) {
            return a.cost != b.cost ? a.cost > b.cost : a.job < b.job;
        });
    jobs.resize(shown);
    return jobs;
}

/// Waits and attempts of a job, in order of time.
std::vector<ChartSpan> spans_of(const Result& result, std::size_t job) {
    const JobColumns& jobs = result.jobs;
    std::vector<ChartSpan> spans;
    std::int64_t since = jobs.eligible(job);
    const auto hold =
        [&](std::int64_t from, std::int64_t to, std::string_view colour, std::string tip) {
            if (from > since)
                spans.push_back({double(since),
                                 double(from),
                                 "waiting",
                                 "waited " + span_text(Duration{from - since})});
            spans.push_back({double(from), double(to), std::string{colour}, std::move(tip)});
            since = to;
        };
    for (std::size_t i = 0; i < result.stopped.size(); ++i)
        if (result.stopped.job[i] == job)
            hold(result.stopped.start_ms[i],
                 result.stopped.stop_ms[i],
                 colour_of_attempt(JobState::preempted, true),
                 std::string{
                     stop_cause_names[static_cast<std::size_t>(result.stopped.cause_of(i))]});
    const JobState state = jobs.state[job];
    if (state == JobState::dropped)
        spans.push_back(
            {double(since), double(jobs.finish_ms[job]), "waiting", "waited until it was dropped"});
    else if (state != JobState::preempted)
        hold(jobs.last_start(job),
             has_finished(state) ? jobs.finish_ms[job] : result.end.count(),
             colour_of_attempt(state, false),
             std::string{job_state_names[static_cast<std::size_t>(state)]});
    else
        spans.push_back({double(since), double(result.end.count()), "waiting", "waits again"});
    return spans;
}

std::string cents_text(Money cost) {
    return grouped_text(divide_half_up(cost.count(), money_per_usd / 100), 2);
}

/// Jobs, where Result counts what started again anew.
std::int64_t num_started(const Result& result) {
    return std::ranges::count_if(result.jobs.state, has_started);
}

} // namespace

std::vector<Figure> job_figures(const Result& result) {
    const std::vector<StoppedSum> stopped = stopped_sums(result);
    const std::vector<CostlyJob> jobs = costliest(result, stopped);
    if (jobs.empty() || jobs.front().cost == Money{})
        return {};
    Figure figure{{"jobs", "Which jobs cost the most, and when did they run?", ""},
                  {{{"job", Align::left},
                    {"GPUs"},
                    {"attempts"},
                    {"submitted", Align::left},
                    {"first start", Align::left},
                    {"end", Align::left},
                    {"USD"},
                    {"state", Align::left}},
                   {}},
                  {fmt::format("The {} jobs that cost most, of {} that started.",
                               jobs.size(),
                               grouped_text(num_started(result), 0))}};
    GanttChart chart{{}, time_axis(result.zero_utc_ms, Duration{}, result.end, 5), {}, {}};
    for (const auto& [job, cost] : jobs) {
        const JobState state = result.jobs.state[job];
        const auto gpus = grouped_text(result.jobs.gpus[job], 0);
        chart.rows.push_back({job_title(result, job),
                              fmt::format("{} GPUs, {} USD", gpus, cents_text(cost)),
                              spans_of(result, job)});
        const std::size_t attempts =
            std::ranges::count_if(chart.rows.back().spans,
                                  [](const ChartSpan& span) { return span.colour != "waiting"; });
        const auto instant = [&](std::int64_t ms) {
            return readable_instant(result.zero_utc_ms, Duration{ms});
        };
        figure.table.rows.push_back(
            {{job_title(result, job),
              gpus,
              std::to_string(attempts),
              instant(result.jobs.submit_ms[job]),
              instant(result.jobs.start_ms[job]),
              has_finished(state) ? instant(result.jobs.finish_ms[job]) : "",
              cents_text(cost),
              std::string{job_state_names[static_cast<std::size_t>(state)]}},
             RowKind::plain});
    }
    figure.title.answer = fmt::format(
        "{}: {} USD.", job_title(result, jobs.front().job), cents_text(jobs.front().cost));
    chart.legend = legend_of_spans(chart.rows);
    return {drawn(std::move(figure), std::move(chart))};
}

}} // namespace bursar::reports
