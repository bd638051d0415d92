#include <string>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {

void write_periods_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("period_start,period_end,pool,gpu_type,purchase,region,tenant,leaf,gpu_hours,"
             "cost_usd\n");
    const PeriodColumns& periods = result.periods;
    const PrintedBill bill = print_bill(result);
    const std::vector<int128> hours = part_hours(result, bill);
    const std::vector<int128> usd = part_usd(result, bill);
    const std::vector<std::string> fields = cell_fields(result);
    InstantWriter instants = csv_instants(result);
    CsvRow row{sink};
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const Duration from = periods.origin + periods.bucket[i] * periods.width;
        instants.put(row.next(), from);
        instants.put(row.next(), from + periods.width);
        row.plain(fields[periods.cell[i]]).micro(hours[i]).micro(usd[i]).end();
    }
}

}} // namespace bursar::reports
