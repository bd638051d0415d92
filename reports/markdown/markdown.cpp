#include "reports/markdown/markdown.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/markdown/markdown_table.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/tables/priced_tables.hpp"
#include "reports/tables/run_tables.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// One paragraph or list item without line breaks of its own.
void put_line(TextSink& sink, std::string_view before, std::string_view text) {
    sink.put(before);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

std::vector<std::string> bill_row(const BillRow& row) {
    return {(row.is_leaf ? "&nbsp;&nbsp;" : "") + markdown_cell(row.label),
            grouped_text(row.hours_tenths, 1),
            grouped_text(row.usd_cents, 2),
            grouped_text(row.share_permille, 1) + " %",
            markdown_cell(row.note)};
}

void put_bill(TextSink& sink, const Result& result, const OutputOptions& options) {
    const BillTable table = bill_table(result, options);
    const std::array columns{
        MarkdownColumn{group_by_names[static_cast<std::size_t>(options.group_by)], true},
        MarkdownColumn{"GPU-hours"},
        MarkdownColumn{"USD"},
        MarkdownColumn{"share"},
        MarkdownColumn{"leaves, % of paid", true}};
    const auto put_cost = [&](std::string label, int128 cents, std::string_view note) {
        put_markdown_row(sink,
                         {std::move(label), "", grouped_text(cents, 2), "", markdown_cell(note)});
    };
    put_markdown_header(sink, columns);
    for (const BillRow& row : table.rows)
        put_markdown_row(sink, bill_row(row));
    put_markdown_row(sink, bill_row(table.paid));
    for (const BillRow& other : table.other_costs)
        put_cost(markdown_cell(other.label), other.usd_cents, "");
    const std::optional<RepeatLine> mean = repeated_total(result);
    put_cost(mean ? "total, " + seed_title(result) : "**TOTAL**",
             table.total_cents,
             burn_sentence(result));
    if (mean)
        put_markdown_row(sink, {"**TOTAL**", "", mean->mean, "", markdown_cell(mean->interval)});
    if (const std::string totals = currency_sentence(result); !totals.empty())
        put_line(
            sink, "\nIn " + markdown_cell(result.run.currency->code) + ": ", markdown_cell(totals));
    if (const std::string bought = purchases_sentence(table.by_purchase); !bought.empty())
        put_line(sink, "\nBy purchase: ", bought);
}

void put_titled_table(TextSink& sink, const ReportTable& table) {
    put_line(sink, "\n## ", table.title);
    sink.put('\n');
    put_markdown_table(sink, table);
}

void put_priced_tables(TextSink& sink, const Result& result, const OutputOptions& options) {
    const std::vector<ReportTable> tables = priced_tables(result, options);
    if (tables.empty())
        return;
    put_line(sink, "\n## How it adds up\n\n", how_it_adds_up);
    if (const std::string why = why_no_months(result); !why.empty())
        put_line(sink, "\n", why);
    for (const ReportTable& table : tables)
        put_titled_table(sink, table);
}

void put_repeats(TextSink& sink, const Result& result) {
    const std::optional<ReportTable> seeds = seeds_table(result);
    if (!seeds)
        return;
    put_line(sink, "\n", repeat_sentence(result, *result.repeats) + ".");
    sink.put('\n');
    put_markdown_table(sink, *seeds);
}

void put_list(TextSink& sink, std::string_view title, const std::vector<std::string>& items) {
    for (const std::string& item : items)
        put_line(sink, "- " + std::string{title} + ": ", item);
}

/// What one reads first below the bill, in full or in brief.
void put_first_lines(TextSink& sink, const Result& result, const OutputOptions& options) {
    const bool has_tenants = !options.brief || options.group_by == GroupBy::tenant;
    if (const std::string sharing = sharing_sentence(options.share_idle);
        has_tenants && !sharing.empty())
        put_line(sink, "- ", sharing);
    for (const BudgetSentence& budget : budget_sentences(result))
        put_list(sink, budget.is_alert ? "budget alert" : "budget", {budget.text});
    put_line(sink, "- ", goodput_sentence(result));
    if (const std::string drain = drain_sentence(result); !drain.empty())
        put_list(sink, "largest drain", {drain});
    put_line(sink, "- ", jobs_sentence(result));
}

/// What users felt.
void put_felt_lines(TextSink& sink, const Result& result) {
    for (const std::string& felt : felt_sentences(result))
        put_line(sink, "- ", felt);
    if (const std::string deadlines = deadline_sentence(result); !deadlines.empty())
        put_line(sink, "- deadlines: ", deadlines);
}

/// What stands below a bill in brief: for a comment or a message.
void put_brief_lines(TextSink& sink, const Result& result, const OutputOptions& options) {
    put_first_lines(sink, result, options);
    put_felt_lines(sink, result);
    put_list(sink, "uncertain", uncertainty_sentences(result));
    put_list(sink, "warning", result.run.warnings);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        put_list(sink, "unpriced", {unpriced});
    put_line(sink,
             "- ",
             fmt::format("{} assumed, {} not modelled: without `--brief` they are named",
                         result.run.assumed.size(),
                         result.run.unmodelled.size()));
    put_line(sink, "- ", run_sentence(result, options));
}

} // namespace

void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink) {
    put_line(sink, "# ", result.run.scenario_name);
    sink.put('\n');
    put_line(sink, "", span_sentence(result) + "; " + policy_sentence(result));
    put_line(sink, "\n", period_sentence(result));
    sink.put('\n');
    if (!result.run.decisive.empty()) {
        put_list(sink, "assumed", result.run.decisive);
        sink.put('\n');
    }
    put_bill(sink, result, options);
    sink.put('\n');
    if (options.brief)
        return put_brief_lines(sink, result, options);
    put_markdown_table(sink, fleet_table(result));
    sink.put('\n');
    put_first_lines(sink, result, options);
    put_felt_lines(sink, result);
    if (const std::string preemptions = preemption_sentence(result); !preemptions.empty())
        put_line(sink, "- ", preemptions);
    if (const std::string lost = lost_work_sentence(result); !lost.empty())
        put_line(sink, "- lost work: ", lost);
    if (const std::string placement = placement_sentence(result); !placement.empty())
        put_line(sink, "- ", placement);
    put_list(sink, "energy", energy_sentences(result));
    put_list(sink, "price", price_sentences(result));
    put_list(sink, "uncertain", uncertainty_sentences(result));
    put_list(sink, "trace", result.run.trace_notes);
    put_list(sink, "warning", result.run.warnings);
    put_list(sink, "assumed", result.run.assumed);
    put_list(sink, "not modelled", result.run.unmodelled);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        put_list(sink, "unpriced", {unpriced});
    put_line(sink, "- ", run_sentence(result, options));
    put_repeats(sink, result);
    put_priced_tables(sink, result, options);
    for (const auto& table :
         {waits_by_tenant(result, options), costliest_jobs_table(result, options)})
        if (table)
            put_titled_table(sink, *table);
    put_titled_table(sink, metrics_table(result));
    for (const ReportTable& view : view_tables(result)) {
        sink.put('\n');
        put_markdown_table(sink, view);
    }
}

}} // namespace bursar::reports
