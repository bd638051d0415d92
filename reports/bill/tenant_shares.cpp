#include "reports/bill/tenant_shares.hpp"

#include "reports/rounding/largest_remainder.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The row that a cell belongs to before idle time is shared.
std::size_t row_of(const ResultCell& cell, std::size_t num_tenants) {
    if (group_of(cell.leaf) == LeafGroup::idle)
        return num_tenants;
    return cell.tenant && group_of(cell.leaf) != LeafGroup::unavailable ? *cell.tenant
                                                                        : num_tenants + 1;
}

} // namespace

std::string tenant_title(std::string_view name) {
    if (name.empty())
        return std::string{no_tenant_name};
    return (name.starts_with("__") ? "_" : "") + std::string{name};
}

std::vector<int128> idle_weights(std::span<const TenantShare> tenants, ShareIdle mode) {
    std::vector<int128> out;
    for (const TenantShare& tenant : tenants) {
        switch (mode) {
        case ShareIdle::even:
            out.push_back(1);
            break;
        case ShareIdle::usage:
            out.push_back(tenant.allocated.count());
            break;
        case ShareIdle::none:
        case ShareIdle::quota:
            out.push_back(0);
            break;
        }
    }
    return out;
}

std::vector<TenantShare>
tenant_shares(const Result& result, const PrintedBill& printed, ShareIdle mode) {
    const std::size_t num_tenants = result.tenants.size();
    std::vector<TenantShare> rows(num_tenants + 2);
    for (std::size_t t = 0; t < num_tenants; ++t)
        rows[t].name = tenant_title(result.tenants[t]);
    rows[num_tenants].name = idle_row_name;
    rows[num_tenants + 1].name = platform_row_name;

    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        const std::size_t row = row_of(cell, num_tenants);
        rows[row].held += cell.held;
        rows[row].cost += cell.cost;
        rows[row].printed_hours += printed.cell_hours[i];
        rows[row].printed_usd += printed.cell_usd[i];
        if (row < num_tenants) {
            rows[row].allocated += cell.held;
            rows[row].printed_allocated += printed.cell_hours[i];
        }
    }

    const std::span<TenantShare> tenants{rows.data(), num_tenants};
    TenantShare& idle = rows[num_tenants];
    const std::vector<int128> weights = idle_weights(tenants, mode);
    const std::vector<int128> held = share(idle.held.count(), weights);
    const std::vector<int128> cost = share(idle.cost.count(), weights);
    const std::vector<int128> hours = share(idle.printed_hours, weights);
    const std::vector<int128> usd = share(idle.printed_usd, weights);
    for (std::size_t t = 0; t < num_tenants; ++t) {
        tenants[t].held += SlotTime{held[t]};
        tenants[t].cost += Money{cost[t]};
        tenants[t].printed_hours += hours[t];
        tenants[t].printed_usd += usd[t];
        idle.held -= SlotTime{held[t]};
        idle.cost -= Money{cost[t]};
        idle.printed_hours -= hours[t];
        idle.printed_usd -= usd[t];
    }
    return rows;
}

}} // namespace bursar::reports
