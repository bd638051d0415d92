#include <optional>

#include "sim/record/distribution.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"

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
        const std::int64_t wait = until - jobs.eligible(job);
        ++waits.num_jobs;
        waits.least_ms += wait;
        if (has_finished(state))
            waits.finished_ms.push_back(wait);
    }
    return out;
}

/// Figures of one tenant's waits: mean, percentiles, maximum.
constexpr std::size_t num_waits = percentiles.size() + 2;

/// The columns after `jain_x`; rows of sums have none.
void put_waits(CsvRow& row, TenantWaits waits) {
    const Distribution finished = distribution_of(waits.finished_ms);
    row.integer(waits.num_jobs).integer(finished.count);
    if (finished.count == 0) {
        row.empty(num_waits);
    } else {
        row.micro(divide_half_up(finished.sum * 1000, finished.count));
        for (const Percentile& percentile : percentiles)
            row.micro(*(finished.*percentile.hundredths) * 10);
        row.micro(int128{finished.max} * 1000);
    }
    row.micro(waits.num_jobs > 0
                  ? std::optional{divide_half_up(waits.least_ms * 1000, waits.num_jobs)}
                  : std::nullopt);
}

} // namespace

void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    const auto shares = tenant_shares(result, print_bill(result), options.share_idle);
    const std::vector<TenantWaits> waits = tenant_waits(result);
    const std::string_view mode = share_idle_names[static_cast<std::size_t>(options.share_idle)];
    sink.put("tenant,allocated,share_idle,gpu_hours,cost_usd,jain_x,jobs_measured,jobs_finished,"
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
            put_waits(row, waits[i]);
        else
            row.empty(num_waits + 3);
        if (result.run.currency) {
            row.micro(in_currency(share.printed_usd, *result.run.currency));
            row.text(result.run.currency->code);
        }
        row.end();
    }
}

}} // namespace bursar::reports
