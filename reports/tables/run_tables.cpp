#include "reports/tables/run_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "reports/bill/fleet.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

ReportTable without_empty_columns(ReportTable table) {
    if (table.rows.empty())
        return table;
    for (std::size_t column = table.columns.size(); column-- > 0;) {
        const auto is_empty = [&](const ReportRow& row) { return row.cells[column].empty(); };
        if (!std::ranges::all_of(table.rows, is_empty))
            continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (ReportRow& row : table.rows)
            row.cells.erase(row.cells.begin() + at);
    }
    return table;
}

} // namespace

ReportTable fleet_table(const Result& result) {
    ReportTable table{"What is paid for",
                      {{"pool", true},
                       {"nodes", true},
                       {"nodes, on average"},
                       {"GPUs per node"},
                       {"type", true},
                       {"purchase", true},
                       {"region", true},
                       {"USD per GPU-hour", true},
                       {"GPU-hours"},
                       {"from", true},
                       {"to", true},
                       {"what befell nodes", true}},
                      {}};
    for (const FleetRow& row : fleet_rows(result))
        table.rows.push_back(
            {{row.pool->name,
              nodes_text(*row.pool),
              mean_nodes_text(result, row),
              grouped_text(std::int64_t{row.pool->gpus_per_node}, 0),
              row.pool->gpu,
              std::string{purchase_titles[static_cast<std::size_t>(row.pool->purchase)]},
              row.pool->region,
              price_text(row, ""),
              gpu_hours_text(row),
              readable_instant(result.zero_utc_ms, row.from),
              readable_instant(result.zero_utc_ms, row.to),
              node_events_text(result, *row.pool)}});
    return without_empty_columns(std::move(table));
}

ReportTable metrics_table(const Result& result) {
    ReportTable table{"Metrics of the measured jobs", {{"metric", true}}, {}};
    for (const MetricEntry& entry : metric_table()) {
        const auto* row = std::get_if<DistributionRow>(&entry);
        if (row == nullptr)
            continue;
        const std::vector<DistributionFigure> all = figures(*row, result.metrics);
        if (table.columns.size() == 1)
            for (const DistributionFigure& figure : all)
                table.columns.push_back({std::string{figure.name}, false});
        const bool says_nothing = row->is_bound && result.metrics.jobs_censored == 0;
        if ((result.metrics.*row->values).count == 0 || says_nothing)
            continue;
        const std::string_view unit = unit_of(row->kind());
        ReportRow& cells = table.rows.emplace_back();
        cells.cells.push_back(std::string{row->title} + (unit.empty() ? "" : ", ") +
                              std::string{unit});
        for (const DistributionFigure& figure : all)
            cells.cells.push_back(figure.micro ? micro_text(*figure.micro) : "");
    }
    return table;
}

std::optional<ReportTable> seeds_table(const Result& result) {
    if (!result.repeats)
        return std::nullopt;
    ReportTable table{
        "Over the seeds", {{"over the seeds", true}, {"mean"}, {"95 % interval"}}, {}};
    for (const RepeatLine& line : repeat_lines(*result.repeats))
        table.rows.push_back({{line.title, line.mean, line.interval}});
    return table;
}

std::vector<ReportTable> view_tables(const Result& result) {
    const PrintedBill bill = print_bill(result);
    std::vector<ReportTable> tables;
    for (const LeafView& view : leaf_views) {
        const std::string title{view.title};
        ReportTable& table =
            tables.emplace_back(ReportTable{title, {{title, true}, {"GPU-hours"}}, {}});
        for (const ViewRow& row : view.rows)
            table.rows.push_back({{std::string{row.name}, micro_text(row.sum(bill.leaf_hours))}});
    }
    return tables;
}

}} // namespace bursar::reports
