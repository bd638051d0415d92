#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/record/distribution.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/finish_time_fairness.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// What the measured jobs of one tenant went through. Of finished jobs, as in the metrics, but
/// `least_ms`.
struct TenantJobs {
    std::uint64_t num_jobs{};
    std::vector<std::int64_t> waits_ms; ///< for the first start
    int128 least_ms{}; ///< sum over all jobs; those that never started count until the end
    std::vector<std::int64_t> jct_ms;
    std::vector<std::int64_t> slowdown_micro; ///< of jobs whose ideal run time is not 0
    std::vector<std::int64_t> rho_micro;      ///< likewise
};

std::vector<TenantJobs> jobs_of_tenants(const Result& result) {
    const JobColumns& jobs = result.jobs;
    const FinishTimeFairness fairness{result};
    std::vector<TenantJobs> out(result.tenants.size());
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (!result.measures(job))
            continue;
        TenantJobs& of_tenant = out[jobs.tenant[job]];
        const JobState state = jobs.state[job];
        const std::int64_t until = has_started(state) ? jobs.start_ms[job] : result.end.count();
        const std::int64_t wait = until - jobs.eligible(job);
        ++of_tenant.num_jobs;
        of_tenant.least_ms += wait;
        if (!has_finished(state))
            continue;
        of_tenant.waits_ms.push_back(wait);
        of_tenant.jct_ms.push_back(jobs.finish_ms[job] - jobs.submit_ms[job]);
        if (const auto slowdown = jobs.slowdown_millionths(job))
            of_tenant.slowdown_micro.push_back(*slowdown);
        if (const auto rho = fairness.rho_micro(job))
            of_tenant.rho_micro.push_back(*rho);
    }
    return out;
}

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

/// The columns after `jain_x`; rows of sums have none.
constexpr std::size_t num_job_columns = 3 + 4 * num_figures;
void put_jobs(CsvRow& row, TenantJobs jobs) {
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

} // namespace

void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    const auto shares = tenant_shares(result, print_bill(result), options.share_idle);
    const std::vector<TenantJobs> jobs = jobs_of_tenants(result);
    const std::string_view mode = share_idle_names[static_cast<std::size_t>(options.share_idle)];
    sink.put("tenant,allocated,share_idle,gpu_hours,cost_usd,jain_x,jobs_measured,jobs_finished");
    put_figure_names(sink, "wait", "_s");
    sink.put(",wait_mean_least_s");
    put_figure_names(sink, "jct", "_s");
    put_figure_names(sink, "slowdown", "");
    put_figure_names(sink, "rho", "");
    if (result.run.currency)
        sink.put(",cost_in_currency,currency");
    sink.put('\n');
    CsvRow row{sink};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const TenantShare& share = shares[i];
        const bool is_tenant = i < result.tenants.size();
        const auto put_allocated = [&] { // no optional: g++ takes it for one that is not set
            if (is_tenant)
                row.micro(share.printed_allocated);
            else
                row.empty();
        };
        row.text(share.name);
        put_allocated();
        row.plain(mode).micro(share.printed_hours).micro(share.printed_usd);
        put_allocated(); // without entitlements all are equal; Jain's index is free of scale
        if (is_tenant)
            put_jobs(row, jobs[i]);
        else
            row.empty(num_job_columns);
        if (result.run.currency) {
            row.micro(in_currency(share.printed_usd, *result.run.currency));
            row.text(result.run.currency->code);
        }
        row.end();
    }
}

}} // namespace bursar::reports
