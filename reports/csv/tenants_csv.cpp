#include "sim/record/distribution.hpp"

#include "reports/bill/in_currency.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Waits of the measured jobs of one tenant for their first start.
struct TenantWaits {
    std::uint64_t num_jobs{};
    std::vector<std::int64_t> finished_ms; ///< of finished jobs, as in the metrics
    int128 least_ms{}; ///< sum over all jobs; those that never started count until the end
};

std::vector<TenantWaits> tenant_waits(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<TenantWaits> out(result.tenants.size());
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (!result.measures(job))
            continue;
        TenantWaits& waits = out[jobs.tenant[job]];
        const JobState state = jobs.state[job];
        const std::int64_t until = has_started(state) ? jobs.start_ms[job] : result.end.count();
        const std::int64_t wait = until - jobs.submit_ms[job];
        ++waits.num_jobs;
        waits.least_ms += wait;
        if (has_finished(state))
            waits.finished_ms.push_back(wait);
    }
    return out;
}

/// Figures of one tenant's waits: mean, percentiles, maximum.
constexpr std::size_t num_waits = percentiles.size() + 2;

/// Columns that do not apply.
void put_commas(TextSink& sink, std::size_t num) {
    for (; num > 0; --num)
        sink.put(',');
}

/// The columns after `jain_x`; rows of sums have none.
void put_waits(TextSink& sink, TenantWaits waits) {
    const Distribution finished = distribution_of(waits.finished_ms);
    sink.put(',');
    sink.put_integer(waits.num_jobs);
    sink.put(',');
    sink.put_integer(finished.count);
    if (finished.count == 0) {
        put_commas(sink, num_waits);
    } else {
        sink.put(',');
        sink.put_micro(divide_half_up(finished.sum * 1000, finished.count));
        for (const Percentile& percentile : percentiles) {
            sink.put(',');
            sink.put_micro(*(finished.*percentile.hundredths) * 10);
        }
        sink.put(',');
        sink.put_micro(int128{finished.max} * 1000);
    }
    sink.put(',');
    if (waits.num_jobs > 0)
        sink.put_micro(divide_half_up(waits.least_ms * 1000, waits.num_jobs));
}

} // namespace

void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    const auto shares = tenant_shares(result, print_bill(result), options.share_idle);
    const std::vector<TenantWaits> waits = tenant_waits(result);
    const std::string_view mode = share_idle_names[static_cast<std::size_t>(options.share_idle)];
    sink.put("tenant,allocated,share_idle,gpu_hours,cost,jain_x,jobs_measured,jobs_finished,"
             "wait_mean_s");
    for (const Percentile& percentile : percentiles) {
        sink.put(",wait_");
        sink.put(percentile.name);
        sink.put("_s");
    }
    sink.put(",wait_max_s,wait_mean_least_s");
    if (result.run.currency)
        sink.put(",cost_in_currency,currency");
    sink.put('\n');
    for (std::size_t row = 0; row < shares.size(); ++row) {
        const bool is_tenant = row < result.tenants.size();
        put_csv_field(sink, shares[row].name);
        sink.put(',');
        if (is_tenant)
            sink.put_micro(shares[row].printed_allocated);
        sink.put(',');
        sink.put(mode);
        sink.put(',');
        sink.put_micro(shares[row].printed_hours);
        sink.put(',');
        sink.put_micro(shares[row].printed_usd);
        sink.put(',');
        if (is_tenant) // without entitlements all are equal, and Jain's index is free of scale
            sink.put_micro(shares[row].printed_allocated);
        if (is_tenant)
            put_waits(sink, waits[row]);
        else
            put_commas(sink, num_waits + 3);
        if (result.run.currency) {
            sink.put(',');
            sink.put_micro(in_currency(shares[row].printed_usd, *result.run.currency));
            sink.put(',');
            put_csv_field(sink, result.run.currency->code);
        }
        sink.put('\n');
    }
}

}} // namespace bursar::reports
