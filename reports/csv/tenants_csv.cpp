#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/registry.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {

void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    const auto shares = tenant_shares(result, print_bill(result), options.share_idle);
    const std::string_view mode = share_idle_names[static_cast<std::size_t>(options.share_idle)];
    sink.put("tenant,quota,entitled,allocated,borrowed,idle_quota,starved_gpu_hours,share_idle,"
             "gpu_hours,cost,jain_x\n");
    for (std::size_t row = 0; row < shares.size(); ++row) {
        const bool is_tenant = row < result.tenants.size();
        put_csv_field(sink, shares[row].name);
        sink.put(",,,"); // no quotas
        if (is_tenant)
            sink.put_micro(shares[row].printed_allocated);
        sink.put(",,,,");
        sink.put(mode);
        sink.put(',');
        sink.put_micro(shares[row].printed_hours);
        sink.put(',');
        sink.put_micro(shares[row].printed_usd);
        sink.put(',');
        if (is_tenant) // without entitlements all are equal, and Jain's index is free of scale
            sink.put_micro(shares[row].printed_allocated);
        sink.put('\n');
    }
}

} // namespace bursar::inline reports
