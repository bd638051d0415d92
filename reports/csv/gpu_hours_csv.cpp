#include <string>
#include <vector>

#include "reports/bill/energy.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"

namespace bursar { inline namespace reports {

void write_gpu_hours_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    const PrintedEnergy energy = print_energy(result);
    sink.put("pool,gpu_type,purchase,region,tenant,leaf,cause,gpu_hours,cost_usd,energy_kwh,"
             "carbon_kg\n");
    const std::vector<std::string> fields = cell_fields(result);
    CsvRow row{sink};
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        row.plain(fields[i]).empty(); // cause: nothing interrupts jobs yet
        row.micro(bill.cell_hours[i]).micro(bill.cell_usd[i]);
        for (const auto* levels : {&energy.kwh, &energy.carbon_kg})
            row.micro(*levels ? std::optional{(*levels)->cells[i]} : std::nullopt);
        row.end();
    }
}

}} // namespace bursar::reports
