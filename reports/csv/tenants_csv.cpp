#include <string_view>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/csv/group_jobs.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    const auto shares = tenant_shares(result, print_bill(result), options.share_idle);
    const auto jobs = jobs_of_groups(result, result.jobs.tenant, result.tenants.size());
    const std::string_view mode = share_idle_names[static_cast<std::size_t>(options.share_idle)];
    sink.put("tenant,allocated,share_idle,gpu_hours,cost_usd,jain_x");
    put_group_names(sink);
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
            put_group(row, jobs[i]);
        else
            row.empty(num_group_columns);
        if (result.run.currency) {
            row.micro(in_currency(share.printed_usd, *result.run.currency));
            row.text(result.run.currency->code);
        }
        row.end();
    }
}

}} // namespace bursar::reports
