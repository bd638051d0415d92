#include <string>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/registry.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

/// The printed figure of each part of a cell: the parts share what is printed for their cell.
/// exact: of each part; printed: of each cell.
template <class Exact>
std::vector<int128>
share_cells(const Result& result, const std::vector<int128>& printed, const Exact& exact) {
    std::vector<std::vector<std::size_t>> parts_of(result.cells.size());
    for (std::size_t i = 0; i < result.periods.size(); ++i)
        parts_of[result.periods.cell[i]].push_back(i);
    std::vector<int128> out(result.periods.size());
    for (std::size_t cell = 0; cell < parts_of.size(); ++cell) {
        std::vector<int128> weights;
        for (const std::size_t i : parts_of[cell])
            weights.push_back(exact(i).count());
        const std::vector<int128> shares = share(printed[cell], weights);
        for (std::size_t k = 0; k < shares.size(); ++k)
            out[parts_of[cell][k]] = shares[k];
    }
    return out;
}

} // namespace

void write_periods_csv(const Result& result, const OutputOptions&, TextSink& sink) {
    sink.put("from,to,pool,gpu_type,purchase,region,tenant,leaf,gpu_hours,cost\n");
    const PeriodColumns& periods = result.periods;
    const PrintedBill bill = print_bill(result);
    const std::vector<int128> hours =
        share_cells(result, bill.cell_hours, [&](std::size_t i) { return periods.held(i); });
    const std::vector<int128> usd =
        share_cells(result, bill.cell_usd, [&](std::size_t i) { return result.cost_of_period(i); });
    const std::vector<std::string> fields = cell_fields(result);
    InstantWriter instants{result.zero_utc_ms};
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const Duration from = periods.origin + periods.bucket[i] * periods.width;
        instants.put(sink, from);
        sink.put(',');
        instants.put(sink, from + periods.width);
        sink.put(',');
        sink.put(fields[periods.cell[i]]);
        sink.put(',');
        sink.put_micro(hours[i]);
        sink.put(',');
        sink.put_micro(usd[i]);
        sink.put('\n');
    }
}

} // namespace bursar::inline reports
