#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/record/distribution.hpp"
#include "sim/record/metrics.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/bill/costliest_jobs.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/priced_lines.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/summary/bill_document.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t usual_tenants = 20; ///< shown where --top says no number
constexpr std::size_t usual_jobs = 10;

/// Columns of words, and after them what a priced line has.
std::vector<ReportColumn> priced_columns(std::vector<ReportColumn> words) {
    for (const char* title :
         {"GPU-hours", "% of GPU-hours", "mean USD per GPU-hour", "USD", "% of USD"})
        words.emplace_back(title);
    return words;
}

/// The line after cells of words.
ReportRow
priced_row(std::string label, const std::vector<std::string>& words, const PricedLine& line) {
    ReportRow row{std::move(label)};
    row.cells.insert(row.cells.end(), words.begin(), words.end());
    row.cells.insert(
        row.cells.end(),
        {line.hours, line.hours_percent, line.rate, line.dollars, line.dollars_percent});
    return row;
}

ReportTable
priced_table(const Result& result, OutputOptions options, GroupBy by, std::string title) {
    options.group_by = by;
    options.all = false;
    if (by == GroupBy::tenant)
        options.top = options.top.value_or(usual_tenants);
    const BillTable bill = bill_table(result, options);
    const std::string of{group_by_names[static_cast<std::size_t>(by)]};
    ReportTable table{"", std::move(title), priced_columns({{of, Align::left}}), {}};
    for (const PricedLine& line : priced_lines(bill.rows, bill.paid))
        table.rows.push_back(priced_row(line.label, {}, line));
    table.rows.back().kind = RowKind::sum;
    return table;
}

/// Deadlines of jobs, as in the metrics.
struct DeadlineCount {
    std::uint64_t jobs{};
    std::uint64_t met{};

    DeadlineCount& operator+=(const DeadlineCount& other) {
        jobs += other.jobs;
        met += other.met;
        return *this;
    }
    [[nodiscard]] std::string text() const {
        return jobs == 0 ? std::string{}
                         : grouped_text(static_cast<std::int64_t>(met), 0) + " of " +
                               grouped_text(static_cast<std::int64_t>(jobs), 0);
    }
};

ReportRow waits_row(std::string label, const Distribution& waits, const DeadlineCount& deadlines) {
    ReportRow row{std::move(label)};
    const auto count = static_cast<std::int64_t>(waits.count);
    row.cells.push_back(grouped_text(count, 0));
    const auto add = [&](int128 milliseconds) {
        row.cells.push_back(span_text(Duration{static_cast<std::int64_t>(milliseconds)}));
    };
    add(divide_half_up(waits.sum, std::max<std::int64_t>(count, 1)));
    for (const auto& hundredths : {waits.p50_hundredths, waits.p99_hundredths})
        add(divide_half_up(hundredths.value_or(0), 100));
    add(waits.max);
    row.cells.push_back(deadlines.text());
    return row;
}

struct TenantWaits {
    std::string_view name;
    std::vector<std::int64_t> ms{};
    DeadlineCount deadlines{};
};

/// Waits of the measured jobs that finished, and deadlines of all measured jobs, as in the metrics;
/// tenants with the most finished jobs first.
std::vector<TenantWaits> tenant_waits(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<TenantWaits> out;
    for (const std::string& tenant : result.tenants)
        out.push_back({tenant});
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (result.measures(job) && has_finished(jobs.state[job]) && has_started(jobs.state[job]))
            out[jobs.tenant[job]].ms.push_back(jobs.start_ms[job] - jobs.eligible(job));
    for (std::size_t job = 0; job < jobs.deadline_ms.size(); ++job)
        if (jobs.deadline_ms[job] > 0 && result.measures(job) &&
            jobs.state[job] != JobState::not_submitted)
            out[jobs.tenant[job]].deadlines += {1, deadline_of(result, job) == DeadlineState::met};
    std::erase_if(out, [](const TenantWaits& waits) { return waits.ms.empty(); });
    std::ranges::stable_sort(
        out, std::ranges::greater{}, [](const TenantWaits& waits) { return waits.ms.size(); });
    return out;
}

/// What is said of a job beside its line.
std::vector<std::string> job_words(const Result& result, std::size_t job) {
    const JobColumns& jobs = result.jobs;
    return {tenant_title(result.tenants[jobs.tenant[job]]),
            result.pools[jobs.pool[job]].name,
            micro_text(int128{jobs.slots(job)} * (1'000'000 / slots_per_gpu)),
            std::string{job_state_names[static_cast<std::size_t>(jobs.state[job])]}};
}

} // namespace

std::vector<ReportTable> priced_tables(const Result& result, const OutputOptions& options) {
    std::vector<ReportTable> tables;
    if (result.cells.empty())
        return tables;
    for (const auto& [by, title] : {std::pair{GroupBy::pool, "Cost by pool"},
                                    std::pair{GroupBy::purchase, "Cost by purchase"},
                                    std::pair{GroupBy::month, "Cost by month"},
                                    std::pair{GroupBy::tenant, "Cost by tenant"}})
        if (by != GroupBy::month || !month_shares(result).empty())
            tables.push_back(priced_table(result, options, by, title));
    return tables;
}

std::string why_no_months(const Result& result) {
    if (!result.zero_utc_ms || result.cells.empty() || !month_shares(result).empty())
        return "";
    return "By month: not known, as this result does not say when nodes came and went.";
}

std::optional<ReportTable> waits_by_tenant(const Result& result, const OutputOptions& options) {
    std::vector<TenantWaits> tenants = tenant_waits(result);
    if (tenants.size() < 2)
        return std::nullopt;
    ReportTable table{"",
                      "Waits by tenant",
                      {{"tenant", Align::left},
                       {"jobs finished"},
                       {"mean"},
                       {"p50"},
                       {"p99"},
                       {"max"},
                       {"deadlines met"}},
                      {}};
    const std::size_t shown = std::min(options.top.value_or(usual_tenants), tenants.size());
    std::vector<std::int64_t> others;
    DeadlineCount others_due;
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        std::vector<std::int64_t>& ms = tenants[i].ms;
        if (i < shown)
            table.rows.push_back(waits_row(
                tenant_title(tenants[i].name), distribution_of(ms), tenants[i].deadlines));
        else
            others.insert(others.end(), ms.begin(), ms.end());
        others_due += i < shown ? DeadlineCount{} : tenants[i].deadlines;
    }
    if (!others.empty())
        table.rows.push_back(waits_row("other (" + std::to_string(tenants.size() - shown) + ")",
                                       distribution_of(others),
                                       others_due));
    const Deadlines all = result.metrics.deadlines.value_or(Deadlines{});
    table.rows.push_back(waits_row("all", result.metrics.wait, {all.jobs, all.met}));
    table.rows.back().kind = RowKind::sum;
    return without_empty_columns(std::move(table));
}

std::optional<ReportTable> costliest_jobs_table(const Result& result,
                                                const OutputOptions& options) {
    const BillRow paid = bill_table(result, {}).paid;
    const CostliestJobs costliest = costliest_jobs(result, options.top.value_or(usual_jobs), paid);
    if (costliest.jobs.empty())
        return std::nullopt;
    ReportTable table{"",
                      costliest.add_up ? "Jobs that cost most"
                                       : "Jobs that cost most, over the whole run",
                      priced_columns({{"job", Align::left},
                                      {"tenant", Align::left},
                                      {"pool", Align::left},
                                      {"GPUs"},
                                      {"state", Align::left}}),
                      {}};
    const std::vector<PricedLine> lines =
        costliest.add_up ? priced_lines(costliest.rows, paid) : lone_lines(costliest.rows);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<std::string> words = i < costliest.jobs.size()
                                                   ? job_words(result, costliest.jobs[i].job)
                                                   : std::vector<std::string>(4);
        table.rows.push_back(priced_row(lines[i].label, words, lines[i]));
    }
    if (costliest.add_up)
        table.rows.back().kind = RowKind::sum;
    return table;
}

ReportTable without_empty_columns(ReportTable table) {
    if (table.rows.empty())
        return table;
    for (std::size_t column = table.columns.size(); column-- > 0;) {
        const auto is_empty = [&](const ReportRow& row) {
            return row.cells[column] == Cell{std::string{}};
        };
        if (!std::ranges::all_of(table.rows, is_empty))
            continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (ReportRow& row : table.rows)
            row.cells.erase(row.cells.begin() + at);
    }
    return table;
}

ReportTable fleet_table(const Result& result) {
    ReportTable table{"",
                      "What is paid for",
                      {{"pool", Align::left},
                       {"nodes", Align::left},
                       {"nodes, on average"},
                       {"GPUs per node"},
                       {"type", Align::left},
                       {"purchase", Align::left},
                       {"region", Align::left},
                       {"USD per GPU-hour", Align::left},
                       {"GPU-hours"},
                       {"from", Align::left},
                       {"to", Align::left},
                       {"events of nodes", Align::left}},
                      {}};
    for (const FleetRow& row : fleet_rows(result))
        table.rows.push_back(
            {row.pool->name,
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
             node_events_text(result, *row.pool)});
    return without_empty_columns(std::move(table));
}

ReportTable metrics_table(const Result& result) {
    ReportTable table{"", "Metrics of the measured jobs", {{"metric", Align::left}}, {}};
    for (const MetricEntry& entry : metric_table()) {
        const auto* row = std::get_if<DistributionRow>(&entry);
        if (row == nullptr)
            continue;
        const std::vector<DistributionFigure> all = figures(*row, result.metrics);
        if (table.columns.size() == 1)
            for (const DistributionFigure& figure : all)
                table.columns.emplace_back(std::string{figure.name});
        const bool says_nothing = row->is_bound && result.metrics.jobs_censored == 0;
        if ((result.metrics.*row->values).count == 0 || says_nothing)
            continue;
        const std::string_view unit = unit_of(row->kind());
        std::vector<Cell> cells;
        cells.emplace_back(std::string{row->title} + (unit.empty() ? "" : ", ") +
                           std::string{unit});
        for (const DistributionFigure& figure : all)
            cells.emplace_back(figure.micro ? micro_text(*figure.micro) : std::string{});
        table.rows.emplace_back(std::move(cells));
    }
    return table;
}

std::optional<ReportTable> seeds_table(const Result& result) {
    if (!result.repeats)
        return std::nullopt;
    ReportTable table{"",
                      "Over the seeds",
                      {{"over the seeds", Align::left},
                       {"mean"},
                       {std::string{interval_title(result.repeats->n)}},
                       {"one run, 95 %"}},
                      {}};
    for (const RepeatLine& line : repeat_lines(result))
        table.rows.push_back({line.title, line.mean, line.interval, line.one_run});
    return table;
}

std::vector<ReportTable> view_tables(const Result& result) {
    const PrintedBill bill = print_bill(result);
    std::vector<ReportTable> tables;
    for (const LeafView& view : leaf_views) {
        const std::string title{view.title};
        ReportTable& table =
            tables.emplace_back(ReportTable{{{title, Align::left}, {"GPU-hours"}}});
        for (const ViewRow& row : view.rows)
            table.rows.push_back({std::string{row.name}, micro_text(row.sum(bill.leaf_hours))});
    }
    return tables;
}

}} // namespace bursar::reports
