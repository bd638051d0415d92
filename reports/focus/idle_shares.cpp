#include "reports/focus/idle_shares.hpp"

#include <span>
#include <string>

#include "reports/bill/tenant_shares.hpp"
#include "reports/rounding/largest_remainder.hpp"

namespace bursar { inline namespace reports {

IdleShares::IdleShares(const Result& result,
                       const PrintedBill& bill,
                       const OutputOptions& options) {
    if (options.focus_version == FocusVersion::v1_2)
        return;
    const std::vector<TenantShare> rows = tenant_shares(result, bill, ShareIdle::none);
    const std::span<const TenantShare> tenants{rows.data(), result.tenants.size()};
    const std::vector<int128> weights = idle_weights(tenants, options.share_idle);
    const std::vector<int128> billionths = share(1'000'000'000, weights);
    const std::string method =
        "share-idle/" + std::string{share_idle_names[static_cast<std::size_t>(options.share_idle)]};
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (weights[i] == 0)
            continue;
        IdlePart& part =
            parts_.emplace_back(IdlePart{method, tenants[i].name, billionths[i], std::nullopt});
        if (options.share_idle == ShareIdle::usage)
            part.gpu_hours = tenants[i].printed_allocated;
        weights_.push_back(weights[i]);
    }
}

std::vector<int128> IdleShares::of(int128 quantity) const {
    return share(quantity, weights_);
}

}} // namespace bursar::reports
