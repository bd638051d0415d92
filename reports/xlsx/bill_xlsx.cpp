#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/xlsx/workbook.hpp"

namespace bursar { inline namespace reports {
namespace {

ReportColumn number_column(const std::string& label, const std::string& unit) {
    ReportColumn column{"", label, unit};
    column.align = Align::right;
    return column;
}

const ReportColumn hours_column = number_column("GPU-hours", "GPU-hours");
const ReportColumn usd_column = number_column("USD", "USD");

ReportColumn words(std::string label) {
    return {std::move(label), Align::left};
}

/// A figure of the files, which have it in millionths.
Cell figure(int128 micro) {
    return static_cast<double>(micro) / 1e6;
}

double of_cents(int128 cents) {
    return static_cast<double>(cents) / 100;
}

/// Rows of the bill with their shares of the total, and their sum. Costs that are not GPU time are
/// rows of their own in a table of groups; others add up to the paid GPU time.
ReportTable summary_table(const Result& result, OutputOptions options, std::string title) {
    constexpr std::size_t most_rows = 8;
    options.top = options.group_by == GroupBy::group ? std::nullopt : std::optional{most_rows};
    const BillTable bill = bill_table(result, options);
    ReportTable table{
        "",
        std::move(title),
        {words(std::string{group_by_names[static_cast<std::size_t>(options.group_by)]}),
         usd_column,
         number_column("share", "%"),
         hours_column},
        {}};
    const auto share = [&](int128 cents) {
        return bill.total_cents > 0
                   ? static_cast<double>(cents) / static_cast<double>(bill.total_cents)
                   : 0.0;
    };
    const auto add = [&](const std::string& label, const BillRow& row, bool has_hours) {
        if (row.usd_cents != 0 || row.hours_tenths != 0)
            table.rows.push_back(
                {label,
                 of_cents(row.usd_cents),
                 share(row.usd_cents),
                 has_hours ? Cell{static_cast<double>(row.hours_tenths) / 10} : Cell{""}});
    };
    for (const BillRow& row : bill.rows)
        add(row.label, row, true);
    const bool is_all = options.group_by == GroupBy::group;
    for (const BillRow& row : bill.other_costs)
        if (is_all)
            add(row.label, row, false);
    const int128 cents = is_all ? bill.total_cents : bill.paid.usd_cents;
    table.rows.emplace_back(std::vector<Cell>{is_all ? "total" : "GPU time",
                                              of_cents(cents),
                                              share(cents),
                                              static_cast<double>(bill.paid.hours_tenths) / 10},
                            RowKind::sum);
    return table;
}

/// What is read first, and printed.
SummarySheet summary_sheet(const Result& result, const OutputOptions& options) {
    SummarySheet sheet;
    sheet.title = result.run.scenario_name;
    sheet.total = of_cents(bill_table(result, {}).total_cents);
    sheet.lines.push_back(fmt::format("total cost in USD, {} to {}",
                                      readable_instant(result.zero_utc_ms, result.window_begin),
                                      readable_instant(result.zero_utc_ms, result.window_end)));
    if (const std::optional<RepeatLine> mean = repeated_total(result))
        sheet.lines.push_back(
            fmt::format("of {}; USD {}, the {}", seed_title(result), mean->mean, mean->interval));
    for (const auto& [by, title] : {std::pair{GroupBy::group, "Where the money went"},
                                    std::pair{GroupBy::pool, "Pools"},
                                    std::pair{GroupBy::tenant, "Tenants"},
                                    std::pair{GroupBy::month, "Months"}}) {
        OutputOptions shown;
        shown.group_by = by;
        shown.share_idle = options.share_idle;
        ReportTable table = summary_table(result, shown, title);
        if (by == GroupBy::group || table.rows.size() > 2) // more than one, and their sum
            sheet.tables.push_back(std::move(table));
    }
    return sheet;
}

ReportTable leaf_sheet(const Result& result, const PrintedBill& bill) {
    ReportTable sheet{"", "Bill", {words("group"), words("leaf"), hours_column, usd_column}, {}};
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        if (bill.leaf_hours[leaf] != 0 || bill.leaf_usd[leaf] != 0)
            sheet.rows.push_back({std::string{group_title(group_of(static_cast<Leaf>(leaf)))},
                                  std::string{leaf_names[leaf]},
                                  figure(bill.leaf_hours[leaf]),
                                  figure(bill.leaf_usd[leaf])});
    for (std::size_t i = 0; i < bill.other_usd.size(); ++i)
        sheet.rows.push_back(
            {"other cost", result.run.other_costs[i].name, "", figure(bill.other_usd[i])});
    sheet.rows.emplace_back(
        std::vector<Cell>{"total", "", figure(bill.paid_hours), figure(bill.total_usd)},
        RowKind::sum);
    return sheet;
}

ReportTable pool_sheet(const Result& result, const PrintedBill& bill) {
    std::vector<int128> hours(result.pools.size());
    std::vector<int128> usd(result.pools.size());
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        hours[result.cells[i].pool] += bill.cell_hours[i];
        usd[result.cells[i].pool] += bill.cell_usd[i];
    }
    ReportTable sheet{"",
                      "Pools",
                      {words("pool"),
                       words("GPU"),
                       words("purchase"),
                       words("region"),
                       hours_column,
                       usd_column,
                       number_column("USD per GPU-hour", "USD per GPU-hour")},
                      {}};
    const std::vector<FleetRow> fleet = fleet_rows(result);
    for (std::size_t i = 0; i < result.pools.size(); ++i) {
        if (hours[i] == 0 && usd[i] == 0)
            continue;
        const ResultPool& pool = result.pools[i];
        const std::optional<MoneyRate> rate = fleet[i].mean_rate();
        sheet.rows.push_back({pool.name,
                              pool.gpu,
                              std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]},
                              pool.region,
                              figure(hours[i]),
                              figure(usd[i]),
                              rate ? Cell{static_cast<double>(rate->count()) / 1e9} : Cell{""}});
    }
    sheet.rows.emplace_back(
        std::vector<Cell>{"paid", "", "", "", figure(bill.paid_hours), figure(bill.paid_usd), ""},
        RowKind::sum);
    return sheet;
}

ReportTable tenant_sheet(const Result& result, const PrintedBill& bill, ShareIdle mode) {
    ReportTable sheet{"", "Tenants", {words("tenant"), hours_column, usd_column}, {}};
    for (const TenantShare& share : tenant_shares(result, bill, mode))
        if (share.printed_hours != 0 || share.printed_usd != 0)
            sheet.rows.push_back(
                {share.name, figure(share.printed_hours), figure(share.printed_usd)});
    sheet.rows.emplace_back(
        std::vector<Cell>{"paid", figure(bill.paid_hours), figure(bill.paid_usd)}, RowKind::sum);
    return sheet;
}

/// What gpu_hours.csv has, for tables that readers make.
ReportTable cell_sheet(const Result& result, const PrintedBill& bill) {
    ReportTable sheet{"",
                      "Data",
                      {words("pool"),
                       words("purchase"),
                       words("tenant"),
                       words("group"),
                       words("leaf"),
                       hours_column,
                       usd_column},
                      {}};
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        const ResultPool& pool = result.pools[cell.pool];
        sheet.rows.push_back(
            {pool.name,
             std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]},
             cell.tenant ? Cell{tenant_title(result.tenants[*cell.tenant])} : Cell{""},
             std::string{group_title(group_of(cell.leaf))},
             std::string{name_of(cell.leaf)},
             figure(bill.cell_hours[i]),
             figure(bill.cell_usd[i])});
    }
    return sheet;
}

ReportTable metric_sheet(const Result& result) {
    ReportTable sheet{
        "",
        "Metrics",
        {words("scalar"), number_column("value", ""), words("unit"), words("meaning")},
        {}};
    const std::vector<std::optional<double>> values = scalar_values(result);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ScalarRow& row = scalar_table()[i];
        if (values[i])
            sheet.rows.push_back(
                {row.name, *values[i], std::string{unit_of(row.kind)}, row.meaning});
    }
    return sheet;
}

/// What was run, and what its figures rest on.
ReportTable run_sheet(const Result& result) {
    const RunFacts& run = result.run;
    ReportTable sheet{"", "Run", {words("what"), words("")}, {}};
    const auto add = [&](std::string what, std::string text) {
        if (!text.empty())
            sheet.rows.push_back({std::move(what), std::move(text)});
    };
    add("scenario", run.scenario_name);
    add("from", readable_instant(result.zero_utc_ms, result.window_begin));
    add("to", readable_instant(result.zero_utc_ms, result.window_end));
    add("seed", fmt::format("{}", run.seed));
    add("scenario hash", hash_text(run.scenario_hash));
    add("fingerprint", hash_text(result.fingerprint));
    add("bursar", run.version);
    for (const PolicyLabel& label : policy_labels)
        add(fmt::format("policy.{}", label.name), run.policy.*label.text);
    for (const FleetRow& row : fleet_rows(result))
        add("fleet", fleet_sentence(result, row));
    for (const std::string& month : month_sentences(result))
        add("month", month);
    for (const auto& [what, lines] : {std::pair{"warning", &run.warnings},
                                      std::pair{"assumed", &run.decisive},
                                      std::pair{"assumed", &run.assumed},
                                      std::pair{"not modelled", &run.unmodelled}})
        for (const std::string& line : *lines)
            add(what, line);
    return sheet;
}

} // namespace

void write_bill_xlsx(const Result& result, const OutputOptions& options, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    write_workbook(summary_sheet(result, options),
                   {leaf_sheet(result, bill),
                    pool_sheet(result, bill),
                    tenant_sheet(result, bill, options.share_idle),
                    cell_sheet(result, bill),
                    metric_sheet(result),
                    run_sheet(result)},
                   sink);
}

}} // namespace bursar::reports
