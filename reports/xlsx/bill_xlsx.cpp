#include "reports/xlsx/bill_xlsx.hpp"

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
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/xlsx/workbook.hpp"

namespace bursar { inline namespace reports {
namespace {

const SheetColumn hours_column{"GPU-hours", SheetFormat::hours, 14};
const SheetColumn usd_column{"USD", SheetFormat::dollars, 16};

SheetColumn words(std::string title, double width) {
    return {std::move(title), SheetFormat::text, width};
}

/// A figure of the files, which have it in millionths.
SheetCell figure(int128 micro) {
    return static_cast<double>(micro) / 1e6;
}

Sheet leaf_sheet(const Result& result, const PrintedBill& bill) {
    Sheet sheet{"Bill", {words("group", 14), words("leaf", 28), hours_column, usd_column}, {}};
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        sheet.rows.push_back({std::string{group_title(group_of(static_cast<Leaf>(leaf)))},
                              std::string{leaf_names[leaf]},
                              figure(bill.leaf_hours[leaf]),
                              figure(bill.leaf_usd[leaf])});
    for (std::size_t i = 0; i < bill.other_usd.size(); ++i)
        sheet.rows.push_back(
            {"other cost", result.run.other_costs[i].name, {}, figure(bill.other_usd[i])});
    sheet.total = {"total", {}, figure(bill.paid_hours), figure(bill.total_usd)};
    return sheet;
}

Sheet pool_sheet(const Result& result, const PrintedBill& bill) {
    std::vector<int128> hours(result.pools.size());
    std::vector<int128> usd(result.pools.size());
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        hours[result.cells[i].pool] += bill.cell_hours[i];
        usd[result.cells[i].pool] += bill.cell_usd[i];
    }
    Sheet sheet{"Pools",
                {words("pool", 20),
                 words("GPU", 22),
                 words("purchase", 12),
                 words("region", 14),
                 hours_column,
                 usd_column,
                 {"USD per GPU-hour", SheetFormat::rate, 18}},
                {}};
    const std::vector<FleetRow> fleet = fleet_rows(result);
    for (std::size_t i = 0; i < result.pools.size(); ++i) {
        const ResultPool& pool = result.pools[i];
        const std::optional<MoneyRate> rate = fleet[i].mean_rate();
        sheet.rows.push_back(
            {pool.name,
             pool.gpu,
             std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]},
             pool.region,
             figure(hours[i]),
             figure(usd[i]),
             rate ? SheetCell{static_cast<double>(rate->count()) / 1e9} : SheetCell{}});
    }
    sheet.total = {"paid", {}, {}, {}, figure(bill.paid_hours), figure(bill.paid_usd), {}};
    return sheet;
}

Sheet tenant_sheet(const Result& result, const PrintedBill& bill) {
    Sheet sheet{"Tenants", {words("tenant", 28), hours_column, usd_column}, {}};
    for (const TenantShare& share : tenant_shares(result, bill, ShareIdle::none))
        sheet.rows.push_back({share.name, figure(share.printed_hours), figure(share.printed_usd)});
    sheet.total = {"paid", figure(bill.paid_hours), figure(bill.paid_usd)};
    return sheet;
}

/// What gpu_hours.csv has, for tables that readers make.
Sheet cell_sheet(const Result& result, const PrintedBill& bill) {
    Sheet sheet{"Data",
                {words("pool", 20),
                 words("purchase", 12),
                 words("tenant", 28),
                 words("group", 14),
                 words("leaf", 28),
                 hours_column,
                 usd_column},
                {}};
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        const ResultPool& pool = result.pools[cell.pool];
        sheet.rows.push_back(
            {pool.name,
             std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]},
             cell.tenant ? SheetCell{tenant_title(result.tenants[*cell.tenant])} : SheetCell{},
             std::string{group_title(group_of(cell.leaf))},
             std::string{name_of(cell.leaf)},
             figure(bill.cell_hours[i]),
             figure(bill.cell_usd[i])});
    }
    return sheet;
}

Sheet metric_sheet(const Result& result) {
    Sheet sheet{"Metrics",
                {words("scalar", 42),
                 {"value", SheetFormat::number, 20},
                 words("unit", 18),
                 words("meaning", 90)},
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
Sheet run_sheet(const Result& result) {
    const RunFacts& run = result.run;
    Sheet sheet{"Run", {words("what", 20), words("", 120)}, {}};
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

void write_bill_xlsx(const Result& result, const OutputOptions&, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    write_workbook({leaf_sheet(result, bill),
                    pool_sheet(result, bill),
                    tenant_sheet(result, bill),
                    cell_sheet(result, bill),
                    metric_sheet(result),
                    run_sheet(result)},
                   sink);
}

}} // namespace bursar::reports
