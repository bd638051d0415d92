#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/printed_bill.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

using LeafFigures = std::array<int128, num_leaves>;

/// The columns of sreport, each with its row of the view.
struct SreportColumn {
    std::string_view title;
    std::string_view row;
};
constexpr std::array sreport_columns{SreportColumn{"Allocated", "allocated"},
                                     SreportColumn{"Down", "down"},
                                     SreportColumn{"PLND Down", "planned_down"},
                                     SreportColumn{"Idle", "idle"},
                                     SreportColumn{"Planned", "planned"}};

/// A name without bars, which separate columns.
std::string barred(std::string_view name) {
    std::string out;
    for (const char c : terminal_text(name))
        out += c == '|' ? "\\x7c" : std::string{c};
    return out;
}

void put_row(TextSink& sink,
             const std::string& cluster,
             const std::string& resource,
             const LeafFigures& hours) {
    sink.put(fmt::format("{}|{}", cluster, resource));
    int128 reported = 0;
    for (const SreportColumn& column : sreport_columns) {
        const ViewRow& row = *std::ranges::find(slurm_rows, column.row, &ViewRow::name);
        sink.put('|');
        sink.put_micro(row.sum(hours));
        reported += row.sum(hours);
    }
    sink.put('|');
    sink.put_micro(reported);
    sink.put('\n');
}

} // namespace

void write_sreport(const Result& result, const OutputOptions&, TextSink& sink) {
    const std::string rule(80, '-');
    const auto instant = [&](Duration time) { return readable_instant(result.zero_utc_ms, time); };
    sink.put(fmt::format("{0}\nCluster Utilization {1} - {2}\nUsage reported in TRES Hours\n{0}\n",
                         rule,
                         instant(result.window_begin),
                         instant(result.window_end)));
    sink.put("Cluster|TRES Name");
    for (const SreportColumn& column : sreport_columns)
        sink.put(fmt::format("|{}", column.title));
    sink.put("|Reported\n");

    const PrintedBill bill = print_bill(result);
    std::vector<LeafFigures> hours(result.pools.size());
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        hours[result.cells[i].pool][static_cast<std::size_t>(result.cells[i].leaf)] +=
            bill.cell_hours[i];
    for (std::size_t pool = 0; pool < hours.size(); ++pool)
        put_row(sink,
                barred(result.pools[pool].name),
                "gres/gpu:" + barred(result.pools[pool].gpu),
                hours[pool]);
}

}} // namespace bursar::reports
