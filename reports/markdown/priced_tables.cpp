#include "reports/markdown/priced_tables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/record/distribution.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/bill/costliest_jobs.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/priced_lines.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/markdown/markdown_table.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

constexpr std::size_t usual_tenants = 20; ///< shown where --top says no number
constexpr std::size_t usual_jobs = 10;

constexpr std::array priced_columns{MarkdownColumn{"GPU-hours"},
                                    MarkdownColumn{"mean USD per GPU-hour"},
                                    MarkdownColumn{"USD"},
                                    MarkdownColumn{"share"}};

void put_title(TextSink& sink, std::string_view title) {
    sink.put("\n## ");
    sink.put(title);
    sink.put("\n\n");
}

void put_header(TextSink& sink, std::vector<MarkdownColumn> words) {
    words.insert(words.end(), priced_columns.begin(), priced_columns.end());
    put_markdown_header(sink, words);
}

/// The line after cells of words; `label` is Markdown.
void put_priced_row(TextSink& sink,
                    std::string label,
                    const std::vector<std::string>& words,
                    const PricedLine& line) {
    std::vector<std::string> cells{std::move(label)};
    cells.insert(cells.end(), words.begin(), words.end());
    cells.insert(cells.end(), {line.hours, line.rate, line.dollars, line.share});
    put_markdown_row(sink, cells);
}

struct PricedTable {
    GroupBy by;
    std::string_view title;
};

void put_priced_table(TextSink& sink,
                      const Result& result,
                      OutputOptions options,
                      const PricedTable& table) {
    options.group_by = table.by;
    options.all = false;
    if (table.by == GroupBy::tenant)
        options.top = options.top.value_or(usual_tenants);
    const BillTable bill = bill_table(result, options);
    put_title(sink, table.title);
    put_header(sink, {{group_by_names[static_cast<std::size_t>(table.by)], true}});
    const std::vector<PricedLine> lines = priced_lines(bill.rows, bill.paid);
    for (const PricedLine& line : lines)
        put_priced_row(
            sink, &line == &lines.back() ? "**paid**" : markdown_cell(line.label), {}, line);
}

std::vector<std::string> wait_cells(std::string label, const Distribution& waits) {
    std::vector<std::string> cells{std::move(label)};
    const auto count = static_cast<std::int64_t>(waits.count);
    cells.push_back(grouped_text(count, 0));
    const auto add = [&](int128 milliseconds) {
        cells.push_back(span_text(Duration{static_cast<std::int64_t>(milliseconds)}));
    };
    add(divide_half_up(waits.sum, std::max<std::int64_t>(count, 1)));
    for (const auto& hundredths : {waits.p50_hundredths, waits.p99_hundredths})
        add(divide_half_up(hundredths.value_or(0), 100));
    add(waits.max);
    return cells;
}

struct TenantWaits {
    std::string_view name;
    std::vector<std::int64_t> ms{};
};

/// Of the measured jobs that finished, as in the metrics; the tenants with the most of them first.
std::vector<TenantWaits> waits_by_tenant(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<TenantWaits> out;
    for (const std::string& tenant : result.tenants)
        out.push_back({tenant});
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (result.measures(job) && has_finished(jobs.state[job]) && has_started(jobs.state[job]))
            out[jobs.tenant[job]].ms.push_back(jobs.start_ms[job] - jobs.submit_ms[job]);
    std::erase_if(out, [](const TenantWaits& waits) { return waits.ms.empty(); });
    std::ranges::stable_sort(
        out, std::ranges::greater{}, [](const TenantWaits& waits) { return waits.ms.size(); });
    return out;
}

} // namespace

void put_priced_tables(TextSink& sink, const Result& result, const OutputOptions& options) {
    if (result.cells.empty())
        return;
    put_title(sink, "How it adds up");
    sink.put(
        "In each table GPU-hours times their mean rate are the dollars, to a cent or two, and rows "
        "add up to what is paid.\n");
    for (const PricedTable& table : {PricedTable{GroupBy::pool, "Cost by pool"},
                                     PricedTable{GroupBy::purchase, "Cost by purchase"},
                                     PricedTable{GroupBy::month, "Cost by month"},
                                     PricedTable{GroupBy::tenant, "Cost by tenant"}})
        if (table.by != GroupBy::month || !month_shares(result).empty())
            put_priced_table(sink, result, options, table);
        else if (result.zero_utc_ms)
            sink.put("\nBy month: it was not recorded when nodes came and went; it is where the "
                     "scenario has a `calendar`, such as UTC.\n");
}

void put_waits_by_tenant(TextSink& sink, const Result& result, const OutputOptions& options) {
    std::vector<TenantWaits> tenants = waits_by_tenant(result);
    if (tenants.size() < 2)
        return;
    put_title(sink, "Waits by tenant");
    put_markdown_header(sink,
                        std::array{MarkdownColumn{"tenant", true},
                                   MarkdownColumn{"jobs finished"},
                                   MarkdownColumn{"mean"},
                                   MarkdownColumn{"p50"},
                                   MarkdownColumn{"p99"},
                                   MarkdownColumn{"max"}});
    const std::size_t shown = std::min(options.top.value_or(usual_tenants), tenants.size());
    std::vector<std::int64_t> others;
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        std::vector<std::int64_t>& ms = tenants[i].ms;
        if (i < shown)
            put_markdown_row(
                sink,
                wait_cells(markdown_cell(tenant_title(tenants[i].name)), distribution_of(ms)));
        else
            others.insert(others.end(), ms.begin(), ms.end());
    }
    if (!others.empty())
        put_markdown_row(sink,
                         wait_cells("other (" + std::to_string(tenants.size() - shown) + ")",
                                    distribution_of(others)));
    put_markdown_row(sink, wait_cells("**all**", result.metrics.wait));
}

void put_costliest_jobs(TextSink& sink, const Result& result, const OutputOptions& options) {
    const BillRow paid = bill_table(result, {}).paid;
    const CostliestJobs costliest = costliest_jobs(result, options.top.value_or(usual_jobs), paid);
    if (costliest.jobs.empty())
        return;
    put_title(sink,
              costliest.add_up ? "Jobs that cost most" : "Jobs that cost most, over the whole run");
    put_header(sink, {{"job", true}, {"tenant", true}, {"pool", true}, {"GPUs"}, {"state", true}});
    const std::vector<PricedLine> lines =
        costliest.add_up ? priced_lines(costliest.rows, paid) : lone_lines(costliest.rows);
    const JobColumns& jobs = result.jobs;
    const auto put_total = [&](const PricedLine& line, std::string label) {
        put_priced_row(sink, std::move(label), {"", "", "", ""}, line);
    };
    for (std::size_t i = 0; i < costliest.rows.size(); ++i) {
        if (i >= costliest.jobs.size()) {
            put_total(lines[i], markdown_cell(lines[i].label));
            continue;
        }
        const std::size_t job = costliest.jobs[i].job;
        put_priced_row(sink,
                       markdown_cell(lines[i].label),
                       {markdown_cell(tenant_title(result.tenants[jobs.tenant[job]])),
                        markdown_cell(result.pools[jobs.pool[job]].name),
                        micro_text(int128{jobs.slots(job)} * (1'000'000 / slots_per_gpu)),
                        std::string{job_state_names[static_cast<std::size_t>(jobs.state[job])]}},
                       lines[i]);
    }
    if (costliest.add_up)
        put_total(lines.back(), "**paid**");
}

} // namespace bursar::inline reports
