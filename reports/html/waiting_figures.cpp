#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/charts/bar_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

double job_hours(int128 job_ms) {
    return static_cast<double>(job_ms) / static_cast<double>(hour.count());
}

std::string job_hours_text(int128 job_ms) {
    return grouped_text(divide_half_up(job_ms * 10, hour.count()), 1) + " job-hours";
}

/// The first waits of the measured jobs of one class, to the end of the run at the latest.
struct WaitSum {
    int128 job_ms{};
    std::uint64_t jobs{};
    std::int64_t most{};
};

std::array<WaitSum, num_gang_classes> wait_sums(const Result& result) {
    std::array<WaitSum, num_gang_classes> sums{};
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        if (!result.measures(job))
            continue;
        const std::int64_t wait =
            result.jobs.first_wait_end(job, result.end) - result.jobs.eligible(job);
        WaitSum& sum = sums[gang_class(result.jobs.gpus[job])];
        sum.job_ms += wait;
        sum.most = std::max(sum.most, wait);
        ++sum.jobs;
    }
    return sums;
}

Figure waits_by_gang(const Result& result) {
    const auto sums = wait_sums(result);
    int128 all = 0;
    for (const WaitSum& sum : sums)
        all += sum.job_ms;
    Figure figure{
        {"waits", "Which jobs did the waiting?", ""},
        {{{"size of gang", Align::left}, {"jobs"}, {"job-hours waited"}, {"mean"}, {"longest"}},
         {}},
        {"From submit to first start, of jobs that never started to the end of the run, or until "
         "they were dropped."}};
    if (all == 0)
        return figure;
    int128 most = 0;
    std::size_t worst = 0;
    BarChart chart{figure.title, {}, {}};
    for (std::size_t gang = 0; gang < sums.size(); ++gang) {
        const WaitSum& sum = sums[gang];
        if (sum.jobs == 0)
            continue;
        if (sum.job_ms > most) {
            most = sum.job_ms;
            worst = gang;
        }
        const auto jobs = static_cast<std::int64_t>(sum.jobs);
        const std::string title{gang_class_title(gang)};
        const Duration mean{static_cast<std::int64_t>(divide_half_up(sum.job_ms, jobs))};
        chart.bars.push_back({fmt::format("{}, mean {}", title, span_text(mean)),
                              job_hours_text(sum.job_ms),
                              "waiting",
                              0,
                              job_hours(sum.job_ms)});
        figure.table.rows.push_back(
            {{title,
              grouped_text(jobs, 0),
              grouped_text(divide_half_up(sum.job_ms * 10, hour.count()), 1),
              span_text(mean),
              span_text(Duration{sum.most})},
             RowKind::plain});
    }
    figure.title.answer = fmt::format("Gangs of {} waited {} of {}.",
                                      gang_class_title(worst),
                                      job_hours_text(most),
                                      job_hours_text(all));
    chart.x = linear_axis("job-hours waited", 0, job_hours(most), 4);
    return drawn(std::move(figure), std::move(chart));
}

Figure why_they_waited(const Result& result) {
    Figure figure{
        {"why", "Why did they wait?", ""},
        {{{"for what", Align::left}, {"job-hours in the queue"}}, {}},
        {"Time in the queue inside the window that is paid for, re-queued jobs included. "
         "A job waits for a place where the free GPUs would be enough for it, but are not "
         "where it may run."}};
    const Metrics& metrics = result.metrics;
    if (!metrics.place_wait || metrics.queue.job_ms == 0)
        return figure;
    const int128 place = std::min(metrics.place_wait->job_ms, metrics.queue.job_ms);
    const int128 other = metrics.queue.job_ms - place;
    BarChart chart{figure.title,
                   linear_axis("job-hours in the queue", 0, job_hours(std::max(place, other)), 4),
                   {}};
    for (const auto& [title, job_ms, colour] :
         {std::tuple{"for free GPUs, or their turn", other, "waiting"},
          std::tuple{"for a place, with GPUs free", place, "idle"}}) {
        chart.bars.push_back({title, job_hours_text(job_ms), colour, 0, job_hours(job_ms)});
        figure.table.rows.push_back(
            {{title, grouped_text(divide_half_up(job_ms * 10, hour.count()), 1)}, RowKind::plain});
    }
    figure.title.answer = fmt::format("{} of {} were {}.",
                                      job_hours_text(std::max(place, other)),
                                      job_hours_text(place + other),
                                      chart.bars[place > other ? 1 : 0].label);
    return drawn(std::move(figure), std::move(chart));
}

} // namespace

std::vector<Figure> waiting_figures(const Result& result) {
    std::vector<Figure> figures{waits_by_gang(result), why_they_waited(result)};
    std::erase_if(figures, [](const Figure& figure) { return figure.svg.empty(); });
    return figures;
}

}} // namespace bursar::reports
