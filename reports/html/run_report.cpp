#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/page_script.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/bill_document.hpp"
#include "reports/summary/bill_tables.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_bins = 140; ///< about three pixels each

void put_titled_table(HtmlPage& page, const ReportTable& table) {
    page.heading(table.title);
    page.table(table, table.title);
}

/// How the dollars come about, for pools, kinds of purchase, months, tenants and jobs.
void put_sums(HtmlPage& page, const Result& result, const OutputOptions& options) {
    if (const std::vector<ReportTable> tables = priced_tables(result, options); !tables.empty()) {
        page.heading("How it adds up");
        page.paragraph(how_it_adds_up);
        if (const std::string why = why_no_months(result); !why.empty())
            page.paragraph(why);
        page.tables(tables);
    }
    for (const auto& table :
         {waits_by_tenant(result, options), costliest_jobs_table(result, options)})
        if (table)
            put_titled_table(page, *table);
}

/// Metrics of the measured jobs, the seeds, and the GPU-hours as other tools count them.
void put_measures(HtmlPage& page, const Result& result) {
    if (const ReportTable metrics = metrics_table(result); !metrics.rows.empty())
        put_titled_table(page, metrics);
    if (const std::optional<ReportTable> seeds = seeds_table(result)) {
        page.heading(seeds->title);
        page.paragraph(repeat_sentence(result, *result.repeats) + ".");
        page.table(*seeds, seeds->title);
    }
    page.heading("The same GPU-hours as other tools count them");
    page.tables(view_tables(result));
}

void put_bill(HtmlPage& page, const Result& result, const OutputOptions& options) {
    const BillTable bill = bill_table(result, {});
    const auto mean = repeated_total(result);
    page.paragraph((mean ? mean->mean : grouped_text(bill.total_cents, 2)) + " USD", "total");
    page.paragraph(mean ? mean->interval : burn_sentence(result), "about");
    if (const std::string totals = currency_sentence(result); !totals.empty())
        page.paragraph("In " + result.run.currency->code + ": " + totals);
    if (const std::string bought = purchases_sentence(bill.by_purchase); !bought.empty())
        page.paragraph("By purchase: " + bought);
    page.facts(headlines(result, options));
}

void put_charts(HtmlPage& page, const Result& result, const OutputOptions& options) {
    const TimeBins time = time_bins(result, most_bins);
    page.section({"Where the money went", money_figures(result)}, bill_html_table(result));
    page.section({"Who and what it was for", cost_figures(result, options)});
    std::vector<Figure> fleet = fleet_figures(result, time);
    if (std::optional<Figure> leaves = leaves_over_time(result))
        fleet.insert(fleet.begin(), std::move(*leaves));
    if (std::optional<Figure> nodes = nodes_over_time(result, time))
        fleet.push_back(std::move(*nodes));
    else if (!fleet.empty() && !why_no_nodes(result).empty())
        fleet.front().notes.push_back(why_no_nodes(result));
    page.section({"The fleet over time", std::move(fleet)});
    std::vector<Figure> waiting = queue_figures(result, time);
    for (Figure& figure : waiting_figures(result))
        waiting.push_back(std::move(figure));
    page.section({"The queue", std::move(waiting)});
    page.section({"What users felt", wait_charts(result)});
    page.section({"Single jobs", job_figures(result)});
}

} // namespace

void write_run_report(const Result& result, const OutputOptions& options, TextSink& sink) {
    const std::string_view script = options.static_charts ? std::string_view{} : page_script();
    HtmlPage page{result.run.scenario_name, sink, script};
    page.paragraph(span_sentence(result) + "; " + policy_sentence(result), "about");
    page.paragraph(period_sentence(result), "about");
    for (const std::string& assumed : result.run.decisive)
        page.paragraph("Assumed: " + assumed);
    put_bill(page, result, options);
    put_charts(page, result, options);
    if (const ReportTable fleet = fleet_table(result); !fleet.rows.empty())
        put_titled_table(page, fleet);
    put_sums(page, result, options);
    put_measures(page, result);
    page.heading("What this rests on");
    page.facts(grounds(result));
    page.paragraph(fmt::format("Simulated by bursar {}: {}.",
                               result.run.version,
                               run_sentence(result, options)),
                   "about");
    page.end();
}

}} // namespace bursar::reports
