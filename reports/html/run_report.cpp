#include "reports/html/run_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/html/felt_figures.hpp"
#include "reports/html/job_figures.hpp"
#include "reports/html/leaf_figures.hpp"
#include "reports/html/money_figures.hpp"
#include "reports/html/node_figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/page_script.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/html/time_figures.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

constexpr std::size_t most_bins = 140; ///< about three pixels each

using Facts = std::vector<std::pair<std::string, std::string>>;

void add_fact(Facts& facts, std::string_view name, std::string text) {
    if (!text.empty())
        facts.emplace_back(name, std::move(text));
}

void add_facts(Facts& facts, std::string_view name, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        add_fact(facts, name, text);
}

/// What the bill says in words of the run and what users felt.
Facts headlines(const Result& result) {
    Facts facts;
    add_fact(facts, "largest drain", drain_sentence(result));
    add_fact(facts, "ratios", goodput_sentence(result));
    add_fact(facts, "jobs", jobs_sentence(result));
    add_facts(facts, "users", felt_sentences(result));
    add_fact(facts, "deadlines", deadline_sentence(result));
    add_fact(facts, "preemption", preemption_sentence(result));
    add_fact(facts, "lost work", lost_work_sentence(result));
    add_fact(facts, "placement", placement_sentence(result));
    for (const BudgetSentence& budget : budget_sentences(result))
        add_fact(facts, budget.is_alert ? "budget alert" : "budget", budget.text);
    add_facts(facts, "warning", result.run.warnings);
    return facts;
}

/// On what the figures rest, and what they leave out.
Facts grounds(const Result& result) {
    Facts facts;
    add_facts(facts, "price", price_sentences(result));
    add_facts(facts, "month", month_sentences(result));
    add_facts(facts, "energy", energy_sentences(result));
    add_facts(facts, "uncertain", uncertainty_sentences(result));
    add_facts(facts, "trace", result.run.trace_notes);
    add_facts(facts, "assumed", result.run.decisive);
    add_facts(facts, "assumed", result.run.assumed);
    add_facts(facts, "not modelled", result.run.unmodelled);
    add_fact(facts, "unpriced", unpriced_sentence(result));
    return facts;
}

/// Without the columns in which no row has anything.
HtmlTable without_empty_columns(HtmlTable table) {
    for (std::size_t column = table.columns.size(); column-- > 0;) {
        const auto is_empty = [&](const HtmlRow& row) { return row.cells[column].empty(); };
        if (!std::ranges::all_of(table.rows, is_empty))
            continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (HtmlRow& row : table.rows)
            row.cells.erase(row.cells.begin() + at);
    }
    return table;
}

HtmlTable fleet_table(const Result& result) {
    HtmlTable table{{{"pool", true},
                     {"nodes", true},
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
              grouped_text(std::int64_t{row.pool->gpus_per_node}, 0),
              row.pool->gpu,
              std::string{purchase_titles[static_cast<std::size_t>(row.pool->purchase)]},
              row.pool->region,
              price_text(row, ""),
              gpu_hours_text(row),
              readable_instant(result.zero_utc_ms, row.from),
              readable_instant(result.zero_utc_ms, row.to),
              node_events_text(result, *row.pool)},
             HtmlRowKind::plain});
    return without_empty_columns(std::move(table));
}

/// Every distribution over jobs of which there are any.
HtmlTable metric_html_table(const Result& result) {
    HtmlTable table{{{"metric", true}}, {}};
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
        HtmlRow& cells = table.rows.emplace_back();
        cells.cells.push_back(std::string{row->title} + (unit.empty() ? "" : ", ") +
                              std::string{unit});
        for (const DistributionFigure& figure : all)
            cells.cells.push_back(figure.micro ? micro_text(*figure.micro) : "");
    }
    return table;
}

HtmlTable repeat_table(const Repeats& repeats) {
    HtmlTable table{{{"over the seeds", true}, {"mean"}, {"95 % interval"}}, {}};
    for (const RepeatLine& line : repeat_lines(repeats))
        table.rows.push_back({{line.title, line.mean, line.interval}, HtmlRowKind::plain});
    return table;
}

void put_bill(HtmlPage& page, const Result& result) {
    const BillTable bill = bill_table(result, {});
    const auto mean = repeated_total(result);
    page.paragraph((mean ? mean->mean : grouped_text(bill.total_cents, 2)) + " USD", "total");
    page.paragraph(mean ? mean->interval : burn_sentence(result), "about");
    if (const std::string totals = currency_sentence(result); !totals.empty())
        page.paragraph("In " + result.run.currency->code + ": " + totals);
    if (const std::string bought = purchases_sentence(bill.by_purchase); !bought.empty())
        page.paragraph("By purchase: " + bought);
    page.facts(headlines(result));
    page.heading("The bill");
    page.table(bill_html_table(result), "The bill");
}

void put_charts(HtmlPage& page, const Result& result, const OutputOptions& options) {
    const TimeBins time = time_bins(result, most_bins);
    page.section({"Where the money went", money_figures(result)});
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
    page.section({"What users felt", felt_figures(result)});
    page.section({"Single jobs", job_figures(result)});
}

} // namespace

void write_run_report(const Result& result, const OutputOptions& options, TextSink& sink) {
    const std::string_view script = options.static_charts ? std::string_view{} : page_script();
    HtmlPage page{result.run.scenario_name, sink, script};
    page.paragraph(span_sentence(result) + "; " + policy_sentence(result), "about");
    for (const std::string& assumed : result.run.decisive)
        page.paragraph("Assumed: " + assumed);
    put_bill(page, result);
    put_charts(page, result, options);
    if (const HtmlTable fleet = fleet_table(result); !fleet.rows.empty()) {
        page.heading("What is paid for");
        page.table(fleet, "What is paid for");
    }
    if (const HtmlTable metrics = metric_html_table(result); !metrics.rows.empty()) {
        page.heading("Metrics of the measured jobs");
        page.table(metrics, "Metrics of the measured jobs");
    }
    if (result.repeats) {
        page.heading("Over the seeds");
        page.paragraph(repeat_sentence(result, *result.repeats) + ".");
        page.table(repeat_table(*result.repeats), "Over the seeds");
    }
    page.heading("What this rests on");
    page.facts(grounds(result));
    page.paragraph(fmt::format("Simulated by bursar {}: {}.",
                               result.run.version,
                               run_sentence(result, options)),
                   "about");
    page.end();
}

} // namespace bursar::inline reports
