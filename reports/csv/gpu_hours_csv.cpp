#include "reports/bill/energy.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/registry.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {

void write_gpu_hours_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    const PrintedEnergy energy = print_energy(result);
    sink.put("pool,gpu_type,purchase,region,tenant,leaf,cause,gpu_hours,cost,energy_kwh,"
             "carbon_kg\n");
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        const ResultPool& pool = result.pools[cell.pool];
        put_csv_field(sink, pool.name);
        sink.put(',');
        put_csv_field(sink, pool.gpu);
        sink.put(',');
        sink.put(purchase_names[static_cast<std::size_t>(pool.purchase)]);
        sink.put(',');
        put_csv_field(sink, pool.region);
        sink.put(',');
        if (cell.tenant)
            put_csv_field(sink, tenant_title(result.tenants[*cell.tenant]));
        sink.put(',');
        sink.put(name_of(cell.leaf));
        sink.put(",,"); // cause: nothing interrupts jobs yet
        sink.put_micro(bill.cell_hours[i]);
        sink.put(',');
        sink.put_micro(bill.cell_usd[i]);
        for (const auto& levels : {energy.kwh, energy.carbon_kg}) {
            sink.put(',');
            if (levels)
                sink.put_micro(levels->cells[i]);
        }
        sink.put('\n');
    }
}

} // namespace bursar::inline reports
