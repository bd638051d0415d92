#include "reports/csv/group_jobs.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/record/distribution.hpp"

#include "reports/result/finish_time_fairness.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Figures of a distribution: mean, percentiles, maximum.
constexpr std::size_t num_figures = percentiles.size() + 2;

/// The figures of values that have `micro` millionths each.
void put_figures(CsvRow& row, std::vector<std::int64_t>& values, std::int64_t micro) {
    const Distribution all = distribution_of(values);
    if (all.count == 0) {
        row.empty(num_figures);
        return;
    }
    row.micro(divide_half_up(all.sum * micro, all.count));
    for (const Percentile& percentile : percentiles)
        row.micro(divide_half_up(*(all.*percentile.hundredths) * micro, 100));
    row.micro(int128{all.max} * micro);
}

/// Names of figures in the header line.
void put_figure_names(TextSink& sink, std::string_view of, std::string_view unit) {
    sink.put(fmt::format(",{}_mean{}", of, unit));
    for (const Percentile& percentile : percentiles)
        sink.put(fmt::format(",{}_{}{}", of, percentile.name, unit));
    sink.put(fmt::format(",{}_max{}", of, unit));
}

} // namespace

std::vector<GroupJobs> jobs_of_groups(const Result& result,
                                      const std::vector<std::uint16_t>& group_of,
                                      std::size_t num_groups) {
    const JobColumns& jobs = result.jobs;
    const FinishTimeFairness fairness{result};
    std::vector<GroupJobs> out(num_groups);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (!result.measures(job))
            continue;
        GroupJobs& of_group = out[group_of[job]];
        const JobState state = jobs.state[job];
        const std::int64_t wait = jobs.first_wait_end(job, result.end) - jobs.eligible(job);
        ++of_group.num_jobs;
        of_group.least_ms += wait;
        if (!has_finished(state))
            continue;
        of_group.waits_ms.push_back(wait);
        of_group.jct_ms.push_back(jobs.finish_ms[job] - jobs.submit_ms[job]);
        if (const auto slowdown = jobs.slowdown_millionths(job))
            of_group.slowdown_micro.push_back(*slowdown);
        if (const auto rho = fairness.rho_micro(job))
            of_group.rho_micro.push_back(*rho);
    }
    return out;
}

void put_group_names(TextSink& sink) {
    sink.put(",jobs_measured,jobs_finished");
    put_figure_names(sink, "wait", "_s");
    sink.put(",wait_mean_least_s");
    put_figure_names(sink, "jct", "_s");
    put_figure_names(sink, "slowdown", "");
    put_figure_names(sink, "rho", "");
}

const std::size_t num_group_columns = 3 + 4 * num_figures;

void put_group(CsvRow& row, GroupJobs jobs) {
    constexpr std::int64_t micro_of_ms = 1000;
    row.integer(jobs.num_jobs).integer(jobs.waits_ms.size());
    put_figures(row, jobs.waits_ms, micro_of_ms);
    row.micro(jobs.num_jobs > 0
                  ? std::optional{divide_half_up(jobs.least_ms * micro_of_ms, jobs.num_jobs)}
                  : std::nullopt);
    put_figures(row, jobs.jct_ms, micro_of_ms);
    put_figures(row, jobs.slowdown_micro, 1);
    put_figures(row, jobs.rho_micro, 1);
}

}} // namespace bursar::reports
